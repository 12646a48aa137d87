using System.Diagnostics;
using Jackdaw.Pal;

namespace Jackdaw.Storage.Journal.Recovery;

/// <summary>Positions of the entries of other storages in journals that a recovery read completely and found intact.
/// Branches that are opened after their root read their own entries at these positions. Otherwise a hundred branches
/// would each scan the same files.</summary>
/// <remarks>It only saves time: entries found through it are read and checked like any other, and a branch scans a file
/// that is not in it. Not changed after the root was opened.</remarks>
internal sealed class JournalIndex
{
    private readonly Dictionary<Guid, IndexedJournal> _files = [];

    /// <summary>Highest number of a file in it; 0 when it is empty.</summary>
    public long NewestNumber { get; private set; }

    /// <summary>Adds a file that was read; numbers ascend.</summary>
    public void Add(long number, IndexedJournal file)
    {
        Debug.Assert(number > NewestNumber, "files are read in the order of their numbers");
        _files[file.Incarnation] = file;
        NewestNumber = number;
    }

    /// <summary>First blocks of the entries in a file that concern a storage, ascending; null when the file is not
    /// known.</summary>
    /// <param name="incarnation">Identity of this use of the file.</param> <param name="identity">The file itself: a
    /// copy has another identity.</param>
    /// <param name="storageId">The storage.</param>
    public List<long>? Find(Guid incarnation, FileIdentity identity, Guid storageId) =>
        _files.TryGetValue(incarnation, out IndexedJournal? file) && file.Identity == identity ? file.List(storageId) : null;
}

/// <summary>The entries of one file.</summary>
/// <param name="incarnation">Identity of this use of the file.</param> <param name="identity">Device and inode.</param>
internal sealed class IndexedJournal(Guid incarnation, FileIdentity identity)
{
    private readonly Dictionary<Guid, List<long>> _ofStorages = [];
    private readonly List<long> _ofAll = []; // footers and link records

    /// <summary>Identity of this use of the file.</summary>
    public Guid Incarnation => incarnation;

    /// <summary>Device and inode.</summary>
    public FileIdentity Identity => identity;

    /// <summary>Adds the next entry of the file.</summary>
    public void Add(in JournalEntryHeader entry)
    {
        if (!entry.IsTransaction)
        {
            _ofAll.Add(entry.Block);
            return;
        }

        if (!_ofStorages.TryGetValue(entry.StorageId, out List<long>? blocks))
        {
            _ofStorages.Add(entry.StorageId, blocks = []);
        }

        Debug.Assert(blocks.Count == 0 || blocks[^1] < entry.Block);
        blocks.Add(entry.Block);
    }

    /// <summary>Blocks of a storage's transactions and of entries that concern all storages, ascending.</summary>
    public List<long> List(Guid storageId)
    {
        List<long> blocks = [.. _ofStorages.GetValueOrDefault(storageId) ?? [], .. _ofAll];
        blocks.Sort();
        return blocks;
    }
}
