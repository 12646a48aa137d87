using System.Globalization;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Tables;

/// <summary>Where a row of a <see cref="RowHeap"/> lies: page number and slot. <c>default</c> means "none".</summary>
/// <remarks>Bits 16..63 page number, bits 0..15 slot, or <see cref="OverflowSlot"/> for a row that is an overflow run
/// of its own. Page numbers below 2^48: two exabytes of data file.</remarks>
public readonly record struct RowId(ulong Value)
{
    /// <summary>Slot of a row that has its own overflow run; no page has that many slots.</summary>
    public const int OverflowSlot = 0xFFFF;

    private const int SlotBits = 16;

    /// <summary>A row in a page, or with <see cref="OverflowSlot"/> in a run.</summary>
    public RowId(PageNumber page, int slot)
        : this(((ulong)page.Value << SlotBits) | (ushort)slot)
    {
    }

    /// <summary>No row.</summary>
    public static RowId None => default;

    /// <summary>True for <see cref="None"/>.</summary>
    public bool IsNone => Value == 0;

    /// <summary>The row page, or the first page of the run.</summary>
    public PageNumber Page => new((long)(Value >> SlotBits));

    /// <summary>Index into the slots of the page.</summary>
    public int Slot => (int)(Value & OverflowSlot);

    /// <summary>True when the row has its own overflow run.</summary>
    public bool IsOverflow => Slot == OverflowSlot;

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Page}:{Slot}");
}
