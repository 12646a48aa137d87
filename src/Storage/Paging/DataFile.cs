using System.Diagnostics;
using Jackdaw.Pal;

namespace Jackdaw.Storage.Paging;

/// <summary>The data file of a storage: read through a mapping, written through file calls. Any thread reads.</summary>
/// <remarks>
/// 1. The mapping is read-only: a wrong write faults instead of corrupting, and only write and sync calls can fail.
/// 2. It is reserved far larger than the file, so growth does not move it. When the reserve is used up a larger mapping
///    is added and the old ones stay until the file is closed: their number is the logarithm of the size.
/// 3. The kernel reads nothing ahead of a missing page; <c>DataFile.ReadAhead.cs</c> does (decision 0065).
/// 4. A page's checksum is verified at its first touch in this process; a page that we wrote ourselves is known good.
/// 5. Flushes write to it, and the writer writes direct runs (<c>DataFile.Direct.cs</c>), to pages that nobody uses.
/// </remarks>
public sealed unsafe partial class DataFile : IDisposable
{
    /// <summary>Name inside the storage's folder.</summary>
    public const string FileName = "data";

    /// <summary>Smallest reserve of address space; free of cost where the address space is not limited.</summary>
    private const long ReserveBytesMin = 64L * 1024 * 1024 * 1024;

    /// <summary>Growth steps: a quarter of the file, so that growth is rare, within bounds that neither waste a small
    /// disk nor stall the writer on a large allocation.</summary>
    private const long GrowthBytesMin = 1024 * 1024;
    private const long GrowthBytesMax = 1024 * 1024 * 1024;

    private readonly PalFile _file;
    private readonly Func<string> _findStoragePath;
    private readonly ulong _salt;
    private readonly List<PalMapping> _mappings = [];
    private readonly VerifiedPages _verified = new();
    private volatile PalMapping? _mapping;
    private byte* _base;
    private long _reservedBytes;
    private long _allocatedBytes;

    /// <param name="file">The file; owned from now on.</param>
    /// <param name="findStoragePath">Returns the current folder of the storage, for messages.</param>
    /// <param name="salt">Salt of the page checksums.</param>
    /// <param name="makeRoom">Called when the disk is full; true when space was freed and another try may succeed.</param>
    public DataFile(PalFile file, Func<string> findStoragePath, ulong salt, Func<bool> makeRoom)
    {
        _file = file;
        _findStoragePath = findStoragePath;
        MakeRoom = makeRoom;
        _salt = salt;
        _allocatedBytes = file.GetLength();
        AddMapping(_allocatedBytes);
    }

    /// <summary>Folder of the storage, for messages.</summary>
    public string StoragePath => _findStoragePath();

    /// <summary>Bytes of the file.</summary>
    public long AllocatedBytes => Volatile.Read(ref _allocatedBytes);

    /// <summary>Mappings held, for statistics.</summary>
    public int MappingCount
    {
        get
        {
            lock (_mappings)
            {
                return _mappings.Count;
            }
        }
    }

    /// <summary>The page as the file has it, verified once per process.</summary>
    /// <param name="number">A page below <paramref name="next"/>.</param>
    /// <param name="next">First page number that is not in use in the caller's snapshot.</param>
    public Page Read(PageNumber number, PageNumber next)
    {
        if ((ulong)number.Value >= (ulong)next.Value || number.IsNone)
        {
            throw new CorruptedPageException(StoragePath, number, $"a reference leads outside the {next} pages in use");
        }

        byte* address = _base + number.Offset;
        if (!_verified.Contains(number))
        {
            Verify(new Page(address), number, next);
        }

        return new Page(address);
    }

    /// <summary>Called when the disk is full; true when space was freed and another try may succeed.</summary>
    public Func<bool> MakeRoom { get; }

    /// <summary>Makes sure that the pages below <paramref name="next"/> have real blocks. Writer thread.</summary>
    /// <exception cref="DiskFullException">The disk has no room; nothing changed.</exception>
    public void EnsurePages(PageNumber next)
    {
        long needed = next.Offset;
        if (needed <= _allocatedBytes)
        {
            return;
        }

        long step = Math.Clamp(_allocatedBytes / 4, GrowthBytesMin, GrowthBytesMax);
        long target = Math.Max(needed, _allocatedBytes + step);
        target = (target + GrowthBytesMin - 1) / GrowthBytesMin * GrowthBytesMin;
        TakeSpace(() => AllocateUpTo(needed, target));
        Invariant.Check(_allocatedBytes >= needed, "a page is handed out that has no place in the data file");
    }

    /// <summary>Gives the pages below <paramref name="next"/> real blocks, and no more. Writer thread: <c>StorageEnvironment.AllocateAhead</c>
    /// takes
    /// its lock.</summary>
    /// <exception cref="DiskFullException">The disk has no room; nothing changed.</exception>
    public void AllocateAhead(PageNumber next)
    {
        long target = (next.Offset + GrowthBytesMin - 1) / GrowthBytesMin * GrowthBytesMin;
        if (target > _allocatedBytes)
        {
            TakeSpace(() => AllocateUpTo(target, target));
        }
    }

    /// <summary>Writes pages from scratch; sorted by position. Flush thread.</summary>
    public PalWriteCounts Write(ReadOnlySpan<PalPageWrite> writes)
    {
        Debug.Assert(AreWhole(writes), "a page is written that would not verify when it is read");
        PalWriteCounts counts = _file.WritePages(writes);
        foreach (ref readonly PalPageWrite write in writes)
        {
            _verified.Add(new PageNumber(write.Offset / Page.Size));
        }

        return counts;
    }

