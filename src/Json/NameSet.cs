using System.Buffers;
using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Jackdaw.Json;

/// <summary>Names of the objects that are open at one moment of a parse; finds the second of two equal ones.</summary>
/// <remarks>
/// A stack: an object's names are above those of the objects around it, and are removed when it closes. Invariants:
///  1. Only the innermost object gets names, so every entry from its first one up is its own.
///  2. An object of up to <see cref="LinearNamesMax"/> names is searched through its hashes, eight by one compare.
///     Beyond that ALL its names, and those of no small object, are also in one open-addressed table.
///  3. Table entries were inserted in stack order and leave in reverse order, so that emptying a slot restores the
///     table as it was before the insertion and linear probing needs no tombstones.
/// Names are compared as characters: <c>"a"</c> and <c>"\u0061"</c> are equal.
/// </remarks>
internal sealed class NameSet
{
    /// <summary>Above it the table is worth it: a linear search costs 4 vector compares for 32 names, the table one
    /// cache miss.</summary>
    private const int LinearNamesMax = 32;

    /// <summary>Entries kept between documents; a larger document's arrays are dropped with it.</summary>
    private const int CachedNamesMax = 16 * 1024;

    private const int FirstNames = 64;

    private uint[] _hashes = new uint[FirstNames + Vector256<uint>.Count];
    private Name[] _names = new Name[FirstNames];
    private int[] _table = [];
    private int _count;
    private int _tableCount;
    private int _scopeStart;

    /// <summary>Clears everything, including what an earlier text left when it was refused half-way.</summary>
    public void Reset()
    {
        if (_names.Length > CachedNamesMax)
        {
            _hashes = new uint[FirstNames + Vector256<uint>.Count];
            _names = new Name[FirstNames];
            _table = [];
        }
        else if (_tableCount > 0)
        {
            Array.Clear(_table);
        }
        _count = _tableCount = _scopeStart = 0;
    }

    /// <summary>Begins an object.</summary>
    /// <returns>What its <see cref="Close"/> needs.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Open()
    {
        int outer = _scopeStart;
        _scopeStart = _count;
        return outer;
    }

    /// <summary>Ends the innermost object.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Close(int outer)
    {
        if (_count - _scopeStart > LinearNamesMax)
        {
            RemoveScopeFromTable();
        }
        _count = _scopeStart;
        _scopeStart = outer;
    }

    /// <summary>Adds a name of the innermost object, given by its text in <paramref name="json"/>, which must be the
    /// same span for all names since <see cref="Reset"/>.</summary>
    /// <returns>The position of the equal name that the object already has, or -1 when the name was added.</returns>
    public int Add(ReadOnlySpan<byte> json, int start, int length, StringTraits traits)
    {
        var name = new Name(start, length, (traits & StringTraits.Escapes) != 0);
        ReadOnlySpan<byte> text = json.Slice(start, length);
        uint hash = name.HasEscapes ? HashUnescaped(text) : NameHash.Compute(text);
        // The object is mixed in: otherwise a name would start its probe at the equal names of the objects around it.
        hash += (uint)_scopeStart * 0x9E3779B1;
        int scopeCount = _count - _scopeStart;
        int equal = scopeCount <= LinearNamesMax ? FindLinear(json, name, hash) : FindInTable(json, name, hash);
        if (equal >= 0)
        {
            return _names[equal].Start;
        }
        if (_count == _names.Length)
        {
            Array.Resize(ref _hashes, (_count * 2) + Vector256<uint>.Count);
            Array.Resize(ref _names, _count * 2);
        }
        _hashes[_count] = hash;
        _names[_count] = name;
        _count++;
        if (scopeCount >= LinearNamesMax)
        {
            InsertIntoTable(scopeCount == LinearNamesMax ? _scopeStart : _count - 1);
        }
        return -1;
    }

    // Reads whole vectors: the array is one vector longer than it has names, and a match past the last is dropped.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int FindLinear(ReadOnlySpan<byte> json, Name name, uint hash)
    {
        Vector256<uint> wanted = Vector256.Create(hash);
        for (int from = _scopeStart; from < _count; from += Vector256<uint>.Count)
        {
            Vector256<uint> hashes = Vector256.Create(_hashes.AsSpan(from, Vector256<uint>.Count));
            uint found = Vector256.Equals(hashes, wanted).ExtractMostSignificantBits();
            if (found != 0)
            {
                int equal = FindAmong(json, name, from, found);
                if (equal >= 0)
                {
                    return equal;
                }
            }
        }
        return -1;
    }

