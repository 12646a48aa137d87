using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Jackdaw.Pal;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Headers;

/// <summary>The header file: two copies, 8 KB apart, written alternately. Thread safe.</summary>
/// <remarks>A write never touches the copy that is valid, so a torn write leaves the older one; both are read at open
/// and the whole one with the highest revision counts. A damaged copy is repaired by the next write to it.</remarks>
internal sealed unsafe class HeaderFile : IDisposable
{
    /// <summary>Name inside the storage's folder.</summary>
    public const string FileName = "headers";

    /// <summary>Distance of the copies: more than any sector or page that a torn write could take with it.</summary>
    public const int CopyBytes = 8192;

    private readonly Lock _lock = new(); // guards the file, its buffer and _current
    private readonly PalFile _file;
    private readonly AlignedBuffer _copy = new(CopyBytes); // kept, so that no write fails because memory ran out
    private readonly TimeProvider _time;
    private StorageHeader _current;
    // False after the open: a failed sync may have left a copy that is readable but not on the disk.
    private bool _isCurrentDurable;
    private long _olderSynced = -1; // synced transaction of the other copy on the disk; -1 = not known
    private PalException? _failure; // of a sync: whoever waits for the lock must not sync again before the storage has stopped

    private HeaderFile(PalFile file, StorageHeader current, TimeProvider time)
    {
        _file = file;
        _current = current;
        _time = time;
        _copy.Restart(CopyBytes);
    }

    /// <summary>The newest copy. It is durable when this object wrote it; the copy that was found at open may not
    /// be.</summary>
    public StorageHeader Current
    {
        get
        {
            lock (_lock)
            {
                return _current;
            }
        }
    }

    /// <summary>Set when one copy was damaged at open: a warning for the operator.</summary>
    public string? Warning { get; private init; }

    /// <summary>Creates the file with both copies; durable except for its name.</summary>
    public static void Create(PalFile file, StorageHeader first, TimeProvider time)
    {
        var headers = new HeaderFile(file, first, time);
        using (headers._copy)
        {
            headers.Write(header => header);
            headers.Write(header => header);
        }
    }

    /// <summary>Reads both copies.</summary>
    /// <exception cref="CorruptionException">Neither copy is whole.</exception>
    /// <exception cref="NotSupportedException">The storage was written by a newer version.</exception>
    public static HeaderFile Open(PalFile file, string storagePath, TimeProvider time)
    {
        StorageHeader first = Read(file, 0);
        StorageHeader second = Read(file, 1);
        if (!first.IsWhole && !second.IsWhole)
        {
            throw new CorruptionException(
                $"Both copies of the header of '{storagePath}' are damaged ({FileName}): " +
                "the place where recovery starts is unknown. Restore the folder from a backup.");
        }

        StorageHeader current = !second.IsWhole || (first.IsWhole && first.Revision > second.Revision) ? first : second;
        if (current.Version > StorageHeader.FormatVersion)
        {
            throw new NotSupportedException(
                $"The storage '{storagePath}' has format {current.Version}; this version of Jackdaw reads up to " +
                $"{StorageHeader.FormatVersion}. Use the newer version that wrote it.");
        }

        bool bothWhole = first.IsWhole && second.IsWhole;
        string? warning = bothWhole
            ? null
            : $"One copy of the header of '{storagePath}' is damaged; " +
              "the other copy is used, and one of the next writes repairs the damaged one.";
        return new HeaderFile(file, current, time) { Warning = warning };
    }

    /// <summary>Changes the header durably: written to the older copy, then synced.</summary>
    /// <exception cref="PalException">It failed, or a sync failed before: a failed sync is final until the file is opened again.</exception>
    public void Write(Func<StorageHeader, StorageHeader> change)
    {
        lock (_lock)
        {
            if (_failure is not null)
            {
                ExceptionDispatchInfo.Throw(_failure);
            }

            StorageHeader next = change(_current);
            Invariant.Check(next.SyncedTransaction >= _current.SyncedTransaction, "the header goes back to an earlier transaction");
            Invariant.Check(next.NewestJournal >= _current.NewestJournal, "the header forgets a journal");
            Debug.Assert(next.StorageId == _current.StorageId && next.Salt == _current.Salt, "identity and salt never change");
            next.Magic = StorageHeader.MagicValue;
            next.Version = StorageHeader.FormatVersion;
            next.Revision = _current.Revision + 1;
            next.UtcTicks = _time.GetUtcNow().UtcTicks;
            next.Seal();
            Debug.Assert(next.IsWhole);
            _copy.Restart(CopyBytes);
            byte* copy = _copy.Address;
            Unsafe.Write(copy, next);
            var write = new PalPageWrite { Base = copy, Offset = (next.Revision & 1) * CopyBytes, Length = CopyBytes };
            _file.WritePages(new ReadOnlySpan<PalPageWrite>(in write));
            Sync();
            _olderSynced = _isCurrentDurable ? _current.SyncedTransaction : -1;
            _isCurrentDurable = true;
            _current = next;
        }
    }

    /// <summary>Makes sure that both copies name a synced transaction, so that recovery begins there even when one is
    /// lost.</summary>
    /// <param name="synced">The synced transaction of the current copy.</param>
    public void CoverBothCopies(long synced)
    {
        lock (_lock)
        {
            Invariant.Check(_current.SyncedTransaction == synced, "the header does not name the synced transaction");
            if (_olderSynced != synced)
            {
                Write(header => header);
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_lock)
        {
            _file.Dispose();
            _copy.Dispose();
        }
    }

    private void Sync()
    {
        try
        {
            _file.Sync(SyncKind.Data);
        }
        catch (PalException e)
        {
            _failure = e;
            throw;
        }
    }

    private static StorageHeader Read(PalFile file, int copy)
    {
        StorageHeader header = default;
        long read = file.Read((long)copy * CopyBytes, (byte*)&header, StorageHeader.SizeOf);
        return read == StorageHeader.SizeOf ? header : default;
    }
}
