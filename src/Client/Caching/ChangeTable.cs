using System.Diagnostics;

namespace Jackdaw.Client.Caching;

/// <summary>When each tag changed last, in memory that does not grow: a count-min sketch that holds stamps instead of counts.</summary>
/// <remarks>
/// A tag has one slot in each of two rows, and other tags may share either. Marking writes both, so the smaller of the two is never before the tag's
/// last change: a change is never
/// missed, and one is seen in vain only if both slots were marked by others. With 1,000 tags changed since an answer was verified, that is 1 of 1,000
/// tags. A map of tags would be exact
/// until it is full, and then have to forget, which makes everything that it forgot suspect at once.
/// <para>Each slot keeps the stamp before the last one too. It tells when an answer became suspect, not only that it is.</para>
/// <para>One thread marks at a time (the tracker's lock); any number reads without a lock.</para>
/// </remarks>
internal sealed class ChangeTable
{
    /// <summary>No change. Larger than all stamps.</summary>
    public const long Never = long.MaxValue;

    /// <summary>2 rows of 32,768 slots of 16 bytes are 1 MB. A quarter of it would see 1 of 80 in vain where this sees 1 of 1,000.</summary>
    public const int UsualSlotBits = 15;

    private readonly int _slotBits;
    private readonly long[] _stamps; // pairs: last stamp, the one before

    /// <param name="slotBits">Logarithm of the slots of a row, 1 to 16.</param>
    public ChangeTable(int slotBits)
    {
        Debug.Assert(slotBits is >= 1 and <= 16, "a tag has 32 bits for its two slots");
        _slotBits = slotBits;
        _stamps = new long[(4 << slotBits) + 2];
    }

    /// <summary>Belongs to all tags.</summary>
    private int SlotOfAll => 4 << _slotBits;

    public void Mark(AnswerTag tag, long stamp)
    {
        MarkSlot(FirstSlot(tag), stamp);
        MarkSlot(SecondSlot(tag), stamp);
    }

    /// <summary>All tags changed.</summary>
    public void MarkAll(long stamp) => MarkSlot(SlotOfAll, stamp);

    /// <summary>When the first of some tags changed; <see cref="Never"/> when none did. Not later than it was: where a tag changed several times, it
    /// may be <paramref name="since"/>.</summary>
    public long FirstChange(ReadOnlySpan<AnswerTag> tags, long since)
    {
        long first = FirstChange(SlotOfAll, since);
        foreach (AnswerTag tag in tags)
        {
            long change = FirstChange(FirstSlot(tag), since);
            if (change != Never)
            {
                // Each row says "not before"; the later one is nearer to the truth, and "never" in one of them is the truth.
                first = Math.Min(first, Math.Max(change, FirstChange(SecondSlot(tag), since)));
            }
        }

        return first;
    }

    private int FirstSlot(AnswerTag tag) => (int)(tag.Hash & ((1U << _slotBits) - 1)) * 2;

    private int SecondSlot(AnswerTag tag) => (int)((tag.Hash >> (32 - _slotBits)) + (1U << _slotBits)) * 2;

    private void MarkSlot(int slot, long stamp)
    {
        long last = _stamps[slot];
        if (last != stamp)
        {
            // In this order: who sees the new stamp sees the one before it as well.
            Volatile.Write(ref _stamps[slot + 1], last);
            Volatile.Write(ref _stamps[slot], stamp);
        }
    }

    private long FirstChange(int slot, long since)
    {
        long last = Volatile.Read(ref _stamps[slot]);
        if (last <= since)
        {
            return Never;
        }

        return Volatile.Read(ref _stamps[slot + 1]) <= since ? last : since;
    }
}
