using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Journal.Recovery;

/// <summary>Finds the transactions after the last sync in the journals of one storage and replays them into scratch.
/// Opening thread.</summary>
/// <remarks>
/// 1. Files are read in order of their numbers from the one that the header names; entries are skipped from header to
///    header.
/// 2. Entries up to the synced transaction are not validated: they are not needed.
/// 3. The storage's own transaction ids must be contiguous, each naming the hash of its predecessor. A gap is damage.
/// 4. Where there is no valid entry, the rest of the file is searched for one in 4 KB steps. If there is none, the file
/// ends there (a torn last write). If the next entry of this storage follows the gap, that is damage. Entries of other
/// storages have no influence.
/// 5. A footer that names a transaction which was not found proves that an acknowledged one is lost: damage. Footers of
/// the storage that shares its journals name its branches.
/// 6. Nothing new is written: recovered pages are scratch pages like those of any commit, and the ordinary flush writes
/// them. So recovery can be interrupted at any point and run again. The last entry is written once more:
/// <see cref="LastEntry"/>.
/// 7. A branch whose root is open reads its entries where the root's recovery has found them
///    (<see cref="JournalIndex"/>).
/// 8. Direct runs are not in the journals: those that are still in use at the end must be in the data file.
/// 9. Other processors decode payloads and clear memory in advance, and check the pages at the end. All calls of the
/// platform come from this thread, in the same order each time.
/// </remarks>
internal sealed unsafe class JournalRecovery : IDisposable
{
    private readonly IPlatform _platform;
    private readonly JournalFolder _folder;
    private readonly StorageHeader _header;
    private readonly string _storagePath;
    private readonly RecoveredPages _pages;
    private readonly ReplayQueue _replay;
    private readonly LastEntry _last;
    private readonly AlignedBuffer _footer = new(JournalFormat.BlockSize);
    private readonly int _thread = Environment.CurrentManagedThreadId;
    private long _lastNumber;
    private long _lastTransaction;
    private ulong _lastHash;

    public JournalRecovery(IPlatform platform, JournalFolder folder, StorageHeader header, string storagePath, ScratchPool scratch, PalFile data)
    {
        _platform = platform;
        _folder = folder;
        _header = header;
        _storagePath = storagePath;
        _pages = new RecoveredPages(scratch, data, storagePath, header.Salt);
        _replay = new ReplayQueue(_pages, storagePath);
        _last = new LastEntry(platform, storagePath);
        _lastTransaction = header.SyncedTransaction;
        _lastHash = header.SyncedEntryHash;
        Root = header.Root;
        NextPage = header.NextPage;
    }

    /// <summary>Last transaction found.</summary>
    public long LastTransaction => _lastTransaction;

    /// <summary>Its root tree.</summary>
    public TreeHeader Root { get; private set; }

    /// <summary>Its next page number.</summary>
    public PageNumber NextPage { get; private set; }

    /// <summary>Payload hash of its entry.</summary>
    public ulong LastEntryHash => _lastHash;

    /// <summary>Highest journal number that was ever used, as far as folder and header show.</summary>
    public long NewestNumber { get; private set; }

    /// <summary>Regions that were skipped, for the operator.</summary>
    public List<string> Warnings { get; } = [];

    /// <summary>Links that branches had to the journals when they wrote to them.</summary>
    public List<FoundLink> Links { get; } = [];

    /// <summary>Receives the positions of entries of branches in the intact files; null for a branch, which has
    /// none.</summary>
    public JournalIndex? Index { get; init; }

    /// <summary>What the recovery of the root knows of the files that it shares; null for a storage that is opened
    /// alone.</summary>
    public JournalIndex? Known { get; init; }

    /// <summary>Called with the bytes read so far and the total bytes.</summary>
    public Action<long, long>? Progress { get; set; }

    /// <summary>Entries replayed.</summary>
    public long EntriesReplayed { get; private set; }

