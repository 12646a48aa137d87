using System.Diagnostics;
using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>Changes of a page. The page is the transaction's own copy (from
/// <see cref="PageWriter.ModifyPage"/>).</summary>
internal readonly unsafe partial struct TreePage
{
    /// <summary>Makes room for a node and its slot, moving nodes only when the contiguous part is too small.</summary>
    /// <returns>False when the page is too full.</returns>
    public bool MakeRoom(int bytes)
    {
        if (Header.Upper - Header.Lower >= bytes)
        {
            return true;
        }

        if (FreeBytes < bytes)
        {
            return false;
        }

        Compact();
        if (Header.Upper - Header.Lower < bytes)
        {
            ThrowDamaged("the count of fragmented bytes is wrong");
        }

        return true;
    }

    /// <summary>Adds an entry; there is room (<see cref="MakeRoom"/>).</summary>
    /// <returns>The payload to fill.</returns>
    public byte* Insert(int index, ReadOnlySpan<byte> key, int field)
    {
        Debug.Assert(field is >= 0 and <= OverflowMark);
        byte* node = InsertSlot(index, NodeBytes(key.Length, field));
        Unsafe.WriteUnaligned(node, (ushort)key.Length);
        Unsafe.WriteUnaligned(node + 2, (ushort)field);
        key.CopyTo(new Span<byte>(node + NodeHeaderBytes, key.Length));
        return node + NodeHeaderBytes + key.Length;
    }

    /// <summary>Adds an entry to a branch; there is room.</summary>
    public void InsertChild(int index, ReadOnlySpan<byte> key, PageNumber child) =>
        Unsafe.WriteUnaligned(Insert(index, key, ChildBytes), child.Value);

    /// <summary>Copies entries <paramref name="from"/> (inclusive) to <paramref name="to"/> (exclusive) of another
    /// page to
    /// <paramref name="index"/>; there is room.</summary>
    public void CopyFrom(TreePage source, int from, int to, int index)
    {
        for (int i = from; i < to; i++)
        {
            int bytes = source.NodeBytesAt(i);
            if (Header.Upper - Header.Lower < bytes + SlotBytes)
            {
                source.ThrowDamaged("its nodes overlap");
            }

            Unsafe.CopyBlockUnaligned(InsertSlot(index++, bytes), source.NodeAt(i), (uint)bytes);
        }
    }

    /// <summary>Removes an entry; its node becomes a gap, or free space when it was the lowest.</summary>
    public void Remove(int index)
    {
        int bytes = NodeBytesAt(index);
        int offset = Slots[index];
        int count = Count - 1;
        new Span<ushort>(Slots + index + 1, count - index).CopyTo(new Span<ushort>(Slots + index, count - index));
        SetCount(count);
        if (count == 0)
        {
            Header.Upper = Page.Size;
            Fragmented = 0;
        }
        else if (offset == Header.Upper)
        {
            Header.Upper = (ushort)(offset + bytes);
        }
        else
        {
            Fragmented = (ushort)(Fragmented + bytes);
        }
    }

    /// <summary>Gives an entry a payload that is not larger, in place; the rest of the old one becomes a gap.</summary>
    /// <returns>The payload to fill.</returns>
    public byte* ShrinkPayload(int index, int field)
    {
        byte* payload = PayloadAt(index, out int old);
        int gap = PayloadBytes(old) - PayloadBytes(field);
        Debug.Assert(gap >= 0);
        if (old != field)
        {
            Unsafe.WriteUnaligned(NodeAt(index) + 2, (ushort)field);
            AddFragmented(gap);
        }

        return payload;
    }

    /// <summary>Empties the key of a branch's first entry, which has just become the first.</summary>
    public void ClearFirstKey()
    {
        byte* node = NodeAt(0);
        int length = KeyLength(node);
        long child = ChildAt(0).Value;
        Unsafe.WriteUnaligned(node, (ushort)0);
        Unsafe.WriteUnaligned(node + NodeHeaderBytes, child);
        AddFragmented(length);
    }

    /// <summary>Replaces the child of a branch's entry.</summary>
    public void SetChild(int index, PageNumber child)
    {
        byte* payload = PayloadAt(index, out int field);
        if (field != ChildBytes)
        {
            ThrowDamaged($"entry {index} of a branch has a value of {field} bytes");
        }

        Unsafe.WriteUnaligned(payload, child.Value);
    }

    /// <summary>Drops the entries from <paramref name="count"/> on. No node moves: their bytes stay readable until
    /// the next change.</summary>
    public void Truncate(int count)
    {
        int lowest = Page.Size;
        int bytes = 0;
        for (int i = 0; i < count; i++)
        {
            lowest = Math.Min(lowest, Slots[i]);
            bytes += NodeBytesAt(i);
        }

        if (lowest < Header.Upper || bytes > Page.Size - lowest)
        {
            ThrowDamaged("its nodes overlap");
        }

        SetCount(count);
        Header.Upper = (ushort)lowest;
        Fragmented = (ushort)(Page.Size - lowest - bytes);
    }

    /// <summary>Closes all gaps. Nodes above the highest gap stay where they are.</summary>
    [SkipLocalsInit]
    private void Compact()
    {
        int count = Count;
        Span<uint> byOffset = stackalloc uint[count];
        for (int i = 0; i < count; i++)
        {
            byOffset[i] = ((uint)Slots[i] << 16) | (uint)i;
        }

        byOffset.Sort();
        int end = Page.Size;
        for (int i = count - 1; i >= 0; i--)
        {
            int index = (ushort)byOffset[i];
            int bytes = NodeBytesAt(index);
            int offset = Slots[index];
            if (offset + bytes > end || offset < Header.Lower)
            {
                ThrowDamaged("its nodes overlap");
            }

            end -= bytes;
            if (end != offset)
            {
                Buffer.MemoryCopy(address + offset, address + end, bytes, bytes);
                Slots[index] = (ushort)end;
            }
        }

        Header.Upper = (ushort)end;
        Fragmented = 0;
    }

    private byte* InsertSlot(int index, int bytes)
    {
        Debug.Assert(Header.Upper - Header.Lower >= bytes + SlotBytes);
        Debug.Assert((uint)index <= (uint)Count);
        int count = Count;
        int upper = Header.Upper - bytes;
        new Span<ushort>(Slots + index, count - index).CopyTo(new Span<ushort>(Slots + index + 1, count - index));
        Slots[index] = (ushort)upper;
        SetCount(count + 1);
        LastInsert = (ushort)(index + 1);
        Header.Upper = (ushort)upper;
        return address + upper;
    }

    private void SetCount(int count)
    {
        Header.Count = (ushort)count;
        Header.Lower = (ushort)(SlotsOffset + (count * SlotBytes));
    }

    private void AddFragmented(int bytes)
    {
        int fragmented = Fragmented + bytes;
        if (fragmented > Page.Size - Header.Upper)
        {
            ThrowDamaged("the count of fragmented bytes is wrong");
        }

        Fragmented = (ushort)fragmented;
    }
}
