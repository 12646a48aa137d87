using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>One page of rows: a view, no state. Slots grow up from the header, rows grow down from the page's
/// end.</summary>
/// <remarks>
/// <code>
/// offset size field
///     28    1 page type: Rows
///     29    1 flags: index of the page in its section; the directory page lies index + 1 pages before it
///     30    2 lower: end of the slots = 68 + 4 * count
///     32    2 upper: start of the lowest row
///     34    2 count: slots, freed ones included
///     64    2 first freed slot + 1, 0 = none
///     66    2 garbage: bytes of removed or shortened rows above upper, won back by compaction
///     68  4*n slots: u16 offset of the row, u16 length; freed: offset 0, next freed slot + 1
/// </code>
/// A slot keeps its index while its row lives, so row ids survive compaction. A page without rows has no slots either.
/// The same table is in docs/formats/tables.md.
/// </remarks>
internal readonly ref struct RowPage
{
    /// <summary>Bytes for rows and slots of an empty page.</summary>
    public const int EmptyFreeBytes = Page.Size - SlotsOffset;

    /// <summary>Bytes of one slot.</summary>
    public const int SlotBytes = 4;

    /// <summary>Longest row in a page: two such rows fit. A longer row alone in a page would waste up to half of it. As
    /// an overflow run it wastes at most the rest of its last page, and moves no other row.</summary>
    public const int RowBytesMax = (EmptyFreeBytes - (2 * SlotBytes)) / 2;

    private const int FreedSlotOffset = PageHeader.SizeOf;
    private const int GarbageOffset = PageHeader.SizeOf + 2;
    private const int SlotsOffset = PageHeader.SizeOf + 4;
    private const int SlotCountMax = EmptyFreeBytes / SlotBytes;

    private readonly Span<byte> _bytes;

    public RowPage(Page page) => _bytes = PageBytes.Of(page);

    /// <summary>Index in the section.</summary>
    public int SectionIndex => Header.Flags;

    /// <summary>Slots, freed ones included.</summary>
    public int SlotCount => Header.Count;

    /// <summary>Bytes that a new row and its slot can take, after compaction at worst.</summary>
    public int FreeBytes => Header.Upper - Header.Lower + Garbage;

    /// <summary>Bytes of the rows.</summary>
    public int RowBytes => Page.Size - Header.Upper - Garbage;

    private ref PageHeader Header => ref MemoryMarshal.AsRef<PageHeader>(_bytes);

    private ref ushort FreedSlot => ref MemoryMarshal.AsRef<ushort>(_bytes[FreedSlotOffset..]);

    private ref ushort Garbage => ref MemoryMarshal.AsRef<ushort>(_bytes[GarbageOffset..]);

    /// <summary>A checked view of a page: it must be a row page of this owner, and its counts must lie inside the page.</summary>
    /// <exception cref="CorruptedPageException">The page is not such a page.</exception>
    public static RowPage Checked(Page page, uint ownerTag)
    {
        var view = new RowPage(page);
        ref PageHeader header = ref view.Header;
        if (header.Type != PageType.Rows || header.OwnerTag != ownerTag || header.Count > SlotCountMax ||
            header.Lower != SlotsOffset + (header.Count * SlotBytes) || header.Upper < header.Lower ||
            header.Upper > Page.Size || view.Garbage > Page.Size - header.Upper || view.FreedSlot > header.Count)
        {
            PageDamage.Throw(header.PageNumber, "not a row page of its table, or its bounds contradict each other");
        }

        return view;
    }

    /// <summary>Makes a new page ready.</summary>
    public void Format(int sectionIndex)
    {
        Header.Flags = checked((byte)sectionIndex);
        Reset();
    }

    /// <summary>Where a slot lies in its page.</summary>
    public static int OffsetOfSlot(int slot) => SlotsOffset + (Math.Min(slot, SlotCountMax - 1) * SlotBytes);

    /// <summary>A row; empty when the slot is freed.</summary>
    /// <exception cref="CorruptedPageException">There is no such slot, or it points out of the
    /// page.</exception>
    public Span<byte> Read(int slot)
    {
        ref PageHeader header = ref Header;
        if ((uint)slot >= header.Count || header.Count > SlotCountMax)
        {
            PageDamage.Throw(header.PageNumber, $"it has no slot {slot}");
        }

        RowSlot place = SlotAt(slot);
        if (place.Offset == 0)
        {
            return default;
        }

        if (place.Offset < SlotsOffset || place.Offset + place.Length > Page.Size)
        {
            PageDamage.Throw(header.PageNumber, $"slot {slot} points out of the page");
        }

        return _bytes.Slice(place.Offset, place.Length);
    }

    /// <summary>Makes room for a row; the caller has checked <see cref="FreeBytes"/> for it and a slot.</summary>
    public Span<byte> Insert(int length, out int slot)
    {
        Debug.Assert(length is > 0 and <= RowBytesMax);
        Debug.Assert(length + SlotBytes <= FreeBytes);
        slot = TakeSlot();
        if (Header.Upper - Header.Lower < length)
        {
            Compact();
        }

        Header.Upper -= (ushort)length;
        SlotAt(slot) = new RowSlot { Offset = Header.Upper, Length = (ushort)length };
        return _bytes.Slice(Header.Upper, length);
    }

    /// <summary>Removes the row of a slot that has one. The slot is reused; the bytes stay until the page is
    /// compacted.</summary>
    public void Delete(int slot)
    {
        ref RowSlot place = ref SlotAt(slot);
        Debug.Assert(place.Offset != 0);
        Release(place.Offset, place.Length);
        place = new RowSlot { Offset = 0, Length = FreedSlot };
        FreedSlot = (ushort)(slot + 1);
        if (RowBytes == 0)
        {
            Reset();
        }
    }

    /// <summary>Gives the row of a slot another length, its content undefined; false when the page has no room for
    /// it.</summary>
    public bool TryResize(int slot, int length, out Span<byte> row)
    {
        RowSlot place = SlotAt(slot);
        int growth = length - place.Length;
        row = default;
        if (growth > FreeBytes || length > RowBytesMax)
        {
            return false;
        }

        if (growth <= 0)
        {
            Garbage += (ushort)-growth;
            SlotAt(slot).Length = (ushort)length;
        }
        else
        {
            Grow(slot, place, length);
        }

        row = _bytes.Slice(SlotAt(slot).Offset, length);
        return true;
    }

    /// <summary>Where the row of a slot lies; 0 when the slot is freed.</summary>
    internal int OffsetOf(int slot) => SlotAt(slot).Offset;

    /// <summary>True when the list of freed slots names each of them once. For the verifier.</summary>
    internal bool AreFreedSlotsSound()
    {
        int freed = 0;
        for (int slot = 0; slot < SlotCount; slot++)
        {
            freed += SlotAt(slot).Offset == 0 ? 1 : 0;
        }

        int next = FreedSlot;
        for (; freed > 0 && next > 0 && next <= SlotCount && SlotAt(next - 1).Offset == 0; freed--)
        {
            next = SlotAt(next - 1).Length;
        }

        return freed == 0 && next == 0;
    }

    private void Grow(int slot, RowSlot place, int length)
    {
        Release(place.Offset, place.Length);
        // The slot holds no row while the page may be compacted: its old bytes are garbage already.
        SlotAt(slot) = default;
        if (Header.Upper - Header.Lower < length)
        {
            Compact();
        }

        Header.Upper -= (ushort)length;
        SlotAt(slot) = new RowSlot { Offset = Header.Upper, Length = (ushort)length };
    }

    private void Reset()
    {
        Header.Count = 0;
        Header.Lower = SlotsOffset;
        Header.Upper = Page.Size;
        FreedSlot = 0;
        Garbage = 0;
    }

    private ref RowSlot SlotAt(int slot)
    {
        Debug.Assert((uint)slot < SlotCountMax);
        return ref Unsafe.As<byte, RowSlot>(ref _bytes.Slice(SlotsOffset + (slot * SlotBytes), SlotBytes)[0]);
    }

    // The lowest row gives its bytes back at once; any other leaves garbage.
    private void Release(int offset, int length)
    {
        if (offset == Header.Upper)
        {
            Header.Upper += (ushort)length;
        }
        else
        {
            Garbage += (ushort)length;
        }
    }

    private int TakeSlot()
    {
        if (FreedSlot != 0)
        {
            int freed = FreedSlot - 1;
            RowSlot place = SlotAt(freed);
            if (place.Offset != 0 || place.Length > Header.Count)
            {
                PageDamage.Throw(Header.PageNumber, "its list of freed slots is broken");
            }

            FreedSlot = place.Length;
            SlotAt(freed) = default;
            return freed;
        }

        if (Header.Upper - Header.Lower < SlotBytes)
        {
            Compact();
        }

        Debug.Assert(Header.Upper - Header.Lower >= SlotBytes);
        SlotAt(Header.Count) = default;
        Header.Lower += SlotBytes;
        return Header.Count++;
    }

    // Rows move up against the page's end, highest first, so none is overwritten before it has moved; rows that are
    // already in place are not moved.
    private void Compact()
    {
        Span<uint> order = stackalloc uint[SlotCountMax];
        int rows = 0;
        for (int slot = 0; slot < Header.Count; slot++)
        {
            if (SlotAt(slot).Offset != 0)
            {
                order[rows++] = ((uint)SlotAt(slot).Offset << 16) | (uint)slot;
            }
        }

        order = order[..rows];
        order.Sort();
        int upper = Page.Size;
        int above = Page.Size;
        for (int i = rows - 1; i >= 0; i--)
        {
            ref RowSlot place = ref SlotAt((int)(order[i] & 0xFFFF));
            if (place.Offset < Header.Upper || place.Offset + place.Length > above)
            {
                PageDamage.Throw(Header.PageNumber, "rows overlap or lie outside of the page");
            }

            above = place.Offset;
            upper -= place.Length;
            _bytes.Slice(place.Offset, place.Length).CopyTo(_bytes[upper..]);
            place.Offset = (ushort)upper;
        }

        if (upper != Header.Upper + Garbage)
        {
            PageDamage.Throw(Header.PageNumber, "its garbage count does not match its rows");
        }

        Header.Upper = (ushort)upper;
        Garbage = 0;
    }

    private struct RowSlot
    {
        public ushort Offset;
        public ushort Length;
    }
}
