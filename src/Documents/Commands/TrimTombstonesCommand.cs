using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Commands;

/// <summary>Removes the oldest tombstones.</summary>
/// <param name="upTo">The etag of the last one to remove. There are at most <see cref="TombstonesMax"/> up to it.</param>
internal sealed class TrimTombstonesCommand(Etag upTo) : DocumentCommand
{
    /// <summary>The most tombstones of one command. Each takes the writer a few microseconds in three indexes and the heap.
    /// A full command keeps it busy for one to two milliseconds, which justifies a durable write even when no other
    /// command shares it.</summary>
    public const int TombstonesMax = 256;

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        documents.TrimTombstones(upTo, TombstonesMax);
        return WriteStatus.Applied;
    }
}
