using System.Numerics;
using System.Runtime.Intrinsics;

namespace Jackdaw.Json;

/// <summary>Finds the closing brace of an object whose bytes come in pieces; each byte is examined once.</summary>
/// <remarks>Knows strings and braces only: whether the object is JSON is for the parser, which gets it whole. Blocks
/// without a backslash and without the end are processed 64 bytes at a time: bits of quotes become bits of "inside a
/// string" by a prefix xor (Langdale and Lemire, "Parsing Gigabytes of JSON per Second", section 3.1.1).</remarks>
internal struct ElementBoundary
{
    private int _depth;
    private bool _isInString;
    private bool _isEscaped;

    /// <summary>Begins an object. Its opening brace is not passed to <see cref="FindEnd"/>.</summary>
    public void Begin()
    {
        _depth = 1;
        _isInString = _isEscaped = false;
    }

    /// <summary>Examines the next piece.</summary>
    /// <returns>The position after the closing brace, or -1 if it comes in a later piece.</returns>
    public int FindEnd(ReadOnlySpan<byte> bytes, int start)
    {
        int position = start;
        for (; position <= bytes.Length - Vector512<byte>.Count; position += Vector512<byte>.Count)
        {
            ReadOnlySpan<byte> block = bytes.Slice(position, Vector512<byte>.Count);
            if (!TrySkipBlock(block))
            {
                int end = Walk(block);
                if (end >= 0)
                {
                    return position + end;
                }
            }
        }
        int last = Walk(bytes[position..]);
        return last < 0 ? -1 : position + last;
    }

    // Returns false and changes nothing when the block has to be examined byte by byte.
    private bool TrySkipBlock(ReadOnlySpan<byte> bytes)
    {
        Vector512<byte> block = Vector512.Create(bytes);
        if (_isEscaped || Vector512.EqualsAny(block, Vector512.Create((byte)'\\')))
        {
            return false;
        }
        ulong inString = PrefixXor(Vector512.Equals(block, Vector512.Create((byte)'"')).ExtractMostSignificantBits());
        inString ^= _isInString ? ulong.MaxValue : 0;
        // Brackets and braces differ in one bit. The object ends where all of them are closed.
        Vector512<byte> folded = block | Vector512.Create((byte)0x20);
        ulong opens = Vector512.Equals(folded, Vector512.Create((byte)'{')).ExtractMostSignificantBits() & ~inString;
        ulong closes = Vector512.Equals(folded, Vector512.Create((byte)'}')).ExtractMostSignificantBits() & ~inString;
        int closeCount = BitOperations.PopCount(closes);
        if (closeCount >= _depth)
        {
            return false;
        }
        _depth += BitOperations.PopCount(opens) - closeCount;
        _isInString = inString >> 63 != 0;
        return true;
    }

    private int Walk(ReadOnlySpan<byte> bytes)
    {
        for (int position = 0; position < bytes.Length; position++)
        {
            byte current = bytes[position];
            if (_isEscaped)
            {
                _isEscaped = false;
            }
            else if (_isInString)
            {
                _isEscaped = current == '\\';
                _isInString = current != '"';
            }
            else if (current == '"')
            {
                _isInString = true;
            }
            else if ((current | 0x20) == '{')
            {
                _depth++;
            }
            else if ((current | 0x20) == '}' && --_depth == 0)
            {
                return position + 1;
            }
        }
        return -1;
    }

    // Bit n of the result: whether an odd number of the bits 0 to n is set.
    private static ulong PrefixXor(ulong bits)
    {
        for (int shift = 1; shift < 64; shift *= 2)
        {
            bits ^= bits << shift;
        }
        return bits;
    }
}
