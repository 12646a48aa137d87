using System.Runtime.CompilerServices;
using Jackdaw.Search.Segments.Memory;

namespace Jackdaw.Search.Segments.Codes;

/// <summary>Up to 255 frequent sequences of one to eight bytes, each with a code of one byte. Terms are written as codes; a byte without a code follows
/// <see cref="Escape"/>. One thread.</summary>
/// <remarks>Each term is decoded on its own, so that a dictionary stays a dictionary: blocks of a general compressor would be read as a whole, and give
/// less for short terms.</remarks>
internal sealed unsafe class SymbolTable : IDisposable
{
    /// <summary>The code in front of a byte that has none.</summary>
    public const byte Escape = byte.MaxValue;

    /// <summary>The most symbols.</summary>
    public const int CountMax = Escape;

    /// <summary>The longest symbol.</summary>
    public const int SymbolBytesMax = sizeof(ulong);

    private const int Slots = 1 << SlotBits;
    private const int SlotBits = 12;
    private const int None = -1;

    private readonly NativeList<ulong> _symbols = new();
    private readonly NativeList<byte> _lengths = new();
    private readonly NativeList<short> _pairs = new(); // by the first two bytes: a code of two bytes, or else of one
    private readonly NativeList<short> _long = new(); // by a hash of the first three bytes: a code of three bytes or more
    private readonly NativeList<int> _used = new(); // places of pairs that are set

    public SymbolTable()
    {
        new Span<short>(_pairs.Resize(1 << 16), 1 << 16).Fill(None);
        new Span<short>(_long.Resize(Slots), Slots).Fill(None);
    }

    public int Count => _symbols.Count;

    /// <summary>The bytes of a stored table.</summary>
    public static long StoredBytes(int count) => (count * (long)sizeof(ulong)) + ((count + 7) & ~7);

    public ulong SymbolOf(int code) => _symbols[code];

    public int LengthOf(int code) => _lengths[code];

    /// <summary>The first bytes of a symbol.</summary>
    public static ulong Cut(ulong symbol, int length) => length >= sizeof(ulong) ? symbol : symbol & ((1UL << (8 * length)) - 1);

    public void Clear()
    {
        foreach (int place in _used.Span)
        {
            _pairs[place] = None;
        }

        _used.Clear();
        _long.Span.Fill(None);
        _symbols.Clear();
        _lengths.Clear();
    }

    /// <summary>Adds a symbol. Of several that would have the same place, the first one stays, so that the best come first.</summary>
    /// <param name="symbol">Its bytes, the first one in the lowest place, and zeros.</param>
    public void TryAdd(ulong symbol, int length)
    {
        short code = (short)_symbols.Count;
        if (length >= 3)
        {
            ref short slot = ref _long[HashOf(symbol)];
            if (slot != None)
            {
                return;
            }

            slot = code;
        }
        else if (length == 2)
        {
            SetPair((int)symbol, code);
        }
        else
        {
            for (int second = 0; second <= byte.MaxValue; second++)
            {
                int place = (int)symbol | (second << 8);
                if (_pairs[place] == None || _lengths[_pairs[place]] < 2)
                {
                    SetPair(place, code);
                }
            }
        }

        _symbols.Add(symbol);
        _lengths.Add((byte)length);
    }

    /// <summary>Finds the code of the longest symbol with which bytes begin.</summary>
    /// <returns>Less than 0 when there is none.</returns>
    public int Find(byte* bytes, long left)
    {
        ulong next = left >= sizeof(ulong) ? Unsafe.ReadUnaligned<ulong>(bytes) : ReadRest(bytes, left);
        return Find(next, left, _symbols.Items, _lengths.Items, _long.Items, _pairs.Items);
    }

    /// <summary>Writes bytes as codes.</summary>
    /// <param name="target">Space for twice as many bytes.</param>
    /// <returns>The bytes that were written.</returns>
    public int Encode(byte* bytes, int length, byte* target)
    {
        byte* start = target, end = bytes + length, lengths = _lengths.Items;
        ulong* symbols = _symbols.Items;
        short* longer = _long.Items, pairs = _pairs.Items;
        while (bytes < end)
        {
            long left = end - bytes;
            ulong next = left >= sizeof(ulong) ? Unsafe.ReadUnaligned<ulong>(bytes) : ReadRest(bytes, left);
            int code = Find(next, left, symbols, lengths, longer, pairs);
            if (code >= 0)
            {
                *target++ = (byte)code;
                bytes += lengths[code];
            }
            else
            {
                *target++ = Escape;
                *target++ = *bytes++;
            }
        }

        return (int)(target - start);
    }

    /// <summary>Writes the table: the symbols (8 each), then their lengths (1 each), aligned to 8.</summary>
    public void Write(NativeBuffer target)
    {
        for (int code = 0; code < Count; code++)
        {
            target.AddUInt64(_symbols[code]);
        }

        target.AddBytes(_lengths.Items, Count);
        target.Align(sizeof(ulong));
    }

    /// <summary>Reads bytes that were written as codes.</summary>
    /// <param name="table">The stored table.</param>
    /// <param name="count">Its symbols.</param>
    /// <param name="target">Space for <paramref name="targetMax"/> bytes and <see cref="SymbolBytesMax"/> more.</param>
    /// <returns>The bytes that were read; less than 0 when they cannot be right.</returns>
    public static int Decode(ulong* table, int count, byte* codes, long length, byte* target, long targetMax)
    {
        byte* lengths = (byte*)(table + count), start = target, end = codes + length;
        while (codes < end)
        {
            int code = *codes++;
            if (target - start > targetMax || (code == Escape ? codes == end : code >= count))
            {
                return -1;
            }

            if (code == Escape)
            {
                *target++ = *codes++;
                continue;
            }

            if (lengths[code] > SymbolBytesMax)
            {
                return -1;
            }

            Unsafe.WriteUnaligned(target, table[code]);
            target += lengths[code];
        }

        return target - start > targetMax ? -1 : (int)(target - start);
    }

    public void Dispose()
    {
        _symbols.Dispose();
        _lengths.Dispose();
        _pairs.Dispose();
        _long.Dispose();
        _used.Dispose();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Find(ulong next, long left, ulong* symbols, byte* lengths, short* longer, short* pairs)
    {
        int code = longer[HashOf(next)];
        if (code >= 0 && lengths[code] <= left && Cut(next, lengths[code]) == symbols[code])
        {
            return code;
        }

        code = pairs[next & 0xFFFF];
        return code < 0 || lengths[code] <= left ? code : FindOne(next);
    }

    // The pair is one of two bytes, and only one is left: is there a symbol of the first?
    private int FindOne(ulong next)
    {
        for (int one = 0; one < Count; one++)
        {
            if (_lengths[one] == 1 && _symbols[one] == (next & 0xFF))
            {
                return one;
            }
        }

        return None;
    }

    private static ulong ReadRest(byte* bytes, long left)
    {
        ulong rest = 0;
        for (int i = 0; i < left; i++)
        {
            rest |= (ulong)bytes[i] << (8 * i);
        }

        return rest;
    }

    private void SetPair(int place, short code)
    {
        _pairs[place] = code;
        _used.Add(place);
    }

    private static int HashOf(ulong symbol) => (int)(((uint)symbol & 0xFFFFFF) * 2654435761u >> (32 - SlotBits));
}