    /// <summary>Reads all journals.</summary>
    /// <exception cref="CorruptedJournalException">An acknowledged transaction is missing or damaged.</exception>
    public void Run()
    {
        List<long> numbers = _folder.ListNumbers();
        NewestNumber = Math.Max(Math.Max(_header.NewestJournal, _header.SyncedJournal - 1), numbers.Count > 0 ? numbers[^1] : 0);
        List<long> unread = FindGaps(numbers);
        foreach (long number in numbers)
        {
            ReadFile(number, unread);
        }

        _replay.Complete();
        CheckUnread(unread, long.MaxValue, long.MaxValue);
        Invariant.Check(unread.Count == 0, "a journal that could not be read was not checked");
        _last.Secure();
        Invariant.Check(_lastTransaction >= _header.SyncedTransaction, "recovery ended before the synced transaction");
    }

    /// <summary>Checks the recovered pages, and the runs that are only named by the journals, and hands the pages over.</summary>
    public void HandOver(DataFile dataFile, Action<PageNumber, int, nint> take)
    {
        _pages.CheckDirect(dataFile, NextPage);
        _pages.HandOver(take);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _replay.Dispose();
        _footer.Dispose();
    }

    /// <summary>The first number of each gap of missing files among those that may hold transactions to
    /// replay.</summary>
    private List<long> FindGaps(List<long> numbers)
    {
        List<long> gaps = [];
        long expected = Math.Max(1, _header.SyncedJournal);
        foreach (long number in numbers.Where(number => number >= expected).Append(long.MaxValue))
        {
            if (number > expected && expected <= _header.NewestJournal)
            {
                gaps.Add(expected);
            }

            expected = number + 1;
        }

        return gaps;
    }

    private void ReadFile(long number, List<long> unread)
    {
        Invariant.Check(number > _lastNumber, "journals are read out of order");
        Debug.Assert(Environment.CurrentManagedThreadId == _thread, "only the opening thread calls the platform");
        _lastNumber = number;
        string path = _folder.PathOf(number);
        using PalFile file = _platform.OpenFile(path, FileOpening.Existing, FileUse.ReadOnly);
        bool isNeeded = number >= _header.SyncedJournal;
        bool read = TryReadHeader(file, path, isNeeded, out JournalFileHeader header);
        if (read && header.IsWhole && header.Version > JournalFileHeader.FormatVersion)
        {
            throw new NotSupportedException(
                $"The journal '{path}' has format {header.Version}; this version of Jackdaw reads up to {JournalFileHeader.FormatVersion}.");
        }

        // The header of a shared file has the root's number; the branch's own number is only in the name of its link.
        bool isPlaced = header.Number == number || header.StorageId != _header.StorageId;
        bool whole = read && header.IsWhole && isPlaced && header.Blocks is > 0 and <= long.MaxValue / JournalFormat.BlockSize;
        long length = file.GetLength();
        if (whole && isNeeded)
        {
            ReadEntries(file, path, number, header, length, unread);
            CheckLength(path, number, header, length, unread);
        }
        else if (!whole && isNeeded)
        {
            Warnings.Add($"The header record of '{path}' is damaged; its entries cannot be read.");
            unread.Add(number);
        }

        // Not more than its actual size: the file may be reused with this size, and a journal that is shorter than its
        // record says was truncated.
        long blocks = Math.Min(whole ? header.Blocks : long.MaxValue, length / JournalFormat.BlockSize);
        var closed = new JournalFile(number, path, null, header.Incarnation, blocks) { LastTransaction = _lastTransaction };
        closed.Close();
        _folder.Add(closed);
    }

    private bool TryReadHeader(PalFile file, string path, bool isNeeded, out JournalFileHeader header)
    {
        try
        {
            return JournalFileHeader.TryRead(file, out header);
        }
        catch (PalException e) when (!isNeeded && e.Status == PalStatus.IoError)
        {
            Warnings.Add($"'{path}' cannot be read ({e.Message}). Nothing in it is needed, but check the disk.");
            header = default;
            return false;
        }
    }

