using System.Buffers.Binary;
using System.Diagnostics;
using Jackdaw.Storage;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Schedules;

/// <summary>The index by time of documents and values to which something happens later. The transaction that writes them updates it.</summary>
/// <remarks>
/// <code>
/// tree       key                                    value
/// Due        kind (1), UTC ticks (8, big-endian),   empty
///            key of the document or value
/// Schedules  domain (1), key                        for each time: kind (1), UTC ticks (8, little-endian)
/// </code>
/// The second tree says which entries the first one has, so that they can be removed when the document changes. The first document that has a time creates
/// both. The same table is in docs/formats/documents.md.
/// </remarks>
internal sealed class ScheduleTree(TreeCatalog trees)
{
    private const int TimeBytes = 1 + sizeof(long);

    private bool? _hasSchedules;

    /// <summary>The earliest time that this object has added, in UTC ticks; <see cref="long.MaxValue"/> for none.</summary>
    public long EarliestAdded { get; private set; } = long.MaxValue;

    private static ReadOnlySpan<byte> TreeName => "Due"u8;

    private static ReadOnlySpan<byte> SchedulesName => "Schedules"u8;

    // Nearly all databases have none, and look for the tree once per transaction.
    private bool HasSchedules => _hasSchedules ??= trees.FindTree(SchedulesName) is { EntryCount: > 0 };

    /// <summary>Replaces the times of a document or a value.</summary>
    /// <param name="key">The key, which is not a view of pages.</param>
    /// <param name="times">The new times; empty when it has none any more.</param>
    public void Replace(ScheduleDomain domain, ReadOnlySpan<byte> key, ReadOnlySpan<ScheduledTime> times)
    {
        if (times.IsEmpty && !HasSchedules)
        {
            return;
        }

        Span<byte> entry = stackalloc byte[1 + key.Length];
        entry[0] = (byte)domain;
        key.CopyTo(entry[1..]);
        BTree schedules = trees.CreateTree(SchedulesName);
        BTree schedule = trees.CreateTree(TreeName);
        Span<byte> before = stackalloc byte[DocumentSchedule.TimesMax * TimeBytes];
        before = before[..Copy(schedules, entry, before)];
        Span<byte> after = stackalloc byte[DocumentSchedule.TimesMax * TimeBytes];
        after = after[..Format(times, after)];
        if (before.SequenceEqual(after))
        {
            return;
        }

        RemoveAll(schedule, before, key);
        Span<byte> scheduleKey = stackalloc byte[TimeBytes + key.Length];
        foreach (ScheduledTime time in times)
        {
            FormatKey(time, key, scheduleKey);
            schedule.Put(scheduleKey, default);
            EarliestAdded = Math.Min(EarliestAdded, time.Ticks);
        }

        if (times.IsEmpty)
        {
            schedules.Delete(entry);
        }
        else
        {
            schedules.Put(entry, after);
            _hasSchedules = true;
        }
    }

    /// <summary>Removes an entry that its document or value does not have any more; false when there is no such entry.</summary>
    public bool Remove(ScheduledItem item)
    {
        Span<byte> key = stackalloc byte[TimeBytes + item.Key.Length];
        FormatKey(new ScheduledTime(item.Kind, item.Ticks), item.Key, key);
        return trees.FindTree(TreeName) is { } schedule && schedule.Delete(key);
    }

    /// <summary>The next time of a kind, in UTC ticks; null when there is none.</summary>
    public static long? FindNext(TreeCatalog trees, ScheduleKind kind)
    {
        if (trees.FindTree(TreeName) is not { EntryCount: > 0 } schedule)
        {
            return null;
        }

        using BTreeCursor cursor = schedule.OpenCursor();
        return cursor.Seek([(byte)kind]) && TryParse(cursor.Key, kind, out long ticks) ? ticks : null;
    }

