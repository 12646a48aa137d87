using Jackdaw.Server.Documents.Identity;
using Jackdaw.Server.Documents.Storage;

namespace Jackdaw.Server.Documents.Commands;

/// <summary>Removes the oldest tombstones.</summary>
/// <param name="upTo">The last one that may go. There are at most <see cref="TombstonesMax"/> up to it.</param>
internal sealed class TrimTombstonesCommand(Etag upTo) : DocumentCommand
{
    /// <summary>Tombstones of one command. Each costs the writer a few microseconds in three indexes and the heap; so many hold it for one to two
    /// milliseconds, and pay for the durable write of a command that comes alone.</summary>
    public const int TombstonesMax = 256;

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        documents.TrimTombstones(upTo, TombstonesMax);
        return WriteStatus.Applied;
    }
}
