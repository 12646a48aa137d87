using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>View of one leaf or branch of a B+tree: a slotted page. Slots grow up from the header, nodes grow down
/// from the page's end.</summary>
/// <remarks>
/// Body, little-endian; the same table is in docs/formats/btree.md:
/// <code>
/// offset size field
///     64    2 fragmented: bytes at or above "upper" that belong to no node
///     66    2 last insert: 1 + index of the entry inserted last, 0 = none; a hint, any value is legal
///     68    4 reserved, zero
///     72  2*n slots: offset of the node of each entry from the page's start, in key order; they end at "lower"
///          .. free, up to "upper" (content undefined: zero, or old bytes of this same page)
///          .. nodes in any order, with gaps
///
/// node: 2 key length
///       2 value length; 0xFFFF = the value lies in an overflow run
///       k key
///       v leaf: value, or 8 first page of the run + 4 bytes of the value; branch: 8 child page
/// </code>
/// Invariants:
/// <list type="number">
/// <item>Keys rise strictly with the slot. The key of a branch's first entry is empty and never read: it stands for
/// "before all".</item>
/// <item>lower = 72 + 2 * count, lower &lt;= upper &lt;= 8192, count &gt;= 1 between changes of the tree.</item>
/// <item>upper + bytes of all nodes + fragmented = 8192.</item>
/// </list>
/// A change touches as few bytes as possible, since the journal stores byte differences: nodes move only when
/// <see cref="Compact"/> must make room. Everything that is read here may be damaged: offsets and lengths are checked at each
/// use, so that damage is an exception and never an access outside of the page.
/// </remarks>
internal readonly unsafe partial struct TreePage(byte* address)
{
    /// <summary>Start of the slots.</summary>
    public const int SlotsOffset = PageHeader.SizeOf + 8;

    /// <summary>Bytes of a page for slots and nodes.</summary>
    public const int Capacity = Page.Size - SlotsOffset;

    /// <summary>Bytes of a slot.</summary>
    public const int SlotBytes = 2;

    /// <summary>Bytes of a node before its key.</summary>
    public const int NodeHeaderBytes = 4;

    /// <summary>Value length of a node whose value lies in an overflow run.</summary>
    public const int OverflowMark = 0xFFFF;

    /// <summary>Bytes of a node's reference to an overflow run.</summary>
    public const int RunReferenceBytes = 12;

    /// <summary>Bytes of a child's page number: the value length of a branch's nodes.</summary>
    public const int ChildBytes = 8;

    private const int FragmentedOffset = PageHeader.SizeOf;
    private const int LastInsertOffset = FragmentedOffset + sizeof(ushort);
    private const int ReservedOffset = LastInsertOffset + sizeof(ushort);

    public TreePage(Page page)
        : this(page.Address)
    {
    }

    /// <summary>Where the page begins.</summary>
    public byte* Address => address;

    public ref PageHeader Header => ref Unsafe.AsRef<PageHeader>(address);

    public PageNumber Number => Header.PageNumber;

    public int Count => Header.Count;

    public bool IsBranch => Header.Type == PageType.TreeBranch;

    /// <summary>Bytes in gaps between nodes.</summary>
    public int FragmentedBytes => Fragmented;

    /// <summary>Bytes that are free, contiguous or not.</summary>
    public int FreeBytes => Header.Upper - Header.Lower + Fragmented;

    /// <summary>Bytes of nodes and slots.</summary>
    public int UsedBytes => Capacity - FreeBytes;

    /// <summary>Whether the bytes that no version of the format uses are zero.</summary>
    public bool ReservedIsZero => *(uint*)(address + ReservedOffset) == 0;

    /// <summary>1 + index of the entry inserted last, 0 when unknown. Later removals make it wrong: a hint
    /// only.</summary>
    public ref ushort LastInsert => ref Unsafe.AsRef<ushort>(address + LastInsertOffset);

    private ref ushort Fragmented => ref Unsafe.AsRef<ushort>(address + FragmentedOffset);

    private ushort* Slots => (ushort*)(address + SlotsOffset);

    /// <summary>Bytes of a payload with this value length field.</summary>
    public static int PayloadBytes(int field) => field == OverflowMark ? RunReferenceBytes : field;

    /// <summary>Bytes of a node, without its slot.</summary>
    public static int NodeBytes(int keyLength, int field) => NodeHeaderBytes + keyLength + PayloadBytes(field);

    /// <summary>A checked view of a stored page.</summary>
    /// <exception cref="CorruptedPageException">The page is not such a page of this tree, or its header is impossible.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static TreePage Load(Page page, PageType type, uint ownerTag)
    {
        var view = new TreePage(page);
        ref PageHeader header = ref view.Header;
        view.PrefetchSlots();
        if (header.Type != type || header.OwnerTag != ownerTag || header.OverflowBytes != 0 || header.Count == 0 ||
            header.Lower != SlotsOffset + (header.Count * SlotBytes) || header.Lower > header.Upper ||
            header.Upper > Page.Size)
        {
            view.ThrowHeader(type, ownerTag);
        }

        return view;
    }

    /// <summary>Turns a page fresh from the allocator into an empty tree page.</summary>
    public static TreePage Create(Page page)
    {
        page.Header.Lower = SlotsOffset;
        page.Header.Upper = Page.Size;
        return new TreePage(page);
    }

    /// <summary>Key of an entry; empty, not meaningful, for the first entry of a branch.</summary>
    public ReadOnlySpan<byte> KeyAt(int index)
    {
        byte* node = NodeAt(index);
        return new ReadOnlySpan<byte>(node + NodeHeaderBytes, KeyLength(node));
    }

    /// <summary>Payload of an entry, inside the page; <paramref name="field"/> is the value length, or
    /// <see cref="OverflowMark"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* PayloadAt(int index, out int field)
    {
        byte* node = NodeAt(index);
        field = Field(node);
        byte* payload = node + NodeHeaderBytes + KeyLength(node);
        if (payload + PayloadBytes(field) > address + Page.Size)
        {
            ThrowDamaged($"the value of entry {index} ends outside of the page");
        }

        return payload;
    }

    /// <summary>Value length of an entry, or <see cref="OverflowMark"/>.</summary>
    public int FieldAt(int index)
    {
        PayloadAt(index, out int field);
        return field;
    }

    /// <summary>Bytes of an entry's node.</summary>
    public int NodeBytesAt(int index)
    {
        byte* payload = PayloadAt(index, out int field);
        return (int)(payload + PayloadBytes(field) - NodeAt(index));
    }

    /// <summary>Offset of an entry's node from the page's start.</summary>
    public int NodeOffsetAt(int index) => (int)(NodeAt(index) - address);

    /// <summary>Child of a branch's entry.</summary>
    public PageNumber ChildAt(int index)
    {
        byte* payload = PayloadAt(index, out int field);
        if (field != ChildBytes)
        {
            ThrowDamaged($"entry {index} of a branch has a value of {field} bytes");
        }

        long child = Unsafe.ReadUnaligned<long>(payload);
        if (child <= 0)
        {
            ThrowDamaged($"the child of entry {index} is page {child}");
        }

        return new PageNumber(child);
    }

    /// <summary>Reference of an entry to its overflow run.</summary>
    public RunReference RunAt(int index)
    {
        byte* payload = PayloadAt(index, out int field);
        if (field != OverflowMark)
        {
            ThrowDamaged($"entry {index} refers to no overflow run");
        }

        var run = new RunReference(
            new PageNumber(Unsafe.ReadUnaligned<long>(payload)), Unsafe.ReadUnaligned<int>(payload + sizeof(long)));
        if (run.First.Value <= 0 || run.Bytes is <= 0 or > Page.OverflowBytesMax)
        {
            ThrowDamaged($"entry {index} refers to a run of {run.Bytes} bytes at page {run.First}");
        }

        return run;
    }

    /// <summary>True when any of the bytes lie in this page.</summary>
    public bool Overlaps(ReadOnlySpan<byte> bytes) => bytes.Overlaps(new ReadOnlySpan<byte>(address, Page.Size));

    [DoesNotReturn]
    public void ThrowDamaged(string reason) =>
        throw new CorruptedPageException($"tree {Header.OwnerTag:x8}", Number, reason);

    private static int KeyLength(byte* node) => Unsafe.ReadUnaligned<ushort>(node);

    private static int Field(byte* node) => Unsafe.ReadUnaligned<ushort>(node + 2);

    /// <summary>A node whose header and key lie inside the page.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private byte* NodeAt(int index)
    {
        System.Diagnostics.Debug.Assert((uint)index < (uint)Count);
        int offset = Slots[index];
        if ((uint)(offset - SlotsOffset) > Page.Size - NodeHeaderBytes - SlotsOffset ||
            offset + NodeHeaderBytes + KeyLength(address + offset) > Page.Size)
        {
            ThrowDamaged($"the node of entry {index} lies outside of the page (offset {offset})");
        }

        return address + offset;
    }

    [DoesNotReturn]
    private void ThrowHeader(PageType type, uint ownerTag) =>
        ThrowDamaged($"type {Header.Type}, owner {Header.OwnerTag:x8}, count {Header.Count}, " +
            $"lower {Header.Lower}, upper {Header.Upper}, overflow {Header.OverflowBytes}; " +
            $"expected {type} of owner {ownerTag:x8}");
}
