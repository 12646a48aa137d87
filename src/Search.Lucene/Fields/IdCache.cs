using System.Numerics;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>Ids of entries of one reader that were read lately. Any thread; a slot holds the last id that was put into it.</summary>
/// <param name="entries">The number of entries of the reader, including deleted ones.</param>
/// <remarks>The column of ids is compressed: to read an id, up to fifteen ids before it are unpacked.</remarks>
internal sealed class IdCache(int entries)
{
    /// <summary>The most slots: enough for the entries of some thousand pages, and about 1.5 MB with usual ids.</summary>
    private const int SlotsMax = 16 * 1024;

    private readonly Slot?[] _slots = new Slot?[Math.Min(SlotsMax, (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(1, entries)))];

    /// <summary>The id of an entry; null when it is not known.</summary>
    public byte[]? Find(int ordinal) => SlotOf(ordinal) is { } slot && slot.Ordinal == ordinal ? slot.Id : null;

    public void Put(int ordinal, byte[] id) => SlotOf(ordinal) = new Slot(ordinal, id);

    private ref Slot? SlotOf(int ordinal) => ref _slots[ordinal & (_slots.Length - 1)];

    private sealed record Slot(int Ordinal, byte[] Id);
}
