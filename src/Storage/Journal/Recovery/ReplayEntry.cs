using System.Diagnostics;
using System.Runtime.ExceptionServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Journal.Recovery;

/// <summary>A journal entry between being read and being replayed. Its payload is decoded by a thread of the pool, or
/// by the opening thread when the entry is next and no pool thread has taken it.</summary>
/// <remarks>
/// States: idle -> waiting -> taken -> done -> idle. The object is reused for a later entry; a late work item for an
/// earlier entry then finds nothing waiting, or decodes the later entry, which is equally good. Only memory is touched
/// on the pool's thread: all calls of the platform come from the opening thread, in one order.
/// </remarks>
internal sealed unsafe class ReplayEntry : IThreadPoolWorkItem, IDisposable
{
    private const int Idle = 0;
    private const int Waiting = 1;
    private const int Taken = 2;
    private const int Done = 3;

    private const int FirstBytes = 1024 * 1024;

    /// <summary>Bytes of the buffer kept for the next entry: every object gets a large one sooner or later.</summary>
    private const int CachedBytesMax = 8 * 1024 * 1024;

    private readonly AlignedBuffer _raw = new(FirstBytes);
    private JournalEntryHeader _header;
    private int _state;
    private bool _isGood;
    private Exception? _failure;

    /// <summary>The payload as read. Opening thread, while the entry is idle.</summary>
    public AlignedBuffer Stored { get; } = new(FirstBytes);

    /// <summary>Header of the entry.</summary>
    public ref readonly JournalEntryHeader Header => ref _header;

    /// <summary>The journal that contains it, for messages.</summary>
    public string Path { get; private set; } = "";

    /// <summary>Hands the payload in <see cref="Stored"/> over to be decoded. Opening thread.</summary>
    public void Start(in JournalEntryHeader header, string path)
    {
        Debug.Assert(Volatile.Read(ref _state) == Idle);
        _header = header;
        Path = path;
        _failure = null;
        if (!IsChunked)
        {
            _isGood = true;
            Volatile.Write(ref _state, Done);
            return;
        }

        _raw.Length = 0;
        _raw.Ensure(Math.Max(1, header.RawBytes));
        Volatile.Write(ref _state, Waiting);
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>The decoded payload; null when it cannot be decoded. Opening thread.</summary>
    /// <remarks>A failure of the decoder is thrown here, whichever thread it ran on.</remarks>
    public byte* WaitForPayload(out long bytes)
    {
        WaitUntilDone();
        if (_failure is not null)
        {
            ExceptionDispatchInfo.Throw(_failure);
        }

        bytes = IsChunked ? _header.RawBytes : _header.StoredBytes;
        return !_isGood ? null : IsChunked ? _raw.Address : Stored.Address;
    }

    /// <summary>Ends the use for this entry and releases what only a large one needed. Opening thread.</summary>
    public void Finish()
    {
        Debug.Assert(Volatile.Read(ref _state) == Done);
        Volatile.Write(ref _state, Idle);
        _raw.Trim(CachedBytesMax);
        Stored.Trim(CachedBytesMax);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Volatile.Read(ref _state) != Idle)
        {
            WaitUntilDone();
            Volatile.Write(ref _state, Idle);
        }

        _raw.Dispose();
        Stored.Dispose();
    }

    private bool IsChunked => (_header.Flags & JournalEntryOptions.Chunked) != 0;

    void IThreadPoolWorkItem.Execute() => TryDecode();

    private void WaitUntilDone()
    {
        if (TryDecode())
        {
            return;
        }

        var wait = default(SpinWait);
        while (Volatile.Read(ref _state) != Done)
        {
            wait.SpinOnce(sleep1Threshold: -1);
        }
    }

    private bool TryDecode()
    {
        if (Interlocked.CompareExchange(ref _state, Taken, Waiting) != Waiting)
        {
            return false;
        }

        try
        {
            _isGood = ChunkReader.TryDecode(Stored.Address, _header.StoredBytes, _raw.Address, _header.RawBytes);
        }
        catch (Exception e)
        {
            _failure = e; // Thrown where the entry is waited for: on the pool's thread it would end the process.
        }

        Volatile.Write(ref _state, Done);
        return true;
    }
}
