using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Scripting.Patches;

namespace Jackdaw.Documents.Patching;

/// <summary>An extension that scripts of patches can read and change.</summary>
internal interface IPatchedExtension
{
    /// <summary>Names of the functions that scripts get for it.</summary>
    IReadOnlyList<string> Functions { get; }

    /// <summary>Shows it to the scripts of one batch.</summary>
    /// <param name="read">The snapshot that they see.</param>
    ExtensionView View(IReadableDatabase database, DocumentReadScope read);
}

/// <summary>What documents have of an extension, as the scripts of a batch see it: in a snapshot, and over it what the earlier commands of the
/// batch will have done. Notes what it read from the snapshot, so that the writer can check that it is still stored.</summary>
/// <remarks>One thread at a time. Lives as long as the snapshot, except for what it noted.</remarks>
internal abstract class ExtensionView(DocumentExtension extension)
{
    public DocumentExtension Extension => extension;

    /// <summary>Commands that check what was noted. They are applied before the writes of the batch.</summary>
    public abstract IEnumerable<DocumentCommand> MakeChecks();

    /// <summary>A command is applied after the snapshot.</summary>
    /// <param name="command">Of the extension.</param>
    public abstract void Foresee(ExtensionCommand command);

    /// <summary>All that a document has is deleted after the snapshot.</summary>
    /// <param name="document">Key.</param>
    public abstract void Remove(ReadOnlySpan<byte> document);

    /// <summary>Everything that documents have whose keys begin with a text is deleted after the snapshot.</summary>
    public abstract void RemoveAll(ReadOnlySpan<byte> prefix);

    /// <summary>A script calls one of the functions of the extension.</summary>
    /// <param name="host">Takes the commands that the call asks for.</param>
    /// <returns>JSON in UTF-8.</returns>
    public abstract ReadOnlyMemory<byte> Call(string function, PatchArguments arguments, PatchHost host);

    /// <summary>What a document has under a name, for a function that not only patches have, such as <c>counter</c>.</summary>
    /// <returns>JSON in UTF-8; null when there is nothing, or the function belongs to another extension.</returns>
    public virtual ReadOnlyMemory<byte>? Read(string function, string id, string name) => null;
}
