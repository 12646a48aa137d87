using System.Diagnostics;

namespace Jackdaw.Json.Tape;

/// <summary>What a word of a tape stands for.</summary>
internal enum TapeKind : byte
{
    None,
    Null,
    False,
    True,

    /// <summary>A number without fraction and exponent.</summary>
    Integer,

    /// <summary>Any other number.</summary>
    Number,

    /// <summary>A string whose bytes between the quotes are its text.</summary>
    PlainString,

    /// <summary>A string with escapes.</summary>
    EscapedString,
    PlainName,
    EscapedName,

    /// <summary>From here on: values with a second word and contents.</summary>
    Array,
    Object,
}

/// <summary>One word of a <see cref="JsonTape"/>.</summary>
/// <remarks>
/// <code>
/// bits   meaning
/// 0-3    <see cref="TapeKind"/>
/// 4-33 offset of the text in the document; for strings and names the offset after the quote
/// 34-63 bytes of the text; for arrays and objects the index after their last word
/// </code>
/// Arrays and objects have a second word: bits 0-31 are the offset of the byte after the closing bracket, bits 32-63 the number of elements or
/// members.
/// </remarks>
internal readonly record struct TapeWord(ulong Bits)
{
    /// <summary>Largest offset, length and index: 1 GB, above the largest document (64 MB).</summary>
    public const int FieldMax = (1 << FieldBits) - 1;

    private const int KindBits = 4;
    private const int FieldBits = 30;
    private const int HalfBits = 32;

    public TapeKind Kind => (TapeKind)(Bits & ((1 << KindBits) - 1));

    public bool IsContainer => Kind >= TapeKind.Array;

    public int Offset => (int)(Bits >> KindBits) & FieldMax;

    /// <summary>Bytes of the text of a scalar or name; index of the word after an array or object.</summary>
    public int Size => (int)(Bits >> (KindBits + FieldBits));

    /// <summary>Of a second word.</summary>
    public int EndOffset => (int)(uint)Bits;

    /// <summary>Of a second word.</summary>
    public int Count => (int)(Bits >> HalfBits);

    public static TapeWord First(TapeKind kind, int offset, int size)
    {
        Debug.Assert((uint)offset <= FieldMax);
        Debug.Assert((uint)size <= FieldMax);
        return new TapeWord(
            (ulong)kind | ((ulong)(uint)offset << KindBits) | ((ulong)(uint)size << (KindBits + FieldBits)));
    }

    public static TapeWord Second(int endOffset, int count) => new((uint)endOffset | ((ulong)(uint)count << HalfBits));
}