    /// <summary>A file has its full length before it has its name, so a shorter one was truncated, and entries may be
    /// missing.</summary>
    private void CheckLength(string path, long number, in JournalFileHeader header, long length, List<long> unread)
    {
        if (length < header.Blocks * JournalFormat.BlockSize)
        {
            Warnings.Add($"'{path}' has {length} bytes instead of {header.Blocks * JournalFormat.BlockSize}: it was truncated.");
            unread.Add(number);
        }
    }

    private void ReadEntries(PalFile file, string path, long number, in JournalFileHeader fileHeader, long fileBytes, List<long> unread)
    {
        long length = Math.Min(fileBytes, fileHeader.Blocks * JournalFormat.BlockSize);
        long blocks = length / JournalFormat.BlockSize;
        var scan = new JournalScan(file, fileHeader.Incarnation, blocks);
        List<long>? known = Known?.Find(fileHeader.Incarnation, file.Identity, _header.StorageId);
        if (known is not null && TryReadKnown(scan, path, number, known, unread))
        {
            Progress?.Invoke(length, length);
        }
        else
        {
            Scan(scan, new IndexedJournal(fileHeader.Incarnation, file.Identity), path, number, blocks, unread);
        }
    }

    /// <summary>Reads the entries where the root's recovery has found them; false when the file has changed since. The
    /// following scan skips the entries taken until then.</summary>
    private bool TryReadKnown(JournalScan scan, string path, long number, List<long> known, List<long> unread)
    {
        foreach (long block in known)
        {
            if (!scan.TryReadEntry(block, out JournalEntryHeader entry))
            {
                return false;
            }

            TryAccept(scan, path, number, entry, unread);
        }

        return true;
    }

    private void Scan(JournalScan scan, IndexedJournal index, string path, long number, long blocks, List<long> unread)
    {
        bool isWhole = true;
        for (long block = 1; block < blocks;)
        {
            long found = scan.FindEntry(block, out JournalEntryHeader entry);
            if (found < 0)
            {
                break;
            }

            if (found != block)
            {
                isWhole = false;
                Warnings.Add($"'{path}': blocks {block} to {found - 1} hold no valid entry and were skipped.");
            }

            bool accepted = TryAccept(scan, path, number, entry, unread);
            isWhole &= accepted;
            bool isForBranches = !entry.IsTransaction || entry.StorageId != _header.StorageId;
            if (Index is not null && isForBranches)
            {
                index.Add(entry);
            }

            block = accepted ? found + entry.BlockCount : found + 1;
            Progress?.Invoke(block * JournalFormat.BlockSize, blocks * JournalFormat.BlockSize);
        }

        if (isWhole)
        {
            Index?.Add(number, index);
        }
    }

    /// <summary>Handles an entry; false when it is a transaction of this storage whose payload is damaged.</summary>
    private bool TryAccept(JournalScan scan, string path, long number, in JournalEntryHeader entry, List<long> unread) =>
        TryPass(scan, path, entry) || TryTake(scan, path, number, entry, unread);

    /// <summary>True for an entry that is not a transaction of this storage. It is skipped, after checking what a footer says
    /// about this storage.</summary>
    private bool TryPass(JournalScan scan, string path, in JournalEntryHeader entry)
    {
        bool isOwn = entry.StorageId == _header.StorageId;
        if (entry.IsTransaction)
        {
            return !isOwn;
        }

        if ((entry.Flags & JournalEntryOptions.Links) != 0)
        {
            NoteLinks(scan, path, entry);
            return true;
        }

        if (isOwn)
        {
            NoteDurable(entry.TransactionId, path, entry.Block);
        }

        foreach (DurableBranch branch in ReadFooter(scan, entry))
        {
            if (branch.StorageId == _header.StorageId)
            {
                NoteDurable(branch.Transaction, path, entry.Block);
            }
        }

        return true;
    }

