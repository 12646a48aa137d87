using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Revisions;

/// <summary>Removes rows of revisions that the deletion of their document has purged.</summary>
/// <param name="key">The key of the document.</param>
internal sealed class PurgeRevisionsCommand(byte[] key) : DocumentCommand
{
    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        RevisionWriter.Of(documents).RemovePurged(key, DeleteRevisionsCommand.RevisionsMax);
        return WriteStatus.Applied;
    }
}
