using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Patching;
using Jackdaw.Documents.Revisions;

namespace Jackdaw.Documents.Batches;

/// <summary>The kinds of commands that clients send. A new kind is registered here, and nowhere else.</summary>
internal static class BatchKinds
{
    /// <summary>Commands of bulk_docs.</summary>
    public static CommandKinds OfBatch { get; } = new(
        "a batch",
        new CommandKind("PUT", PutCommand.Read) { TakesDocument = true },
        new CommandKind("DELETE", DeleteCommand.Read),
        new CommandKind("PATCH", PatchCommand.Read),
        new CommandKind("BatchPATCH", BatchPatchCommand.Read),
        new CommandKind("JsonPatch", JsonPatchCommand.Read),
        new CommandKind("ForceRevisionCreation", ForceRevisionCommand.Read),
        new CommandKind("AttachmentPUT", PutAttachmentCommand.Read),
        new CommandKind("AttachmentDELETE", DeleteAttachmentCommand.Read),
        new CommandKind("AttachmentMOVE", MoveAttachmentCommand.Read),
        new CommandKind("AttachmentCOPY", CopyAttachmentCommand.Read),
        new CommandKind("Counters", CountersCommand.Read),
        CommandKind.Later("TimeSeries"),
        CommandKind.Later("TimeSeriesWithIncrements"),
        CommandKind.Later("TimeSeriesCopy"),
        new CommandKind("CompareExchangePUT", PutCompareExchangeCommand.Read),
        new CommandKind("CompareExchangeDELETE", DeleteCompareExchangeCommand.Read),
        CommandKind.Later("BatchTrackChanges"));

    /// <summary>Elements of bulk_insert. A heartbeat only says that the sender is alive.</summary>
    public static CommandKinds OfBulkInsert { get; } = new(
        "a bulk insert",
        new CommandKind("PUT", PutCommand.Read) { TakesDocument = true },
        new CommandKind("HeartBeat", static (ref CommandText text) => text.Forget()),
        new CommandKind("Counters", CountersCommand.Read),
        CommandKind.Later("TimeSeriesBulkInsert"),
        new CommandKind("AttachmentPUT", PutAttachmentCommand.ReadInserted));
}
