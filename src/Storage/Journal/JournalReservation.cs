using System.Diagnostics;

namespace Jackdaw.Storage.Journal;

/// <summary>Space in the current and in the prepared journal, and reservations of it. Thread safe.</summary>
/// <remarks>
/// Invariant: all reservations fit the current file, or all of them fit the prepared one. An entry never spans files,
/// so each reserved entry finds its place without a new file: in the current one, or after one switch to the prepared
/// one.
/// </remarks>
internal sealed class JournalReservation
{
    private readonly Lock _lock = new(); // guards everything below
    private long _current;
    private long _prepared;
    private long _promised;

    /// <summary>Reserves space for an entry; false when a larger file has to be prepared first.</summary>
    public bool TryPromise(long bytes)
    {
        Debug.Assert(bytes > 0);
        lock (_lock)
        {
            bool hasRoom = Holds(_current, _prepared, _promised + bytes);
            _promised += hasRoom ? bytes : 0;
            Debug.Assert(IsKept);
            return hasRoom;
        }
    }

    /// <summary>Space that a file needs before this number of bytes can be reserved; null when they can be reserved now. It is
    /// more than the prepared file has, so that all earlier reservations fit the new file too.</summary>
    public long? FindNeedFor(long bytes)
    {
        lock (_lock)
        {
            long all = _promised + bytes;
            return Holds(_current, _prepared, all) ? null : all;
        }
    }

    /// <summary>Space that a file needs for all reservations; null when the prepared one has it.</summary>
    public long? FindNeedForAll()
    {
        lock (_lock)
        {
            return CanTake ? null : _promised;
        }
    }

    /// <summary>Releases a reservation that is no longer needed.</summary>
    public void Withdraw(long promised)
    {
        lock (_lock)
        {
            _promised -= promised;
            Debug.Assert(_promised >= 0);
            Debug.Assert(IsKept);
        }
    }

    /// <summary>Takes space of the current file without a reservation; false when a reservation may need it.</summary>
    public bool TryUse(long bytes)
    {
        lock (_lock)
        {
            if (bytes > _current || !Holds(_current - bytes, _prepared, _promised))
            {
                return false;
            }

            _current -= bytes;
            Debug.Assert(IsKept);
            return true;
        }
    }

    /// <summary>Is called when an entry was written to the current file, with the space that it took and the space that had been reserved for it.</summary>
    public void OnWritten(long bytes, long promised)
    {
        lock (_lock)
        {
            Invariant.Check(bytes <= promised && bytes <= _current, "an entry took more of a journal than was reserved for it");
            _current -= bytes;
            _promised -= promised;
            Invariant.Check(_promised >= 0, "more of a journal was used than was reserved");
            Debug.Assert(IsKept);
        }
    }

    /// <summary>Is called when a file with this number of bytes for entries is ready.</summary>
    public void OnPrepared(long bytes)
    {
        lock (_lock)
        {
            Debug.Assert(bytes > _prepared, "a prepared file is only replaced by a larger one");
            _prepared = bytes;
            Debug.Assert(IsKept);
        }
    }

    /// <summary>Makes the prepared file the current one; false when it is too small for all reservations.</summary>
    public bool TryTake()
    {
        lock (_lock)
        {
            bool canTake = CanTake;
            if (canTake)
            {
                _current = _prepared;
                _prepared = 0;
                Debug.Assert(IsKept);
            }

            return canTake;
        }
    }

    /// <summary>The invariant of the class.</summary>
    private bool IsKept => Holds(_current, _prepared, _promised);

    private bool CanTake => _prepared > 0 && _promised <= _prepared;

    private static bool Holds(long current, long prepared, long promised) => promised <= current || promised <= prepared;
}
