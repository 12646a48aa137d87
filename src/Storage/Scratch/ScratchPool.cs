using System.Diagnostics;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Resources;

namespace Jackdaw.Storage.Scratch;

/// <summary>Anonymous memory for pages that are not in the data file yet. Thread safe.</summary>
/// <remarks>
/// Runs are rounded up to a power of two of pages. Up to <see cref="SlabPagesMax"/> pages they are cut from slabs of one size
/// class; larger ones are mapped alone. A slab's address is aligned to its size, so a run finds its slab by masking.
/// Empty slabs that were not needed between two flushes are returned to the operating system, all of them when the
/// storage is idle. Fresh memory costs a page fault per 4 KB, so what each flush frees is reused.
/// Anonymous memory and not a file: a file would be written back, and a full disk would be a fault.
/// </remarks>
public sealed unsafe class ScratchPool : IDisposable
{
    /// <summary>Bytes of a slab: one mapping call per 256 pages, and a single page in use keeps little memory.</summary>
    private const int SlabBytes = 2 * 1024 * 1024;

    /// <summary>Largest run cut from a slab, in pages: two of them share one. 1 MB, which is also a chunk of an attachment.</summary>
    private const int SlabPagesMax = SlabBytes / Page.Size / 2;

    /// <summary>Number of slabs above which new ones ask for large pages, one fault for 2 MB: a small storage does not need
    /// that much.</summary>
    private const int LargePagesFromSlabs = 8;

    /// <summary>Slabs that <see cref="Prepare"/> keeps ready: an entry of the journal seldom fills more.</summary>
    private const int PreparedSlabs = 4;

    private static long s_processMappedBytes;

    private readonly Action<ScratchPool>? _askToPrepare;
    private readonly MemoryBudget? _memory;
    private readonly Lock _prepareLock = new(); // held while memory is prepared; taken before _lock
    private readonly Lock _lock = new(); // guards everything below
    private readonly Dictionary<nint, Slab> _slabs = [];
    private readonly Dictionary<nint, (nint Mapped, long Bytes)> _large = [];
    private readonly List<Slab>[] _withRoom = new List<Slab>[8];
    private readonly Stack<nint> _prepared = new(); // mapped and touched, no slabs yet
    private int _emptySlabs;
    private int _emptySlabsMin; // since the last trim
    private long _rentedBytes;
    private long _mappedBytes;
    private long _usedBytes; // of slabs and large runs that are not empty
    private bool _isAsked; // since the last look of Prepare
    private bool _isDisposed;

    /// <param name="askToPrepare">Called when the pool grows, to have <see cref="Prepare"/> called on another thread; must
    /// not block.</param>
    /// <param name="memory">Where its memory is counted; null = not at all.</param>
    public ScratchPool(Action<ScratchPool>? askToPrepare = null, MemoryBudget? memory = null)
    {
        _memory = memory;
        _askToPrepare = askToPrepare;
        for (int i = 0; i < _withRoom.Length; i++)
        {
            _withRoom[i] = [];
        }
    }

    /// <summary>Bytes of runs in use.</summary>
    public long RentedBytes => Interlocked.Read(ref _rentedBytes);

    /// <summary>Bytes taken from the operating system.</summary>
    public long MappedBytes => Interlocked.Read(ref _mappedBytes);

    /// <summary><see cref="MappedBytes"/> of all storages of the process together.</summary>
    public static long ProcessMappedBytes => Interlocked.Read(ref s_processMappedBytes);

    /// <summary>Bytes that a run of pages takes here: rounded up to a power of two of pages.</summary>
    public static long BytesOf(int pages) => (long)Page.Size << SizeClass(pages);

    /// <summary>Memory for a run of pages; contents are undefined.</summary>
    public byte* Rent(int pages)
    {
        Debug.Assert(pages > 0);
        byte* run;
        lock (_lock)
        {
            int sizeClass = SizeClass(pages);
            run = 1 << sizeClass <= SlabPagesMax ? RentFromSlab(sizeClass) : RentLarge(sizeClass);
            _rentedBytes += (long)Page.Size << sizeClass;
        }

        // Large copies and clears of the runtime read the first byte of their destination. In fresh memory this maps the
        // shared page of zeros, and the write then costs a second fault and an interrupt to every other processor.
        *run = 0;
        return run;
    }

