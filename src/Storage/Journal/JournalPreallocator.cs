using System.Diagnostics;
using System.Numerics;
using System.Runtime.ExceptionServices;
using Jackdaw.Pal;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Resources;

namespace Jackdaw.Storage.Journal;

/// <summary>Keeps the next journal file ready, so that an accepted commit never waits for one or runs out of disk
/// space.</summary>
/// <remarks>The writer thread reserves room before it submits; a worker prepares the next file when the current one
/// is half full; the committer only switches files. A full disk is thus noticed before a transaction is ordered, when
/// it can still be refused.</remarks>
internal sealed class JournalPreallocator : IDisposable
{
    /// <summary>Largest regular size: at the highest rate measured, one switch per second. Larger files would only slow
    /// down the first step of recovery.</summary>
    public const long FileBytesMax = 128 * 1024 * 1024;

    /// <summary>Bytes that must be free on the disk for each byte of a larger file: large files are only used on disks
    /// that have room for many of them.</summary>
    private const int FreeSpacePerFile = 16;

    /// <summary>A file that filled faster than this makes the next one twice as large.</summary>
    private static readonly TimeSpan s_growIfFilledWithin = TimeSpan.FromSeconds(90);

    /// <summary>Pause after the system was short of file descriptors or memory, which usually passes.</summary>
    private static readonly TimeSpan s_shortagePause = TimeSpan.FromSeconds(1);

    private readonly JournalFolder _folder;
    private readonly HeaderFile _headers;
    private readonly TimeProvider _time;
    private readonly Action<Exception> _fail;
    private readonly Action<JournalFile> _onPrepared;
    private readonly Action _onClosed;
    private readonly Lock _lock = new(); // guards everything below; held while a file is prepared
    private readonly BackgroundWork _preparer;
    private readonly long _firstFileBytes;
    private JournalFile? _next;
    private long _nextNumber;
    private long _fileBytes;
    private long _startedAt;
    private PalException? _failure; // has stopped the storage: no file is prepared any more
    private long _shortAt; // when file descriptors or memory last ran out; 0 = never

    /// <param name="folder">The folder of the files.</param>
    /// <param name="headers">Header of the storage, which names the newest file.</param>
    /// <param name="nextNumber">Number of the first file to prepare.</param>
    /// <param name="time">Clock.</param>
    /// <param name="fileBytes">Bytes of the first file.</param>
    /// <param name="fail">Stops the storage.</param>
    /// <param name="onPrepared">Called with each file that was prepared ahead.</param>
    /// <param name="onClosed">Called when a file takes no more entries.</param>
    /// <param name="share">The threads on which the preparation runs.</param>
    public JournalPreallocator(
        JournalFolder folder,
        HeaderFile headers,
        long nextNumber,
        TimeProvider time,
        long fileBytes,
        Action<Exception> fail,
        Action<JournalFile> onPrepared,
        Action onClosed,
        StorageShare share)
    {
        _fail = fail;
        _onPrepared = onPrepared;
        _onClosed = onClosed;
        _folder = folder;
        _headers = headers;
        _nextNumber = nextNumber;
        _time = time;
        _fileBytes = _firstFileBytes = Math.Max(fileBytes, 2 * JournalFormat.BlockSize);
        _preparer = share.AddJournalPreparation(PrepareInBackground);
    }

    /// <summary>Space in the files, and reservations of it.</summary>
    public JournalReservation Reservation { get; } = new();

    /// <summary>The file that follows the current one; null while none is prepared.</summary>
    public JournalFile? Next => Volatile.Read(ref _next);

    /// <summary>Why the next file could not be prepared when it was asked for; null when it could, or was not asked for
    /// yet.</summary>
    public Exception? Problem { get; private set; }

    /// <summary>True when a preparation that failed for lack of file descriptors or memory should be tried
    /// again.</summary>
    public bool IsWorthAnotherTry =>
        Volatile.Read(ref _shortAt) is not 0 and var shortAt && _time.GetElapsedTime(shortAt) >= s_shortagePause;

    /// <summary>Reserves space for an entry, in bytes. A file is prepared when the existing ones have no space.</summary>
    /// <exception cref="DiskFullException">No room for another journal; nothing changed.</exception>
    /// <exception cref="ResourceShortageException">The same, because file descriptors or memory ran out.</exception>
    public void Reserve(long bytes)
    {
        while (!Reservation.TryPromise(bytes))
        {
            lock (_lock)
            {
                if (Reservation.FindNeedFor(bytes) is { } needed)
                {
                    Prepare(needed + JournalFormat.BlockSize);
                }
            }
        }
    }

