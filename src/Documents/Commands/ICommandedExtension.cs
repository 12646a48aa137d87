namespace Jackdaw.Documents.Commands;

/// <summary>An extension that clients change by commands of batches and bulk inserts. The commands are <see cref="ExtensionCommand"/>s.</summary>
internal interface ICommandedExtension
{
    /// <summary>Its commands in bulk_docs.</summary>
    IEnumerable<CommandKind> BatchCommands { get; }

    /// <summary>Its elements in bulk_insert.</summary>
    IEnumerable<CommandKind> InsertCommands { get; }

    /// <summary>Member of the progress of operations that counts what they changed: <c>CountersProcessed</c>.</summary>
    string ProcessedMember { get; }
}