    /// <summary>Returns a run; <paramref name="pages"/> as rented.</summary>
    public void Return(byte* address, int pages)
    {
        lock (_lock)
        {
            int sizeClass = SizeClass(pages);
            _rentedBytes -= (long)Page.Size << sizeClass;
            if (1 << sizeClass <= SlabPagesMax)
            {
                ReturnToSlab(address, sizeClass);
            }
            else
            {
                bool known = _large.Remove((nint)address, out (nint Mapped, long Bytes) mapping);
                Invariant.Check(known, "a returned scratch run was never rented");
                CountUsed(-mapping.Bytes);
                Unmap(mapping.Mapped, mapping.Bytes);
            }

            Debug.Assert(_rentedBytes >= 0, "more was returned than rented");
        }
    }

    /// <summary>Touches memory before it is rented, so that the writer does not wait for the system to clear it. Called on
    /// another thread than the writer's. Does nothing while the pool is small.</summary>
    public void Prepare()
    {
        lock (_prepareLock)
        {
            while (IsPreparedMemoryWanted())
            {
                nint mapped = Map(isLarge: true);
                Touch((byte*)Align(mapped));
                if (!TryKeepPrepared(mapped))
                {
                    PalMemory.Free((byte*)mapped, 2L * SlabBytes);
                    return;
                }
            }
        }
    }

    /// <summary>Returns all spare memory to the operating system.</summary>
    public void Trim() => Release(int.MaxValue);

