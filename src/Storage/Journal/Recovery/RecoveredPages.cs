using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Pal;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;

namespace Jackdaw.Storage.Journal.Recovery;

/// <summary>Pages rebuilt by replay: each is read once from the data file, changed in scratch by every diff in order,
/// and checked once at the end. Opening thread.</summary>
/// <remarks>The base read from the data file may be torn by a flush that a crash interrupted: diffs are absolute bytes,
/// so all of them in order give the right page, even if the base is a mix of versions. The checksum inside the last diff proves it.
/// The loops over records are fully optimized at the first call: recovery is over before tiered compilation would do
/// it, and its counters cost a fifth of the time.</remarks>
internal sealed unsafe class RecoveredPages(ScratchPool pool, PalFile file, string storagePath, ulong salt)
{
    /// <summary>Number of records to look ahead, so that their pages are prefetched.</summary>
    private const int RecordsAhead = 8;

    private readonly PageAddresses _pages = new();
    private readonly Dictionary<long, PageHeader> _direct = []; // runs that the journals name, by their first pages

    /// <summary>Replays one entry's raw payload; false when the payload is not valid.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public bool TryReplay(byte* payload, long bytes, int freedCount, int pageCount, PageNumber next)
    {
        if (freedCount < 0 || pageCount < 0 || (long)freedCount * sizeof(long) > bytes)
        {
            return false;
        }

        for (int i = 0; i < freedCount; i++)
        {
            Drop(Unsafe.ReadUnaligned<long>(payload + ((long)i * sizeof(long))));
        }

        byte* records = payload + ((long)freedCount * sizeof(long));
        var reader = new PageRecordReader(records, payload + bytes, pageCount, next);
        PageRecordReader ahead = reader;
        for (int i = 0; i < RecordsAhead; i++)
        {
            Fetch(ref ahead);
        }

        while (reader.TryRead(out PageRecord record, out ReadOnlySpan<byte> data))
        {
            Fetch(ref ahead);
            if (!TryReplayPage(record, data, next))
            {
                return false;
            }
        }

        return reader.IsAtEnd;
    }

    /// <summary>Checks that the data file has the direct runs that are left, on all processors.</summary>
    /// <param name="dataFile">The data file.</param>
    /// <param name="next">First page number that is not in use.</param>
    /// <exception cref="CorruptedPageException">A run that the journal names is not there as it was written.</exception>
    public void CheckDirect(DataFile dataFile, PageNumber next)
    {
        foreach (PageHeader run in _direct.Values)
        {
            dataFile.Prefetch(run.PageNumber, Page.CountPages(run.OverflowBytes));
        }

        var damaged = new ConcurrentBag<(PageNumber Page, string Reason)>();
        Parallel.ForEach(_direct.Values, run =>
        {
            if (dataFile.FindDirectDamage(run, next) is { } reason)
            {
                damaged.Add((run.PageNumber, reason));
            }
        });
        if (!damaged.IsEmpty)
        {
            (PageNumber page, string reason) = damaged.MinBy(found => found.Page);
            throw new CorruptedPageException(storagePath, page, "a run that was written here, and that the journal names, is damaged: " + reason);
        }

        _direct.Clear();
    }

    /// <summary>Checks every page, on all processors, and hands it over with its memory.</summary>
    /// <exception cref="CorruptedPageException">A page does not have the checksum that was computed when it was
    /// written.</exception>
    public void HandOver(Action<PageNumber, int, nint> take)
    {
        if (FindDamaged() is { } damaged)
        {
            throw new CorruptedPageException(storagePath, damaged,
                "after replay of the journals it does not have the checksum it was written with, so its base in the data file is damaged");
        }

        foreach ((long number, nint address, int pages) in _pages.All)
        {
            take(new PageNumber(number), pages, address);
        }

        _pages.Clear();
    }

