using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Flushing;

/// <summary>Gives the blocks of free pages back to the file system. Flush thread, under the flusher's lock.</summary>
/// <remarks>
/// A unit of pages (<see cref="HoleMap"/>) is punched when all of this holds at one moment:
/// 1. It is free in the state that is flushed and synced: the transaction that freed it is durable, and no page of it
///    will be flushed.
/// 2. Both copies of the header are at that state: no recovery begins before it, whichever copy is lost.
/// 3. No reader is older: that state was flushed only after the last older reader had ended, and later readers see it
///    or a newer one. Not asserted, because a reader that begins may name an older state for a moment
///    (<c>HolePuncherTests</c>, <c>HoleCrashTests</c>).
/// 4. It is free in the newest state too, and no write transaction is open or being written. The writer cannot begin one at that moment, so the
/// unit cannot be taken between the check and the punch. The unit is marked before it is
///    punched: a transaction that takes it later allocates its blocks first.
/// 5. No page of it was freed after that state: a direct run that was written and freed since may still have a reader.
/// </remarks>
internal sealed class HolePuncher
{
    /// <summary>Bytes punched in one hold of the writer's lock: a few milliseconds, about as long as its journal
    /// write.</summary>
    private const long SliceBytesMax = 32L << 20;

    private readonly IFlushedStorage _storage;
    private readonly HoleMap _holes;
    private readonly FreeSpaceMap _freeSpace;
    private long _nextUnit; // where the next search begins
    private long _units; // where it ends
    private bool _isDue;
    private bool _isProbed;
    private bool _isStopped;

    /// <param name="storage">The storage.</param>
    /// <param name="holes">Its holes.</param>
    /// <param name="freeSpace">Its free pages, guarded by the writer's lock.</param>
    /// <param name="isClean">True when the data file holds the synced state alone. After a crash it may hold parts of
    /// an interrupted flush: nothing is punched before the next sync.</param>
    public HolePuncher(IFlushedStorage storage, HoleMap holes, FreeSpaceMap freeSpace, bool isClean)
    {
        _freeSpace = freeSpace;
        _storage = storage;
        _holes = holes;
        _isDue = isClean;
    }

    /// <summary>Why free space is no longer given back; null while it is. Can be read on any thread.</summary>
    public Exception? Refusal { get; private set; }

    /// <summary>Is called when a new state is synced, in which units may have become free.</summary>
    public void OnSynced()
    {
        _isDue = !_isStopped;
        _nextUnit = 0;
    }

    /// <summary>Punches some of the units that may be punched.</summary>
    /// <param name="synced">The state that the data file holds, all of it and nothing later, and that the header names.</param>
    /// <exception cref="StoragePoisonedException">The header could not be written.</exception>
    public PunchResult PunchSome(EnvironmentState synced)
    {
        if (!_isDue)
        {
            return PunchResult.Done;
        }

        Debug.Assert(!_isStopped);
        var inFile = new DataFileReader(_storage.DataFile, synced.NextPage);
        _units = _nextUnit == 0 ? CountUnits(inFile, synced.NextPage) : _units;
        _nextUnit = FindNext(inFile, synced.NextPage, _nextUnit);
        if (_nextUnit >= _units)
        {
            _isDue = false;
            return PunchResult.Done;
        }

        CoverBothHeaders(synced.TransactionId);
        if (!_storage.Writer.TryWhileAtRest((newest, next) => PunchSlice(inFile, synced.NextPage, newest, next)))
        {
            return PunchResult.WriterIsBusy;
        }

        return _isDue ? PunchResult.More : PunchResult.Done;
    }

    /// <summary>Units to consider: those in use, and those allocated ahead if that is less than what is free among the
    /// ones in use, so that they will not be needed soon.</summary>
    private long CountUnits(DataFileReader inFile, PageNumber next)
    {
        long free = 0;
        for (long section = 0; FreeSpaceMap.BitmapOf(section) < next; section++)
        {
            free += inFile.GetPage(FreeSpaceMap.BitmapOf(section)).Header.Count;
        }

        long allocated = _storage.DataFile.AllocatedBytes / Page.Size;
        return (allocated - next.Value < free ? allocated : next.Value) / _holes.UnitPages;
    }

