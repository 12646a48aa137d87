using System.Diagnostics;

namespace Jackdaw.Client.Caching;

/// <summary>When each tag changed last, in memory that does not grow: a count-min sketch that holds stamps instead of counts.</summary>
/// <remarks>
/// A tag has one slot in each of two rows, and may share each of them with other tags. Marking a tag writes both slots, so the smaller of the two
/// stamps is never before the tag's last change. A change is therefore never missed, and an unchanged tag looks changed only if other tags have
/// marked both of its slots. When 1,000 tags have changed since an answer was verified, that happens to 1 of 1,000 tags. A map of tags would be
/// exact until it is full. Then it would have to forget tags, and all forgotten ones would be suspect at once.
/// <para>Each slot also keeps the stamp before the last one. It says when an answer became suspect, and not only that it is suspect.</para>
/// <para>One thread at a time marks tags, under the tracker's lock. Any number of threads read without a lock.</para>
/// </remarks>
internal sealed class ChangeTable
{
    /// <summary>Stands for no change. It is larger than all stamps.</summary>
    public const long Never = long.MaxValue;

    /// <summary>2 rows of 32,768 slots of 16 bytes are 1 MB. With a quarter of the memory, 1 of 80 unchanged tags would look changed instead of 1
    /// of 1,000.</summary>
    public const int UsualSlotBits = 15;

    private readonly int _slotBits;
    private readonly long[] _stamps; // pairs: last stamp, the one before

    /// <param name="slotBits">Logarithm of the number of slots in a row, 1 to 16.</param>
    public ChangeTable(int slotBits)
    {
        Debug.Assert(slotBits is >= 1 and <= 16, "a tag has 32 bits for its two slots");
        _slotBits = slotBits;
        _stamps = new long[(4 << slotBits) + 2];
    }

    /// <summary>The stamp that belongs to all tags.</summary>
    private int SlotOfAll => 4 << _slotBits;

    public void Mark(AnswerTag tag, long stamp)
    {
        MarkSlot(FirstSlot(tag), stamp);
        MarkSlot(SecondSlot(tag), stamp);
    }

    /// <summary>Notes that all tags have changed.</summary>
    public void MarkAll(long stamp) => MarkSlot(SlotOfAll, stamp);

    /// <summary>When the first of some tags changed; <see cref="Never"/> when none did. The result is never too late, but may be too early: for a
    /// tag that changed several times it may be <paramref name="since"/>.</summary>
    public long FirstChange(ReadOnlySpan<AnswerTag> tags, long since)
    {
        long first = FirstChange(SlotOfAll, since);
        foreach (AnswerTag tag in tags)
        {
            long change = FirstChange(FirstSlot(tag), since);
            if (change != Never)
            {
                // Each row says "not before". The later one is closer to the truth, and when one of them says "never", it is right.
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
            // This order matters: a reader that sees the new stamp also sees the one before it.
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
