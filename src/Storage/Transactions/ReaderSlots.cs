using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Jackdaw.Storage.Transactions;

/// <summary>The published states that are being read: one padded slot per active transaction. Wait-free for
/// readers.</summary>
/// <remarks>
/// Protocol of a reader: read the current state, claim a slot with its sequence (a full fence), read the current state
/// again, start over if it changed. A thread that publishes a state and then scans the slots therefore sees every reader of an older state: either
/// the slot was written before the scan, or the reader sees the new state and starts over. A
/// slot holds the sequence of the state; 0 = free. Its other fields are for statistics only: written after the
/// sequence, by the slot's owner alone, and read without a fence.
/// </remarks>
public sealed class ReaderSlots
{
    /// <summary>Slots with a cache line each. More readers at once use a locked list: correct, only slower.</summary>
    public const int SlotCount = 1024;

    /// <summary>Number of longs per slot: 64 bytes, so that two readers never share a cache line.</summary>
    private const int Stride = 8;

    // Offsets in a slot after the sequence.
    private const int BeganOffset = 1; // Environment.TickCount64; 0 = not known yet
    private const int KindOffset = 2;
    private const int AddedBytesOffset = 3;
    private const int ReadsOffset = 4; // readers that began here; kept when the slot is free

    private readonly long[] _slots = new long[(SlotCount + 1) * Stride];
    private readonly Lock _overflowLock = new(); // guards _overflow
    private readonly Dictionary<int, ActiveReader> _overflow = [];
    private int _overflowId = SlotCount;
    private int _highest;
    private long _overflowUses;

    /// <summary>Times that all slots were taken, for statistics.</summary>
    public long OverflowUses => Interlocked.Read(ref _overflowUses);

    /// <summary>Registers a reader of the state that is current at the end of the call.</summary>
    /// <param name="current">The published states.</param>
    /// <param name="kind">The kind of reader, for statistics.</param>
    /// <param name="slot">The slot for <see cref="Leave"/>.</param>
    public EnvironmentState Enter(ref EnvironmentState current, ReaderKind kind, out int slot)
    {
        slot = -1;
        while (true)
        {
            EnvironmentState state = Volatile.Read(ref current);
            slot = slot < 0 ? Claim(state.Sequence) : Renew(slot, state.Sequence);
            if (ReferenceEquals(state, Volatile.Read(ref current)))
            {
                Describe(slot, kind, state);
                return state;
            }
        }
    }

    /// <summary>Ends the reader in a slot.</summary>
    public void Leave(int slot)
    {
        if (slot < SlotCount)
        {
            Debug.Assert(Volatile.Read(ref _slots[Index(slot)]) != 0);
            _slots[Index(slot) + BeganOffset] = 0;
            Volatile.Write(ref _slots[Index(slot)], 0);
            return;
        }

        lock (_overflowLock)
        {
            bool removed = _overflow.Remove(slot);
            Debug.Assert(removed);
        }
    }

    /// <summary>Smallest sequence of any active reader; <see cref="long.MaxValue"/> when there is none.</summary>
    public long FindOldest()
    {
        Interlocked.MemoryBarrier();
        long oldest = long.MaxValue;
        int highest = Volatile.Read(ref _highest);
        for (int slot = 0; slot <= highest; slot++)
        {
            long sequence = Volatile.Read(ref _slots[Index(slot)]);
            if (sequence != 0 && sequence < oldest)
            {
                oldest = sequence;
            }
        }

        lock (_overflowLock)
        {
            foreach (ActiveReader reader in _overflow.Values)
            {
                oldest = Math.Min(oldest, reader.Sequence);
            }
        }

        return oldest;
    }

    /// <summary>The reader of the oldest state, the one that began first among several; false when there is none. A
    /// momentary view, for statistics.</summary>
    public bool TryFindOldest(out ActiveReader oldest)
    {
        oldest = new ActiveReader(long.MaxValue, 0, default, 0);
        int highest = Volatile.Read(ref _highest);
        for (int slot = 0; slot <= highest; slot++)
        {
            oldest = Older(oldest, Look(Index(slot)));
        }

        lock (_overflowLock)
        {
            foreach (ActiveReader reader in _overflow.Values)
            {
                oldest = Older(oldest, reader);
            }
        }

        return oldest.Sequence != long.MaxValue;
    }