    /// <summary>Keeps the records of this storage's branches. A damaged one loses no data: the records are only a
    /// second safeguard.</summary>
    private void NoteLinks(JournalScan scan, string path, in JournalEntryHeader entry)
    {
        byte* payload = entry.StorageId == _header.StorageId ? scan.ReadPayload(entry, _footer) : null;
        if (payload != null)
        {
            List<LinkRecord> records = LinkRecord.ReadAll(new ReadOnlySpan<byte>(payload, (int)entry.StoredBytes));
            Links.AddRange(records.Select(record => new FoundLink(record, path)));
        }
    }

    /// <summary>The branches that a footer names; none when it is damaged, because it only confirms what the entries
    /// say.</summary>
    private ReadOnlySpan<DurableBranch> ReadFooter(JournalScan scan, in JournalEntryHeader entry)
    {
        bool isFooter = entry.StoredBytes > 0 && entry.StoredBytes <= FooterEntry.BranchesMax * DurableBranch.SizeOf;
        byte* payload = isFooter ? scan.ReadPayload(entry, _footer) : null;
        return payload == null ? [] : new ReadOnlySpan<DurableBranch>(payload, (int)(entry.StoredBytes / DurableBranch.SizeOf));
    }

    /// <summary>Handles a transaction of this storage; false when its payload is damaged, so that the search continues
    /// after its header.</summary>
    private bool TryTake(JournalScan scan, string path, long number, in JournalEntryHeader entry, List<long> unread)
    {
        if (entry.TransactionId <= _lastTransaction)
        {
            return true;
        }

        CheckUnread(unread, number, entry.TransactionId);
        CheckNotLost(entry.TransactionId - 1, path, entry.Block);
        ReplayEntry next = _replay.Rent();
        if (scan.ReadPayload(entry, next.Stored) == null)
        {
            _replay.Return(next);
            return false;
        }

        if (entry.PreviousHash != _lastHash)
        {
            throw new CorruptedJournalException(_storagePath,
                $"transaction {entry.TransactionId} in '{path}' block {entry.Block} does not follow the transaction before it. {Advice}");
        }

        Invariant.Check(entry.TransactionId == _lastTransaction + 1, "a transaction is replayed out of order");
        _replay.Add(next, entry, path);
        _last.OnTaken(entry, path);
        _lastTransaction = entry.TransactionId;
        _lastHash = entry.PayloadHash;
        Root = entry.Root;
        NextPage = entry.NextPage;
        EntriesReplayed++;
        return true;
    }

    private void NoteDurable(long transaction, string path, long block)
    {
        CheckNotLost(transaction, path, block);
        _last.OnDurable(transaction);
    }

    private void CheckNotLost(long transaction, string path, long block)
    {
        if (transaction > _lastTransaction)
        {
            throw new CorruptedJournalException(_storagePath,
                $"transaction {_lastTransaction + 1} is missing although '{path}' block {block} proves that transaction {transaction} was durable. {Advice}");
        }
    }

    /// <summary>Decides whether a file that cannot be read matters. It does not when the next transaction in a later
    /// file follows the last one found, nor after a clean stop: then no needed transaction was in it.</summary>
    private void CheckUnread(List<long> unread, long reader, long nextTransaction)
    {
        long first = unread.Find(number => number < reader);
        if (first == 0)
        {
            return;
        }

        bool closedCleanly = (_header.Flags & StorageHeader.ClosedCleanly) != 0 && nextTransaction == long.MaxValue;
        if (!closedCleanly && nextTransaction != _lastTransaction + 1)
        {
            throw new CorruptedJournalException(_storagePath,
                $"journal {JournalFormat.FileName(first)} is missing, truncated or unreadable and may hold transactions after {_lastTransaction}. {Advice}");
        }

        Warnings.Add($"Journal {JournalFormat.FileName(first)} is missing, truncated or unreadable; all its transactions were found elsewhere.");
        unread.RemoveAll(number => number < reader);
    }

    internal static string Advice =>
        "Nothing was changed on disk. Restore the missing or damaged file if you have it, or the whole folder from a backup.";
}