    private int FindAmong(ReadOnlySpan<byte> json, Name name, int from, uint found)
    {
        for (; found != 0; found &= found - 1)
        {
            int entry = from + BitOperations.TrailingZeroCount(found);
            if (entry < _count && AreEqual(json, _names[entry], name))
            {
                return entry;
            }
        }
        return -1;
    }

    private int FindInTable(ReadOnlySpan<byte> json, Name name, uint hash)
    {
        int mask = _table.Length - 1;
        for (int slot = (int)hash & mask; _table[slot] != 0; slot = (slot + 1) & mask)
        {
            int entry = _table[slot] - 1;
            if (entry >= _scopeStart && _hashes[entry] == hash && AreEqual(json, _names[entry], name))
            {
                return entry;
            }
        }
        return -1;
    }

    // From the first name that is not in the table yet: all of the object when it has just become large, else the last.
    private void InsertIntoTable(int first)
    {
        int wanted = _tableCount + _count - first;
        if (wanted * 2 > _table.Length)
        {
            GrowTable(first, wanted);
        }
        for (int entry = first; entry < _count; entry++)
        {
            InsertOne(entry);
        }
    }

    private void InsertOne(int entry)
    {
        int mask = _table.Length - 1;
        int slot = (int)_hashes[entry] & mask;
        while (_table[slot] != 0)
        {
            slot = (slot + 1) & mask;
        }
        _table[slot] = entry + 1;
        _names[entry].IsInTable = true;
        _tableCount++;
    }

    private void GrowTable(int end, int wanted)
    {
        _table = new int[(int)BitOperations.RoundUpToPowerOf2((uint)wanted * 4)];
        _tableCount = 0;
        for (int entry = 0; entry < end; entry++)
        {
            if (_names[entry].IsInTable)
            {
                InsertOne(entry);
            }
        }
    }

    private void RemoveScopeFromTable()
    {
        int mask = _table.Length - 1;
        for (int entry = _count - 1; entry >= _scopeStart; entry--)
        {
            Debug.Assert(_names[entry].IsInTable);
            int slot = (int)_hashes[entry] & mask;
            while (_table[slot] != entry + 1)
            {
                Debug.Assert(_table[slot] != 0);
                slot = (slot + 1) & mask;
            }
            _table[slot] = 0;
        }
        _tableCount -= _count - _scopeStart;
    }

    private static bool AreEqual(ReadOnlySpan<byte> json, Name left, Name right)
    {
        ReadOnlySpan<byte> leftText = json.Slice(left.Start, left.Length);
        ReadOnlySpan<byte> rightText = json.Slice(right.Start, right.Length);
        return left.HasEscapes || right.HasEscapes
            ? AreEqualUnescaped(leftText, rightText)
            : leftText.SequenceEqual(rightText);
    }

    private static bool AreEqualUnescaped(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        byte[] scratch = ArrayPool<byte>.Shared.Rent(left.Length + right.Length);
        int leftLength = JsonText.Unescape(left, scratch);
        int rightLength = JsonText.Unescape(right, scratch.AsSpan(leftLength));
        bool areEqual = scratch.AsSpan(0, leftLength).SequenceEqual(scratch.AsSpan(leftLength, rightLength));
        ArrayPool<byte>.Shared.Return(scratch);
        return areEqual;
    }

    private static uint HashUnescaped(ReadOnlySpan<byte> text)
    {
        byte[] scratch = ArrayPool<byte>.Shared.Rent(text.Length);
        uint hash = NameHash.Compute(scratch.AsSpan(0, JsonText.Unescape(text, scratch)));
        ArrayPool<byte>.Shared.Return(scratch);
        return hash;
    }

    private struct Name(int start, int length, bool hasEscapes)
    {
        public readonly int Start = start;
        public readonly int Length = length;
        public readonly bool HasEscapes = hasEscapes;
        public bool IsInTable;
    }
}
