using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.FreeSpace;

/// <summary>Knows which parts of the data file may have no blocks. Guarded by the writer's lock, which the callers assert:
/// WriteTransaction and HolePuncher.PunchSlice.</summary>
/// <remarks>
/// The file is divided into units of <see cref="UnitPages"/> pages. States of a unit:
/// <code>
///            MarkPunched                      MarkPunched
/// has blocks ----------> punched    unknown ----------> punched
///      ^                    |          |
///      +------- Fill -------+          +--- Fill ---> has blocks
/// </code>
/// 1. All units that the file had when it was opened are unknown: nothing about holes is stored. Filling a unit that has
///    blocks changes nothing, nor does punching one that has none, so a wrong guess costs one system call.
/// 2. A page gets its blocks before it is taken, so that a full disk refuses a transaction, instead of failing the flush
///    of one that was acknowledged.
/// </remarks>
internal sealed class HoleMap
{
    private readonly DataFile _file;
    private ulong[] _mayLackBlocks;
    private ulong[] _punched = [];
    private long _punchedUnits;
    private bool _cannotFill;

    /// <param name="file">The data file.</param>
    /// <param name="unitPages">Pages per unit: a power of two, at most 512, so that no unit crosses a section's border.</param>
    public HoleMap(DataFile file, int unitPages)
    {
        Debug.Assert(int.IsPow2(unitPages) && FreeSpaceMap.SectionPages % unitPages == 0);
        _file = file;
        UnitPages = unitPages;
        long units = (file.AllocatedBytes + UnitBytes - 1) / UnitBytes;
        _mayLackBlocks = new ulong[(units + 63) / 64];
        Array.Fill(_mayLackBlocks, ulong.MaxValue);
    }

    /// <summary>Pages of a unit.</summary>
    public int UnitPages { get; }

    /// <summary>Units that this process punched and that were not filled since; any thread.</summary>
    public long PunchedUnits => Volatile.Read(ref _punchedUnits);

    private long UnitBytes => (long)UnitPages * Page.Size;

    /// <summary>True when the unit was punched and not used since.</summary>
    public bool IsPunched(long unit) => Get(_punched, unit);

    /// <summary>Records that units no longer have blocks.</summary>
    public void MarkPunched(long unit, long count)
    {
        MarkUnknown(unit, count);
        for (long i = unit; i < unit + count; i++)
        {
            _punchedUnits += Get(_punched, i) ? 0 : 1;
            Set(ref _punched, i);
        }
    }

    /// <summary>Records that units may have no blocks. Called before they are punched, so that the result of that call does
    /// not matter.</summary>
    public void MarkUnknown(long unit, long count)
    {
        for (long i = unit; i < unit + count; i++)
        {
            Set(ref _mayLackBlocks, i);
        }
    }

    /// <summary>Allocates blocks for the units of a run, where they may have none. Writer thread.</summary>
    /// <exception cref="DiskFullException">The disk has no room; nothing changed.</exception>
    public void Fill(PageNumber first, long count)
    {
        Debug.Assert(first.Value >= 0 && count > 0);
        long end = (first.Value + count - 1) / UnitPages;
        for (long unit = first.Value / UnitPages; unit <= end; unit++)
        {
            long lacking = unit;
            while (lacking <= end && Get(_mayLackBlocks, lacking))
            {
                lacking++;
            }

            if (lacking > unit)
            {
                FillUnits(unit, lacking - unit, first, count);
                unit = lacking;
            }
        }
    }

    /// <summary>Allocates blocks for all used units after a recovery: the next flush writes the recovered pages, and blocks
    /// that were allocated before the crash may be lost.</summary>
    /// <remarks>A full disk does not prevent opening: then the flush fails, and loses nothing either.</remarks>
    public void FillUsed(PageReader pages, PageNumber next)
    {
        for (long unit = 0, units = (next.Value + UnitPages - 1) / UnitPages; unit < units;)
        {
            long start = unit;
            while (unit < units && !IsFree(pages, next, unit))
            {
                unit++;
            }

            if (unit > start && !TryFillAll(start, unit - start))
            {
                return;
            }

            unit += unit == start ? 1 : 0;
        }
    }

    /// <summary>True when no page of the unit is in use in a state.</summary>
    /// <param name="pages">Pages of the state.</param>
    /// <param name="next">First page number that is not in use in it.</param>
    /// <param name="unit">Number of the unit.</param>
    public bool IsFree(PageReader pages, PageNumber next, long unit)
    {
        long page = unit * UnitPages;
        if (page + UnitPages > next.Value)
        {
            return page >= next.Value;
        }

        Page bitmap = pages.GetPage(FreeSpaceMap.BitmapOf(page / FreeSpaceMap.SectionPages));
        return FreeSpaceMap.IsFree(bitmap, (int)(page % FreeSpaceMap.SectionPages), UnitPages);
    }

    private static bool Get(ulong[] bits, long unit) => unit / 64 < bits.Length && (bits[unit / 64] & (1UL << (int)(unit % 64))) != 0;

    private static void Set(ref ulong[] bits, long unit)
    {
        if (unit / 64 >= bits.Length)
        {
            Array.Resize(ref bits, (int)Math.Max((unit / 64) + 1, bits.Length * 2L));
        }

        bits[unit / 64] |= 1UL << (int)(unit % 64);
    }

    private void FillUnits(long unit, long units, PageNumber first, long count)
    {
        try
        {
            TryFill(new PageNumber(unit * UnitPages), units * UnitPages);
        }
        catch (DiskFullException)
        {
            // There is no space for whole units; there may be for the needed pages. The units stay marked for the next
            // run.
            TryFill(first, count);
            return;
        }

        Clear(unit, units);
    }

    private bool TryFillAll(long unit, long units)
    {
        try
        {
            TryFill(new PageNumber(unit * UnitPages), units * UnitPages);
        }
        catch (DiskFullException)
        {
            return false;
        }

        Clear(unit, units);
        return true;
    }

    private void TryFill(PageNumber first, long pages)
    {
        if (_cannotFill)
        {
            return;
        }

        try
        {
            _file.FillHole(first, pages);
        }
        catch (PalException e) when (e.Status == PalStatus.NotSupported)
        {
            _cannotFill = true; // Nothing is punched on such a volume: see HolePuncher.
        }
    }

    private void Clear(long unit, long units)
    {
        for (long i = unit; i < unit + units; i++)
        {
            ulong kept = ~(1UL << (int)(i % 64));
            if (i / 64 < _mayLackBlocks.Length)
            {
                _mayLackBlocks[i / 64] &= kept;
            }

            if (Get(_punched, i))
            {
                _punched[i / 64] &= kept;
                _punchedUnits--;
                Debug.Assert(_punchedUnits >= 0);
            }
        }
    }
}