    /// <summary>Makes the written pages durable. Flush thread.</summary>
    public void Sync()
    {
        ThrowIfDirectFailed();
        _file.Sync(SyncKind.Data);
        ThrowIfDirectFailed();
    }

    /// <summary>Returns the blocks of free pages to the file system; the pages then read as zeros. Flush thread.</summary>
    /// <param name="first">First page of the run.</param>
    /// <param name="pages">Pages of the run.</param>
    public void PunchHole(PageNumber first, long pages)
    {
        Debug.Assert(!first.IsNone, "the page of the file's header is never free");
        Debug.Assert(pages > 0);
        _file.PunchHole(first.Offset, pages * Page.Size);
    }

    /// <summary>Makes sure that pages have real blocks, also where these were returned; contents are kept. Writer
    /// thread.</summary>
    /// <param name="first">First page of the run.</param>
    /// <param name="pages">Pages of the run; those beyond the end of the file are ignored.</param>
    /// <exception cref="DiskFullException">The disk has no room; nothing changed.</exception>
    /// <exception cref="PalException"><see cref="PalStatus.NotSupported"/>: this volume cannot.</exception>
    public void FillHole(PageNumber first, long pages)
    {
        Debug.Assert(pages > 0);
        Debug.Assert(first.Offset < AllocatedBytes);
        long bytes = Math.Min(pages * Page.Size, AllocatedBytes - first.Offset);
        TakeSpace(() => _file.FillHole(first.Offset, bytes / PalLimits.Alignment * PalLimits.Alignment));
    }

    /// <summary>Checks a page without remembering the result; null when it is good.</summary>
    public string? FindDamage(PageNumber number, PageNumber next) => FindDamage(new Page(_base + number.Offset), number, next);

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_mappings)
        {
            _mappings.ForEach(mapping => mapping.Dispose());
            _mappings.Clear();
        }

        _mapping = null;
        _base = null;
        _direct?.Dispose();
        _file.Dispose();
    }

    /// <summary>Allocates; tries again when space could be freed.</summary>
    private void TakeSpace(Action allocate)
    {
        try
        {
            try
            {
                allocate();
            }
            catch (PalException e) when (e.IsDiskFull && MakeRoom())
            {
                allocate();
            }
        }
        catch (PalException e) when (e.IsDiskFull)
        {
            throw new DiskFullException(StoragePath, e);
        }
    }

    private void AllocateUpTo(long needed, long target)
    {
        try
        {
            _file.Allocate(target);
        }
        catch (PalException e) when (e.IsDiskFull && target > needed)
        {
            // There is no space for a large step; there may be for what this transaction needs.
            target = needed;
            _file.Allocate(target);
        }

        if (target > _reservedBytes)
        {
            AddMapping(target);
        }

        Debug.Assert(target >= needed && target >= _allocatedBytes, "the file only grows");
        Debug.Assert(_reservedBytes >= target, "every byte of the file is mapped");
        Volatile.Write(ref _allocatedBytes, target);
    }

    private void AddMapping(long fileBytes)
    {
        long reserve = Math.Max(ReserveBytesMin, fileBytes * 4);
        PalMapping mapping = _file.Map(reserve);
        lock (_mappings)
        {
            _mappings.Add(mapping);
        }

        Debug.Assert(mapping.ReservedBytes > _reservedBytes, "the mappings at least double, so there are few");
        mapping.ReadAtRandom();
        _mapping = mapping;
        _reservedBytes = mapping.ReservedBytes;
        _base = mapping.Address;
    }

    /// <summary>Place of a page in the map of the file; nothing is checked. It stays valid as long as the file is open.</summary>
    internal byte* AddressOf(PageNumber number) => _base + number.Offset;

    private bool AreWhole(ReadOnlySpan<PalPageWrite> writes)
    {
        foreach (ref readonly PalPageWrite write in writes)
        {
            var page = new Page(write.Base);
            long pages = write.Length / Page.Size;
            bool isPlaced = page.Number.Offset == write.Offset && pages == page.PageCount;
            if (!isPlaced || page.Header.Checksum != PageChecksum.Compute(write.Base, page.Number, (int)pages, _salt))
            {
                return false;
            }
        }

        return true;
    }

    private void Verify(Page page, PageNumber number, PageNumber next)
    {
        ReadAhead(number, next);
        if (FindDamage(page, number, next) is { } reason)
        {
            throw new CorruptedPageException(StoragePath, number, reason);
        }

        _verified.Add(number);
    }

    /// <summary>Checks a page that is in the file, or in scratch on its way there; null when it is good.</summary>
    /// <param name="page">The page.</param>
    /// <param name="number">Its number.</param>
    /// <param name="next">First page number that is not in use in the caller's snapshot.</param>
    internal string? FindDamage(Page page, PageNumber number, PageNumber next)
    {
        if (number.Offset + Page.Size > AllocatedBytes)
        {
            return $"the data file ends at {AllocatedBytes} bytes, before the page";
        }

        if (page.Number != number)
        {
            return $"its header says page {page.Number}";
        }

        int overflowBytes = page.Header.OverflowBytes;
        if (overflowBytes < 0 || number.Value + Page.CountPages(overflowBytes) > next.Value)
        {
            return $"its header says {overflowBytes} overflow bytes";
        }

        ulong expected = page.Header.Checksum;
        ulong actual = PageChecksum.Compute(page.Address, number, page.PageCount, _salt);
        Debug.Assert(_salt != 0);
        return expected == actual
            ? null
            : $"checksum {actual:x16} instead of {expected:x16}, last written by transaction {page.Header.LastTransactionId}, " +
              $"type {page.Header.Type}, owner {page.Header.OwnerTag:x8}";
    }
}
