using System.Diagnostics;
using System.Runtime.InteropServices;
using Jackdaw.Pal;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;

namespace Jackdaw.Storage.Transactions;

/// <content>Runs that are written to the data file at once, and that the journal only names (decision 0079).</content>
public sealed unsafe partial class WriteTransaction
{
    /// <summary>Bytes that are written before they are synced. What is on its way to the disk at once is what commits of others wait for: a
    /// commit beside 64 MB waited for up to 24 ms with one sync, and 6 ms with one for each 4 to 16 MB, which took no longer together.</summary>
    private const long SliceBytesMax = 8L << 20;

    private List<PageNumber>? _reserved; // direct runs whose contents are in scratch
    private long _unsyncedBytes;

    /// <inheritdoc/>
    public override Page AllocateDirect(int overflowBytes, uint ownerTag)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(overflowBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(overflowBytes, Page.OverflowBytesMax);
        Debug.Assert(!_ended);
        int pages = Page.CountPages(overflowBytes);
        PageNumber settled = _freeSpace.TryTakeSettled(this, pages);
        Page run = Create(settled.IsNone ? TakeAtEnd(pages) : settled, PageType.Overflow, ownerTag, overflowBytes);
        Modified.Find(run.Number).Way = PageWay.Direct;
        (_reserved ??= []).Add(run.Number);
        return run;
    }

    /// <summary>Writes the direct runs that were reserved so far to the data file, and returns their memory: for transactions with more of them
    /// than memory should hold. Submitting writes the others. All values are complete, and none is written to afterwards.</summary>
    /// <exception cref="DiskFullException">The disk has no room: the transaction must be rolled back.</exception>
    /// <exception cref="ResourceShortageException">No file descriptor is left: the same.</exception>
    /// <exception cref="StoragePoisonedException">The write failed: the storage must be opened again.</exception>
    public void WriteDirectRuns()
    {
        Debug.Assert(!_ended);
        if (_reserved is not { Count: > 0 })
        {
            return;
        }

        long started = Stopwatch.GetTimestamp();
        List<PalPageWrite> writes = ListWrites(_reserved);
        for (int done = 0; done < writes.Count;)
        {
            int count = CountInSlice(writes, done);
            WriteSlice(writes, done, count);
            done += count;
            if (done < writes.Count || _unsyncedBytes >= SliceBytesMax)
            {
                SyncWritten();
            }
        }

        _reserved.Clear();
        Modified.Direct.CountTime(Stopwatch.GetElapsedTime(started));
    }

    /// <summary>Makes all direct runs durable: an entry may name them afterwards.</summary>
    private void SecureDirectRuns()
    {
        WriteDirectRuns();
        if (!Modified.Direct.AreDurable)
        {
            long started = Stopwatch.GetTimestamp();
            SyncWritten();
            Modified.Direct.CountTime(Stopwatch.GetElapsedTime(started));
        }
    }

    private void SyncWritten()
    {
        WriteOrStop(_dataFile.SyncDirect);
        Modified.Direct.OnSynced();
        _unsyncedBytes = 0;
    }

    /// <summary>Writes that go to the system together: one at least, and others up to the size of a slice.</summary>
    private static int CountInSlice(List<PalPageWrite> writes, int first)
    {
        int end = first + 1;
        for (long bytes = writes[first].Length; end < writes.Count && bytes + writes[end].Length <= SliceBytesMax; end++)
        {
            bytes += writes[end].Length;
        }

        return end - first;
    }

    private void WriteSlice(List<PalPageWrite> writes, int first, int count)
    {
        WriteOrStop(() => _dataFile.WriteDirect(CollectionsMarshal.AsSpan(writes).Slice(first, count)));
        for (int i = first; i < first + count; i++)
        {
            OnWritten(new PageNumber(writes[i].Offset / Page.Size));
            _unsyncedBytes += writes[i].Length;
        }
    }

    /// <summary>The runs that are still to be written, sealed, in the order of their places.</summary>
    private List<PalPageWrite> ListWrites(List<PageNumber> reserved)
    {
        reserved.Sort();
        List<PalPageWrite> writes = [];
        foreach (PageNumber first in reserved)
        {
            ref ModifiedPages.Entry entry = ref Modified.Find(first);
            if (entry.Way == PageWay.Direct)
            {
                var run = new Page(entry.Current);
                Invariant.Check(run.Number == first && run.PageCount == entry.Pages, "a direct run lost its own number");
                Invariant.Check(run.Header.LastTransactionId == TransactionId, "a direct run is another transaction's");
                _dataFile.Seal(run);
                writes.Add(new PalPageWrite { Base = run.Address, Offset = first.Offset, Length = (long)entry.Pages * Page.Size });
            }
        }

        return writes;
    }

    private void OnWritten(PageNumber first)
    {
        ref ModifiedPages.Entry entry = ref Modified.Find(first);
        Modified.Direct.Add(new Page(entry.Current).Header);
        _scratch.Return(entry.Current, entry.Pages);
        ScratchBytes -= (long)entry.Pages * Page.Size;
        entry.Current = _dataFile.AddressOf(first);
        entry.Way = PageWay.Written;
    }

    /// <summary>A direct run that was written and changes again goes through the journal: the file may have its last content durably, or not.</summary>
    private Page TakeBack(ref ModifiedPages.Entry entry)
    {
        long bytes = (long)entry.Pages * Page.Size;
        byte* copy = Rent(entry.Pages);
        Buffer.MemoryCopy(entry.Current, copy, bytes, bytes);
        entry.Current = copy;
        entry.Way = PageWay.Journal;
        Modified.Direct.Remove(entry.Number);
        Debug.Assert(entry.IsNew);
        return new Page(copy);
    }

    /// <summary>Writes or syncs. What fails for want of something leaves a transaction to roll back; after any other failure nobody knows what the
    /// file has, as after a failed flush.</summary>
    private void WriteOrStop(Action write)
    {
        _writer.ThrowIfFailed();
        try
        {
            write();
        }
        catch (Exception e) when (e is not (DiskFullException or ResourceShortageException))
        {
            throw _writer.Fail(e);
        }
    }
}