    /// <summary>The lowest damaged page; null when all are intact.</summary>
    private PageNumber? FindDamaged()
    {
        long lowest = long.MaxValue;
        var lowestLock = new Lock();
        Parallel.ForEach(_pages.All, recovered =>
        {
            if (!IsWhole(recovered.Number, (byte*)recovered.Address, recovered.Pages))
            {
                lock (lowestLock)
                {
                    lowest = Math.Min(lowest, recovered.Number);
                }
            }
        });
        return lowest == long.MaxValue ? null : new PageNumber(lowest);
    }

    private bool IsWhole(long number, byte* address, int pages)
    {
        var page = new Page(address);
        var pageNumber = new PageNumber(number);
        return page.Number == pageNumber && page.PageCount == pages
            && page.Header.Checksum == PageChecksum.Compute(address, pageNumber, pages, salt);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private bool TryReplayPage(in PageRecord record, ReadOnlySpan<byte> data, PageNumber next) => record.Kind switch
    {
        PageRecordKind.Diff => PageDiff.TryApply(data, GetOrLoad(record.PageNumber)),
        PageRecordKind.New => PageDiff.TryApply(data, Renew(record.PageNumber, 1)),
        PageRecordKind.Image => TryReplayImage(record.PageNumber, data, next),
        PageRecordKind.Direct => TryReplayDirect(record.PageNumber, data, next),
        _ => false,
    };

    private bool TryReplayImage(long number, ReadOnlySpan<byte> data, PageNumber next)
    {
        if (data.Length < PageHeader.SizeOf)
        {
            return false;
        }

        int overflowBytes = MemoryMarshal.Read<PageHeader>(data).OverflowBytes;
        bool isWhole = overflowBytes is >= 0 and <= Page.OverflowBytesMax && data.Length == PageHeader.SizeOf + overflowBytes;
        int pages = isWhole ? Page.CountPages(overflowBytes) : 0;
        if (pages == 0 || number > next.Value - pages)
        {
            return false;
        }

        data.CopyTo(new Span<byte>(Renew(number, pages), data.Length));
        return true;
    }

    private bool TryReplayDirect(long number, ReadOnlySpan<byte> data, PageNumber next)
    {
        if (data.Length != PageHeader.SizeOf)
        {
            return false;
        }

        PageHeader header = MemoryMarshal.Read<PageHeader>(data);
        bool isRun = header.PageNumber.Value == number && header.Type == PageType.Overflow && header.OverflowBytes is > 0 and <= Page.OverflowBytesMax;
        if (!isRun || number > next.Value - Page.CountPages(header.OverflowBytes))
        {
            return false;
        }

        Drop(number);
        _direct.Add(number, header);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private byte* GetOrLoad(long number)
    {
        if (_pages.Find(number) is not 0 and var known)
        {
            return (byte*)known;
        }

        // The file has what a direct run of one page was written with, or a later version of it.
        _direct.Remove(number);
        byte* page = pool.Rent(1);
        _pages.Add(number, (nint)page, 1);
        long read = file.Read(number * Page.Size, page, Page.Size);
        NativeMemory.Clear(page + read, (nuint)(Page.Size - read));
        return page;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private byte* Renew(long number, int pages)
    {
        Drop(number);
        byte* address = pool.Rent(pages);
        NativeMemory.Clear(address, (nuint)pages * Page.Size);
        _pages.Add(number, (nint)address, pages);
        return address;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Drop(long number)
    {
        if (_pages.Remove(number, out nint address, out int pages))
        {
            pool.Return((byte*)address, pages);
        }

        _direct.Remove(number);
    }

    /// <summary>Prefetches what the next record changes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Fetch(ref PageRecordReader ahead)
    {
        if (ahead.TryRead(out PageRecord record, out ReadOnlySpan<byte> data) && record.Kind == PageRecordKind.Diff
            && _pages.Find(record.PageNumber) is not 0 and var page)
        {
            PageDiff.Fetch(data, (byte*)page);
        }
    }
}