    /// <summary>What is schedule, the oldest first.</summary>
    /// <param name="upToTicks">UTC.</param>
    public static List<ScheduledItem> ReadScheduled(TreeCatalog trees, ScheduleKind kind, long upToTicks, int itemsMax)
    {
        var items = new List<ScheduledItem>();
        if (trees.FindTree(TreeName) is not { EntryCount: > 0 } schedule)
        {
            return items;
        }

        using BTreeCursor cursor = schedule.OpenCursor();
        for (bool on = cursor.Seek([(byte)kind]); on && items.Count < itemsMax; on = cursor.MoveNext())
        {
            if (!TryParse(cursor.Key, kind, out long ticks) || ticks > upToTicks)
            {
                break;
            }

            items.Add(new ScheduledItem(kind, ticks, cursor.Key[TimeBytes..].ToArray()));
        }

        return items;
    }

    /// <summary>Whether the document or the value of an item still has its time.</summary>
    public static bool IsCurrent(TreeCatalog trees, ScheduledItem item) =>
        Read(trees, item.Domain, item.Key).Contains(new ScheduledTime(item.Kind, item.Ticks));

    /// <summary>The times of a document or a value.</summary>
    public static List<ScheduledTime> Read(TreeCatalog trees, ScheduleDomain domain, ReadOnlySpan<byte> key)
    {
        var times = new List<ScheduledTime>();
        byte[] entry = [(byte)domain, .. key];
        if (trees.FindTree(SchedulesName) is { } schedules && schedules.TryGet(entry, out ReadOnlySpan<byte> stored))
        {
            for (; !stored.IsEmpty; stored = stored[TimeBytes..])
            {
                CheckLength(stored.Length);
                times.Add(new ScheduledTime((ScheduleKind)stored[0], BinaryPrimitives.ReadInt64LittleEndian(stored[1..])));
            }
        }

        return times;
    }

    /// <summary>The number of entries of the index by time.</summary>
    public static long Count(TreeCatalog trees) => trees.FindTree(TreeName)?.EntryCount ?? 0;

    private static void RemoveAll(BTree schedule, ReadOnlySpan<byte> times, ReadOnlySpan<byte> key)
    {
        Span<byte> scheduleKey = stackalloc byte[TimeBytes + key.Length];
        for (; !times.IsEmpty; times = times[TimeBytes..])
        {
            FormatKey(new ScheduledTime((ScheduleKind)times[0], BinaryPrimitives.ReadInt64LittleEndian(times[1..])), key, scheduleKey);
            bool wasThere = schedule.Delete(scheduleKey);
            Debug.Assert(wasThere, "both trees change together");
        }
    }

    private static int Copy(BTree schedules, ReadOnlySpan<byte> entry, Span<byte> times)
    {
        if (!schedules.TryGet(entry, out ReadOnlySpan<byte> stored))
        {
            return 0;
        }

        CheckLength(stored.Length);
        stored.CopyTo(times);
        return stored.Length;
    }

    private static int Format(ReadOnlySpan<ScheduledTime> times, Span<byte> destination)
    {
        int written = 0;
        foreach (ScheduledTime time in times)
        {
            Debug.Assert(time.Ticks > 0);
            destination[written] = (byte)time.Kind;
            BinaryPrimitives.WriteInt64LittleEndian(destination[(written + 1)..], time.Ticks);
            written += TimeBytes;
        }

        return written;
    }

    private static void FormatKey(ScheduledTime time, ReadOnlySpan<byte> key, Span<byte> destination)
    {
        destination[0] = (byte)time.Kind;
        BinaryPrimitives.WriteInt64BigEndian(destination[1..], time.Ticks);
        key.CopyTo(destination[TimeBytes..]);
    }

    // Returns false when the entry belongs to a later kind.
    private static bool TryParse(ReadOnlySpan<byte> key, ScheduleKind kind, out long ticks)
    {
        if (key.Length <= TimeBytes)
        {
            throw new CorruptionException($"An entry of the tree 'Due' has a key of {key.Length} bytes.");
        }

        ticks = BinaryPrimitives.ReadInt64BigEndian(key[1..]);
        return key[0] == (byte)kind;
    }

    private static void CheckLength(int bytes)
    {
        if (bytes is 0 or > DocumentSchedule.TimesMax * TimeBytes || bytes % TimeBytes != 0)
        {
            throw new CorruptionException($"An entry of the tree 'Schedules' has {bytes} bytes.");
        }
    }
}
