using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Commands;

/// <summary>A command that changes something of an extension of one document.</summary>
internal abstract class ExtensionCommand : DocumentCommand
{
    /// <summary>Whose things it changes.</summary>
    public abstract DocumentExtension Extension { get; }

    /// <summary>How many things it is about: bulk inserts count them.</summary>
    public virtual long Items => 1;

    /// <summary>Applied: the version of the document; of a batch, after its last command.</summary>
    public abstract DocumentVersion DocumentVersion { get; }
}
