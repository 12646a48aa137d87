using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Patching;
using Jackdaw.Documents.Revisions;

namespace Jackdaw.Documents.Batches;

/// <summary>The kinds of commands that clients send to a database: the common ones, and those of its extensions. Immutable.</summary>
/// <remarks>A kind that is not about an extension is registered here, and nowhere else.</remarks>
internal sealed class BatchKinds
{
    public BatchKinds(DocumentExtensions extensions)
    {
        ICommandedExtension[] commanded = extensions.Of<ICommandedExtension>();
        OfBatch = new CommandKinds(
            "a batch",
            extensions,
            [
                new CommandKind("PUT", Access.ReadWrite, PutCommand.Read) { TakesDocument = true },
                new CommandKind("DELETE", Access.ReadWrite, DeleteCommand.Read),
                new CommandKind("PATCH", Access.ReadWrite, PatchCommand.Read),
                new CommandKind("BatchPATCH", Access.ReadWrite, BatchPatchCommand.Read),
                new CommandKind("JsonPatch", Access.ReadWrite, JsonPatchCommand.Read),
                new CommandKind("ForceRevisionCreation", Access.ReadWrite, ForceRevisionCommand.Read),
                .. commanded.SelectMany(extension => extension.BatchCommands),
                new CommandKind("CompareExchangePUT", Access.ReadWrite, PutCompareExchangeCommand.Read),
                new CommandKind("CompareExchangeDELETE", Access.ReadWrite, DeleteCompareExchangeCommand.Read),
                CommandKind.Later("BatchTrackChanges"),
            ]);
        OfBulkInsert = new CommandKinds(
            "a bulk insert",
            extensions,
            [
                new CommandKind("PUT", Access.ReadWrite, PutCommand.Read) { TakesDocument = true },
                new CommandKind("HeartBeat", Access.ReadWrite, static (ref CommandText text) => text.Forget()),
                .. commanded.SelectMany(extension => extension.InsertCommands),
            ]);
    }

    /// <summary>Commands of bulk_docs.</summary>
    public CommandKinds OfBatch { get; }

    /// <summary>The elements of bulk_insert. A heartbeat only says that the sender is alive.</summary>
    public CommandKinds OfBulkInsert { get; }
}