    /// <summary>Returns the memory that was spare all the time since the last call.</summary>
    public void TrimUnused() => Release(Volatile.Read(ref _emptySlabsMin));

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_lock)
        {
            _isDisposed = true; // the memory that is being prepared is no longer needed
        }

        lock (_prepareLock)
        {
            Free();
        }
    }

    private void Free()
    {
        lock (_lock)
        {
            foreach (Slab slab in _slabs.Values)
            {
                Unmap(slab.Mapped, 2 * SlabBytes);
            }

            foreach ((nint mapped, long bytes) in _large.Values)
            {
                Unmap(mapped, bytes);
            }

            foreach (nint mapped in _prepared)
            {
                Unmap(mapped, 2 * SlabBytes);
            }

            _slabs.Clear();
            _large.Clear();
            _prepared.Clear();
            CountUsed(-_usedBytes);
        }
    }

    private static int SizeClass(int pages) => System.Numerics.BitOperations.Log2((uint)((pages * 2) - 1));

    private void Count(long bytes)
    {
        _mappedBytes += bytes;
        Interlocked.Add(ref s_processMappedBytes, bytes);
        _memory?.CountMapped(bytes);
    }

    /// <summary>Counts a slab or a large run that is now in use, or no longer.</summary>
    private void CountUsed(long bytes)
    {
        _usedBytes += bytes;
        Debug.Assert(_usedBytes >= 0 && _usedBytes <= _mappedBytes);
        _memory?.CountUsed(bytes);
    }

    private byte* RentFromSlab(int sizeClass)
    {
        List<Slab> withRoom = _withRoom[sizeClass];
        Slab slab = withRoom.Count > 0 ? withRoom[^1] : AddSlab(sizeClass);
        if (slab.IsEmpty)
        {
            _emptySlabsMin = Math.Min(_emptySlabsMin, --_emptySlabs);
            CountUsed(SlabBytes);
        }

        byte* run = (byte*)slab.Take();
        if (slab.IsFull)
        {
            withRoom.RemoveAt(withRoom.Count - 1);
            slab.Position = -1;
        }

        return run;
    }

    private bool IsPreparedMemoryWanted()
    {
        lock (_lock)
        {
            _isAsked = false;
            return !_isDisposed && _slabs.Count >= LargePagesFromSlabs && _emptySlabs == 0 && _prepared.Count < PreparedSlabs;
        }
    }

    private bool TryKeepPrepared(nint mapped)
    {
        lock (_lock)
        {
            if (_isDisposed)
            {
                return false;
            }

            _prepared.Push(mapped);
            Count(SlabBytes);
            return true;
        }
    }

    private Slab AddSlab(int sizeClass)
    {
        if (!_prepared.TryPop(out nint mapped))
        {
            mapped = Map(_slabs.Count >= LargePagesFromSlabs);
            Count(SlabBytes);
        }

        var slab = new Slab(mapped, Align(mapped), sizeClass) { Position = _withRoom[sizeClass].Count };
        _slabs.Add(slab.Start, slab);
        _withRoom[sizeClass].Add(slab);
        _emptySlabs++;
        AskToPrepare();
        return slab;
    }

    private void AskToPrepare()
    {
        if (!_isAsked && _slabs.Count >= LargePagesFromSlabs && _askToPrepare is not null)
        {
            _isAsked = true;
            _askToPrepare(this);
        }
    }

    /// <summary>Twice a slab is reserved so that an aligned one fits; the rest is never touched and costs no memory.</summary>
    private static nint Map(bool isLarge)
    {
        nint mapped = (nint)PalMemory.Allocate(2L * SlabBytes);
        if (isLarge)
        {
            PalMemory.UseLargePages((byte*)Align(mapped), SlabBytes);
        }

        return mapped;
    }

    private static void Touch(byte* slab)
    {
        for (int i = 0; i < SlabBytes; i += Environment.SystemPageSize)
        {
            slab[i] = 0;
        }
    }

    private static nint Align(nint mapped) => (mapped + SlabBytes - 1) & ~(nint)(SlabBytes - 1);

    private void ReturnToSlab(byte* address, int sizeClass)
    {
        bool known = _slabs.TryGetValue((nint)address & ~(nint)(SlabBytes - 1), out Slab? slab);
        Invariant.Check(known && slab!.SizeClass == sizeClass, "a returned scratch run belongs to no slab of its size");
        if (slab!.IsFull)
        {
            slab.Position = _withRoom[sizeClass].Count;
            _withRoom[sizeClass].Add(slab);
        }

        slab.Give((nint)address);
        if (slab.IsEmpty)
        {
            _emptySlabs++;
            CountUsed(-SlabBytes);
        }
    }

    private void Release(int slabsMax)
    {
        List<nint> released;
        lock (_lock)
        {
            released = [.. _prepared];
            _prepared.Clear();
            Count(-(long)released.Count * SlabBytes);
            foreach (Slab slab in _slabs.Values.Where(slab => slab.IsEmpty).Take(slabsMax).ToArray())
            {
                Remove(slab);
                released.Add(slab.Mapped);
            }

            _emptySlabsMin = _emptySlabs;
        }

        // Not under the lock: the writer thread would wait for each of these calls.
        foreach (nint mapped in released)
        {
            PalMemory.Free((byte*)mapped, 2L * SlabBytes);
        }
    }

    private void Remove(Slab slab)
    {
        Debug.Assert(slab.IsEmpty);
        List<Slab> withRoom = _withRoom[slab.SizeClass];
        Slab last = withRoom[^1];
        withRoom[slab.Position] = last;
        last.Position = slab.Position;
        withRoom.RemoveAt(withRoom.Count - 1);
        _slabs.Remove(slab.Start);
        _emptySlabs--;
        Count(-SlabBytes);
    }

    private byte* RentLarge(int sizeClass)
    {
        long bytes = (long)Page.Size << sizeClass;
        byte* address = PalMemory.Allocate(bytes);
        Count(bytes);
        CountUsed(bytes);
        _large.Add((nint)address, ((nint)address, bytes));
        return address;
    }

    private void Unmap(nint address, long bytes)
    {
        Count(-Math.Min(bytes, _mappedBytes));
        PalMemory.Free((byte*)address, bytes);
    }

    /// <summary>One aligned block cut into runs of one size; free runs are a stack of their numbers.</summary>
    private sealed class Slab
    {
        private readonly ushort[] _free;
        private readonly int _runBytes;
        private int _freeCount;

        public Slab(nint mapped, nint start, int sizeClass)
        {
            Mapped = mapped;
            Start = start;
            SizeClass = sizeClass;
            _runBytes = Page.Size << sizeClass;
            _free = new ushort[SlabBytes / _runBytes];
            _freeCount = _free.Length;
            for (int i = 0; i < _free.Length; i++)
            {
                _free[i] = (ushort)(_free.Length - 1 - i);
            }
        }

        public nint Mapped { get; }

        public nint Start { get; }

        public int SizeClass { get; }

        /// <summary>Index in the list of slabs with room; -1 when full.</summary>
        public int Position { get; set; }

        public bool IsEmpty => _freeCount == _free.Length;

        public bool IsFull => _freeCount == 0;

        public nint Take() => Start + (_free[--_freeCount] * (nint)_runBytes);

        public void Give(nint run)
        {
            Debug.Assert((run - Start) % _runBytes == 0 && _freeCount < _free.Length);
            _free[_freeCount++] = (ushort)((run - Start) / _runBytes);
        }
    }
}
