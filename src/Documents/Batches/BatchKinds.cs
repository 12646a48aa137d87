using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Callers;
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
        new CommandKind("PUT", Access.ReadWrite, PutCommand.Read) { TakesDocument = true },
        new CommandKind("DELETE", Access.ReadWrite, DeleteCommand.Read),
        new CommandKind("PATCH", Access.ReadWrite, PatchCommand.Read),
        new CommandKind("BatchPATCH", Access.ReadWrite, BatchPatchCommand.Read),
        new CommandKind("JsonPatch", Access.ReadWrite, JsonPatchCommand.Read),
        new CommandKind("ForceRevisionCreation", Access.ReadWrite, ForceRevisionCommand.Read),
        new CommandKind("AttachmentPUT", Access.ReadWrite, PutAttachmentCommand.Read),
        new CommandKind("AttachmentDELETE", Access.ReadWrite, DeleteAttachmentCommand.Read),
        new CommandKind("AttachmentMOVE", Access.ReadWrite, MoveAttachmentCommand.Read),
        new CommandKind("AttachmentCOPY", Access.ReadWrite, CopyAttachmentCommand.Read),
        new CommandKind("Counters", Access.ReadWrite, CountersCommand.Read),
        CommandKind.Later("TimeSeries"),
        CommandKind.Later("TimeSeriesWithIncrements"),
        CommandKind.Later("TimeSeriesCopy"),
        new CommandKind("CompareExchangePUT", Access.ReadWrite, PutCompareExchangeCommand.Read),
        new CommandKind("CompareExchangeDELETE", Access.ReadWrite, DeleteCompareExchangeCommand.Read),
        CommandKind.Later("BatchTrackChanges"));

    /// <summary>The elements of bulk_insert. A heartbeat only says that the sender is alive.</summary>
    public static CommandKinds OfBulkInsert { get; } = new(
        "a bulk insert",
        new CommandKind("PUT", Access.ReadWrite, PutCommand.Read) { TakesDocument = true },
        new CommandKind("HeartBeat", Access.ReadWrite, static (ref CommandText text) => text.Forget()),
        new CommandKind("Counters", Access.ReadWrite, CountersCommand.Read),
        CommandKind.Later("TimeSeriesBulkInsert"),
        new CommandKind("AttachmentPUT", Access.ReadWrite, PutAttachmentCommand.ReadInserted));
}