    /// <summary>The next unit that is free in the file and not punched; skips sections without room for one.</summary>
    private long FindNext(DataFileReader inFile, PageNumber next, long unit)
    {
        long unitsPerSection = FreeSpaceMap.SectionPages / _holes.UnitPages;
        while (unit < _units)
        {
            PageNumber bitmap = FreeSpaceMap.BitmapOf(unit / unitsPerSection);
            if (bitmap < next && unit * _holes.UnitPages < next.Value && inFile.GetPage(bitmap).Header.Count < _holes.UnitPages)
            {
                unit = Math.Min(((unit / unitsPerSection) + 1) * unitsPerSection, (next.Value + _holes.UnitPages - 1) / _holes.UnitPages);
                continue;
            }

            if (!_holes.IsPunched(unit) && _holes.IsFree(inFile, next, unit))
            {
                return unit;
            }

            unit++;
        }

        return _units;
    }

    private void CoverBothHeaders(long synced)
    {
        try
        {
            _storage.Headers.CoverBothCopies(synced);
        }
        catch (Exception e)
        {
            throw _storage.Health.Fail(e);
        }
    }

    /// <summary>The caller holds the writer's lock, and no transaction is in progress.</summary>
    private void PunchSlice(DataFileReader inFile, PageNumber next, PageReader newest, PageNumber newestNext)
    {
        Debug.Assert(_storage.Writer.Lock.IsHeldByCurrentThread);
        Debug.Assert(!_storage.Writer.IsWriting);
        Debug.Assert(newestNext >= next, "pages in use are never taken back from the end");
        _storage.Writer.SettleFreeSpace();
        long unitsLeft = Math.Max(1, SliceBytesMax / ((long)_holes.UnitPages * Page.Size));
        while (unitsLeft > 0 && _isDue)
        {
            long first = FindNext(inFile, next, _nextUnit);
            long end = first;
            while (end < _units && end - first < unitsLeft && !_holes.IsPunched(end)
                && _holes.IsFree(inFile, next, end) && _holes.IsFree(newest, newestNext, end)
                && !_freeSpace.HasUnsettled(new PageNumber(end * _holes.UnitPages), _holes.UnitPages))
            {
                end++;
            }

            if (end > first)
            {
                unitsLeft -= end - first;
                Debug.Assert(unitsLeft >= 0);
                TryPunch(first, end - first);
            }

            // A unit that was taken since the sync is skipped until after another sync.
            _nextUnit = Math.Max(end, first + 1);
            _isDue = _isDue && _nextUnit < _units;
        }
    }

    private void TryPunch(long unit, long count)
    {
        Debug.Assert(unit >= 0 && count > 0 && unit + count <= _units);
        var first = new PageNumber(unit * _holes.UnitPages);
        long pages = count * _holes.UnitPages;
        _holes.MarkUnknown(unit, count);
        try
        {
            Probe(first, pages);
            _storage.DataFile.PunchHole(first, pages);
            _holes.MarkPunched(unit, count);
            Refusal = null;
        }
        catch (Exception e) when (e is PalException or DiskFullException)
        {
            // Free pages hold nothing, so nothing is lost, no matter what the call did. If the disk was full for the file
            // system's own records, punching is tried again after the next sync; if it fails or is not supported, not
            // until the storage is opened again.
            Refusal = e;
            _isDue = false;
            _isStopped = e is not DiskFullException and not PalException { IsDiskFull: true };
        }
    }

    /// <summary>Space that could not be allocated again is not given back. Where these pages have their blocks, this
    /// only tests the call and changes nothing.</summary>
    private void Probe(PageNumber first, long pages)
    {
        if (_isProbed)
        {
            return;
        }

        try
        {
            _storage.DataFile.FillHole(first, pages);
        }
        catch (DiskFullException)
        {
            // They are holes of an earlier process; the volume supports filling them and only lacks space, which
            // punching the others provides.
        }

        _isProbed = true;
    }

    /// <summary>Pages as they are in the data file.</summary>
    private sealed class DataFileReader(DataFile file, PageNumber next) : PageReader
    {
        public override Page GetPage(PageNumber number)
        {
            Debug.Assert(number < next, "pages beyond the synced state are not checked");
            return file.Read(number, next);
        }
    }
}
