using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Search.Segments.Memory;

namespace Jackdaw.Search.Segments.Collecting;

/// <summary>The different terms of a batch, of all dictionaries together. Each has a number, from 0 on. One thread.</summary>
internal sealed unsafe class TermTable : IDisposable
{
    private const int SlotsMin = 1 << 10;

    /// <summary>The terms for which memory stays between batches.</summary>
    private const int KeptTermsMax = 1 << 18;

    private const int KeptBytesMax = 8 << 20;

    private readonly NativeList<TermRecord> _terms = new();
    private readonly NativeList<ulong> _slots = new(); // hash, number + 1; 0 = free
    private readonly NativeBuffer _bytes = new();

    /// <summary>The different terms.</summary>
    public int Count => _terms.Count;

    /// <summary>The number of a term.</summary>
    /// <param name="isNew">Whether it did not have one.</param>
    public int Add(int dictionary, ReadOnlySpan<byte> term, out bool isNew)
    {
        if (2 * (_terms.Count + 1) > _slots.Count)
        {
            Grow();
        }

        uint hash = HashOf(dictionary, term);
        int mask = _slots.Count - 1;
        for (int slot = (int)hash & mask; ; slot = (slot + 1) & mask)
        {
            ulong known = _slots[slot];
            if (known == 0)
            {
                _slots[slot] = SlotOf(hash, _terms.Count);
                _terms.Add(new TermRecord(hash, dictionary, _bytes.Length, term.Length));
                _bytes.AddBytes(term);
                isNew = true;
                return _terms.Count - 1;
            }

            if (IsAt(known, hash, dictionary, term))
            {
                isNew = false;
                return NumberOf(known);
            }
        }
    }

    /// <summary>Finds the number of a term.</summary>
    public bool TryFind(int dictionary, ReadOnlySpan<byte> term, out int number)
    {
        number = -1;
        if (_terms.IsEmpty)
        {
            return false;
        }

        uint hash = HashOf(dictionary, term);
        int mask = _slots.Count - 1;
        for (int slot = (int)hash & mask; ; slot = (slot + 1) & mask)
        {
            ulong known = _slots[slot];
            if (known == 0)
            {
                return false;
            }

            if (IsAt(known, hash, dictionary, term))
            {
                number = NumberOf(known);
                return true;
            }
        }
    }

    /// <summary>The bytes of a term; valid until one is added.</summary>
    public byte* TextOf(int term, out int length)
    {
        ref readonly TermRecord record = ref _terms[term];
        length = record.Length;
        return _bytes.Start + record.Offset;
    }

    public void Clear()
    {
        if (_terms.Count > KeptTermsMax)
        {
            _slots.Trim(0);
        }

        _slots.Span.Clear();
        _terms.Trim(KeptTermsMax);
        _bytes.Trim(KeptBytesMax);
    }

    public void Dispose()
    {
        _terms.Dispose();
        _slots.Dispose();
        _bytes.Dispose();
    }

    private static ulong SlotOf(uint hash, int number) => ((ulong)hash << 32) | (uint)(number + 1);

    private static int NumberOf(ulong slot) => (int)(uint)slot - 1;

    // A slot of another hash costs no look at its term.
    private bool IsAt(ulong slot, uint hash, int dictionary, ReadOnlySpan<byte> term)
    {
        if ((uint)(slot >> 32) != hash)
        {
            return false;
        }

        ref readonly TermRecord known = ref _terms[NumberOf(slot)];
        return known.Dictionary == dictionary && term.SequenceEqual(new ReadOnlySpan<byte>(_bytes.Start + known.Offset, known.Length));
    }

    private void Grow()
    {
        int count = Math.Max(SlotsMin, 2 * _slots.Count);
        ulong* slots = _slots.Resize(count);
        new Span<ulong>(slots, count).Clear();
        for (int i = 0; i < _terms.Count; i++)
        {
            int slot = (int)_terms[i].Hash & (count - 1);
            while (slots[slot] != 0)
            {
                slot = (slot + 1) & (count - 1);
            }

            slots[slot] = SlotOf(_terms[i].Hash, i);
        }
    }

    // Eight bytes at a time; the tables are small and live for one batch.
    private static uint HashOf(int dictionary, ReadOnlySpan<byte> term)
    {
        ref byte first = ref MemoryMarshal.GetReference(term);
        ulong hash = 0x9E3779B97F4A7C15UL ^ ((ulong)(uint)dictionary << 32) ^ (uint)term.Length;
        int i = 0;
        for (; i + sizeof(ulong) <= term.Length; i += sizeof(ulong))
        {
            hash = (hash ^ Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref first, i))) * 0xFF51AFD7ED558CCDUL;
            hash ^= hash >> 32;
        }

        ulong rest = 0;
        for (; i < term.Length; i++)
        {
            rest = (rest << 8) | Unsafe.Add(ref first, i);
        }

        hash = (hash ^ rest) * 0xC4CEB9FE1A85EC53UL;
        return (uint)(hash >> 32) ^ (uint)hash;
    }

    private readonly record struct TermRecord(uint Hash, int Dictionary, int Offset, int Length);
}