    /// <summary>Readers that have begun so far, writers and flushes not counted; those beyond the slots are not
    /// included. A momentary view, for estimating load: each reader counts in its own slot, so that counting costs
    /// nothing.</summary>
    public long CountBegun()
    {
        long count = 0;
        int highest = Volatile.Read(ref _highest);
        for (int slot = 0; slot <= highest; slot++)
        {
            count += Volatile.Read(ref _slots[Index(slot) + ReadsOffset]);
        }

        return count;
    }

    /// <summary>Number of active readers; a momentary view.</summary>
    public int CountActive()
    {
        int count = 0;
        int highest = Volatile.Read(ref _highest);
        for (int slot = 0; slot <= highest; slot++)
        {
            count += Volatile.Read(ref _slots[Index(slot)]) != 0 ? 1 : 0;
        }

        lock (_overflowLock)
        {
            return count + _overflow.Count;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Index(int slot) => (slot + 1) * Stride;

    private static ActiveReader Older(in ActiveReader one, in ActiveReader other)
    {
        bool isOther = other.Sequence != 0
            && (other.Sequence, other.BeganMs).CompareTo((one.Sequence, one.BeganMs)) < 0;
        return isOther ? other : one;
    }

    // Between claim and description the slot has no start time: that reader began just now.
    private ActiveReader Look(int place)
    {
        long sequence = Volatile.Read(ref _slots[place]);
        long began = Volatile.Read(ref _slots[place + BeganOffset]);
        var kind = (ReaderKind)Volatile.Read(ref _slots[place + KindOffset]);
        long added = Volatile.Read(ref _slots[place + AddedBytesOffset]);
        bool isStill = sequence != 0 && began != 0 && Volatile.Read(ref _slots[place]) == sequence;
        return isStill ? new ActiveReader(sequence, began, kind, added) : default;
    }

    private void Describe(int slot, ReaderKind kind, EnvironmentState state)
    {
        if (slot < SlotCount)
        {
            int place = Index(slot);
            _slots[place + KindOffset] = (long)kind;
            _slots[place + AddedBytesOffset] = state.Pages.AddedBytes;
            _slots[place + ReadsOffset] += kind is ReaderKind.Write or ReaderKind.Flush ? 0 : 1;
            Volatile.Write(ref _slots[place + BeganOffset], Environment.TickCount64);
            return;
        }

        lock (_overflowLock)
        {
            _overflow[slot] = new ActiveReader(state.Sequence, Environment.TickCount64, kind, state.Pages.AddedBytes);
        }
    }

    private int Claim(long sequence)
    {
        Debug.Assert(sequence > 0, "0 is a free slot");
        int start = Environment.CurrentManagedThreadId;
        for (int i = 0; i < SlotCount; i++)
        {
            int slot = (start + i) % SlotCount;
            ref long place = ref _slots[Index(slot)];
            if (Volatile.Read(ref place) == 0)
            {
                RaiseHighest(slot);
                if (Interlocked.CompareExchange(ref place, sequence, 0) == 0)
                {
                    return slot;
                }
            }
        }

        lock (_overflowLock)
        {
            _overflowUses++;
            int id = ++_overflowId;
            _overflow.Add(id, new ActiveReader(sequence, Environment.TickCount64, default, 0));
            return id;
        }
    }

    private int Renew(int slot, long sequence)
    {
        if (slot < SlotCount)
        {
            Debug.Assert(Volatile.Read(ref _slots[Index(slot)]) != 0, "only the owner changes a slot");
            Interlocked.Exchange(ref _slots[Index(slot)], sequence);
            return slot;
        }

        lock (_overflowLock)
        {
            _overflow[slot] = _overflow[slot] with { Sequence = sequence };
            return slot;
        }
    }

    // Raised before the slot is claimed: a scan that misses the slot then also precedes the claim, and the reader will see everything that was
    // published before that scan.
    private void RaiseHighest(int slot)
    {
        int highest = Volatile.Read(ref _highest);
        while (slot > highest)
        {
            int seen = Interlocked.CompareExchange(ref _highest, slot, highest);
            if (seen == highest)
            {
                return;
            }

            highest = seen;
        }
    }
}