    /// <summary>Prepares a file with space for all current reservations.</summary>
    /// <inheritdoc cref="Reserve"/>
    public void PrepareForAll()
    {
        lock (_lock)
        {
            if (Reservation.FindNeedForAll() is { } needed)
            {
                Prepare(needed + JournalFormat.BlockSize);
            }
        }
    }

    /// <summary>The prepared file; null while it is too small for all reservations. Committer.</summary>
    /// <param name="use">Makes it the current file. Called before <see cref="Next"/> is cleared, so that the file is
    /// always either current or prepared.</param>
    public JournalFile? TryTake(Action<JournalFile> use)
    {
        lock (_lock)
        {
            if (_next is not { } next || !Reservation.TryTake())
            {
                return null;
            }

            Debug.Assert(!next.IsClosed);
            use(next);
            Volatile.Write(ref _next, null);
            long now = _time.GetTimestamp();
            if (_startedAt != 0 && _time.GetElapsedTime(_startedAt, now) < s_growIfFilledWithin)
            {
                _fileBytes = Math.Min(_fileBytes * 2, Math.Max(_fileBytes, FileBytesMax));
            }

            _startedAt = now;
            return next;
        }
    }

    /// <summary>Asks for the next file; returns at once.</summary>
    public void RequestNext()
    {
        Volatile.Write(ref _shortAt, 0);
        _preparer.Signal();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _preparer.Dispose();
        _next?.Close();
    }

    private int PrepareInBackground()
    {
        lock (_lock)
        {
            if (_next is null)
            {
                try
                {
                    Prepare(0);
                }
                catch (Exception e) when (e is DiskFullException or ResourceShortageException)
                {
                    // The file is not needed yet. The next reservation tries again, and reports a failure to its own
                    // client.
                    Problem = e;
                }
                catch (PalException)
                {
                    // Prepare has stopped the storage; the next call gets the reason.
                }
            }
        }

        if (Next is { } next)
        {
            _onPrepared(next);
        }

        return Timeout.Infinite; // runs only when asked
    }

    private void Prepare(long needed)
    {
        Debug.Assert(_lock.IsHeldByCurrentThread);
        Debug.Assert(needed >= 0);
        if (_failure is not null)
        {
            ExceptionDispatchInfo.Throw(_failure);
        }

        JournalFile file = PrepareFile((long)BitOperations.RoundUpToPowerOf2((ulong)needed)); // 0 stays 0
        try
        {
            _headers.Write(header => header with { NewestJournal = file.Number, Flags = 0 });
        }
        catch (PalException e)
        {
            // This failure is final even when the disk is full: what a failed sync left of the header is unknown.
            file.Close();
            Stop(e);
            throw;
        }

        Invariant.Check(file.Number == _nextNumber, "a journal was prepared with a number that is not the next one");
        Invariant.Check(_headers.Current.NewestJournal >= file.Number, "a journal is used that the header does not name");

        // The number is used only from here on, because recovery takes a missing number below the newest for a lost
        // journal. A smaller prepared file is skipped: the reservations now refer to the larger one.
        _nextNumber++;
        JournalFile? smaller = _next;
        _next = file;
        Problem = null;
        Volatile.Write(ref _shortAt, 0);
        Reservation.OnPrepared(file.Bytes - JournalFormat.BlockSize);
        smaller?.Close();
    }

    /// <param name="bytesMin">What an entry needs; 0 when none waits for the file.</param>
    private JournalFile PrepareFile(long bytesMin)
    {
        try
        {
            long room = _folder.FreeSpace / FreeSpacePerFile;
            long bytes = Math.Max(bytesMin, Math.Min(_fileBytes, Math.Max(_firstFileBytes, room)));
            long bytesWhenFull = bytesMin > 0 ? bytesMin : bytes;
            try
            {
                return _folder.Prepare(_nextNumber, bytes, _onClosed);
            }
            catch (PalException e) when (e.IsDiskFull && !_folder.Has(_nextNumber) && (_folder.TrimPool() || bytesWhenFull < bytes))
            {
                return _folder.Prepare(_nextNumber, bytesWhenFull, _onClosed);
            }
        }
        catch (PalException e) when (e.IsDiskFull && !_folder.Has(_nextNumber))
        {
            throw new DiskFullException(_folder.StoragePath, e);
        }
        catch (PalException e) when (e.IsShortage && !_folder.Has(_nextNumber))
        {
            Volatile.Write(ref _shortAt, _time.GetTimestamp());
            throw new ResourceShortageException(_folder.StoragePath, e);
        }
        catch (PalException e)
        {
            Stop(e);
            throw;
        }
    }

    /// <summary>What the folder and the header have of the next number is unknown: it is not tried again.</summary>
    private void Stop(PalException cause)
    {
        Debug.Assert(_lock.IsHeldByCurrentThread);
        _failure = cause;
        _fail(cause);
    }
}
