using System.Buffers;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Unicode;

namespace Jackdaw.Documents.Identity;

/// <summary>Rules for the ids of documents.</summary>
/// <remarks>An id keeps its casing and is found without regard to it: its key is the id in lower case (invariant, one character for one character), in UTF-8.
/// The functions are pure and allocate nothing.</remarks>
public static class DocumentIds
{
    /// <summary>The longest id, including the part that the server appends, in bytes of UTF-8 as it is sent, which a sender can count.</summary>
    public const int IdBytesMax = 512;

    /// <summary>The longest key: a character of 2 bytes can have a lower-case form of 3 bytes, and no character grows more. A page must have room for several
    /// keys of a tree; the longest key of a tombstone has a key of this length, the key of a collection, and one byte.</summary>
    public const int KeyBytesMax = IdBytesMax * 3 / 2;

    /// <summary>The digits of an etag in an id that the server completes: as many as the largest etag has, so that ids are sorted in the order of their
    /// creation.</summary>
    public const int NumberDigits = 19;

    /// <summary>The bytes that <see cref="AppendNumber"/> adds for a node tag of one letter.</summary>
    public const int NumberSuffixBytes = NumberDigits + 2;

    /// <summary>Who completes the id.</summary>
    /// <param name="separator">The character between the parts of ids that the server completes.</param>
    public static DocumentIdKind KindOf(ReadOnlySpan<byte> id, byte separator = (byte)'/')
    {
        if (id.IsEmpty)
        {
            return DocumentIdKind.Generated;
        }

        return id[^1] == separator ? DocumentIdKind.NumberedByServer
            : id[^1] == (byte)'|' ? DocumentIdKind.Identity
            : DocumentIdKind.Complete;
    }

    /// <summary>Makes the key of an id.</summary>
    /// <param name="id">UTF-8, in any casing.</param>
    /// <param name="key">At least <see cref="KeyBytesMax"/> bytes.</param>
    /// <param name="length">Bytes of the key; 0 when there is a fault.</param>
    public static DocumentIdFault TryMakeKey(ReadOnlySpan<byte> id, Span<byte> key, out int length)
    {
        length = 0;
        if (id.IsEmpty)
        {
            return DocumentIdFault.Empty;
        }
        if (id.Length > IdBytesMax)
        {
            // It may also be invalid UTF-8, but the sender can correct the length first.
            return DocumentIdFault.TooLong;
        }
        if (id.Contains((byte)0))
        {
            return DocumentIdFault.HoldsNul;
        }
        key = key[..KeyBytesMax];
        return Ascii.ToLower(id, key, out length) == OperationStatus.Done
            ? DocumentIdFault.None
            : LowerBeyondAscii(id, key, ref length);
    }

    /// <summary>Whether a prefix of this many bytes leaves room for what the server appends.</summary>
    /// <param name="nodeTagLetters">Only the database knows the tag: a parser checks with the shortest tag, and the database checks again.</param>
    public static bool HasRoomForNumber(int idBytes, int nodeTagLetters = 1) =>
        idBytes + NumberSuffixBytes - 1 + nodeTagLetters <= IdBytesMax;

    /// <summary>Does the same as <see cref="TryMakeKey(ReadOnlySpan{byte}, Span{byte}, out int)"/>, for an id from a URL.</summary>
    public static DocumentIdFault TryMakeKey(ReadOnlySpan<char> id, Span<byte> key, out int length)
    {
        Span<byte> utf8 = stackalloc byte[IdBytesMax];
        length = 0;
        return Utf8.FromUtf16(id, utf8, out _, out int written, replaceInvalidSequences: false) switch
        {
            OperationStatus.Done => TryMakeKey(utf8[..written], key, out length),
            OperationStatus.DestinationTooSmall => DocumentIdFault.TooLong,
            _ => DocumentIdFault.NotUnicode,
        };
    }

    /// <summary>What is wrong and what to do, for an answer.</summary>
    public static string Describe(DocumentIdFault fault) => fault switch
    {
        DocumentIdFault.Empty => "A document id is empty; name the document.",
        DocumentIdFault.TooLong => $"A document id is longer than {IdBytesMax} bytes of UTF-8; use a shorter one.",
        DocumentIdFault.HoldsNul => "A document id holds the character NUL (U+0000); leave it out.",
        DocumentIdFault.NotUnicode => "A document id is not valid Unicode text; send it in UTF-8.",
        _ => throw new ArgumentOutOfRangeException(nameof(fault), fault, "Not a fault."),
    };

    /// <summary>Completes an id that ends with the separator: <c>users/</c> becomes <c>users/0000000000000000042-A</c> at the
    /// node A.</summary>
    /// <param name="prefix">The id as it was sent, or its key.</param>
    /// <param name="etag">The etag of the write.</param>
    /// <param name="nodeTag">The tag of the database: one letter or more.</param>
    /// <param name="destination">Has room for the prefix, the tag and <see cref="NumberDigits"/> + 1 more bytes.</param>
    /// <returns>The bytes written.</returns>
    public static int AppendNumber(
        ReadOnlySpan<byte> prefix, long etag, ReadOnlySpan<byte> nodeTag, Span<byte> destination)
    {
        Debug.Assert(etag > 0);
        prefix.CopyTo(destination);
        bool fits = etag.TryFormat(destination[prefix.Length..], out int digits, "D19", CultureInfo.InvariantCulture);
        Debug.Assert(fits && digits == NumberDigits);
        destination[prefix.Length + digits] = (byte)'-';
        nodeTag.CopyTo(destination[(prefix.Length + digits + 1)..]);
        return prefix.Length + digits + 1 + nodeTag.Length;
    }

    /// <summary>Writes valid UTF-8 in lower case, character by character; a character without a lower case does not change.</summary>
    internal static DocumentIdFault LowerBeyondAscii(ReadOnlySpan<byte> text, Span<byte> lower, ref int length)
    {
        length = 0;
        while (!text.IsEmpty)
        {
            if (Rune.DecodeFromUtf8(text, out Rune rune, out int consumed) != OperationStatus.Done)
            {
                length = 0;
                return DocumentIdFault.NotUnicode;
            }
            if (!Rune.ToLowerInvariant(rune).TryEncodeToUtf8(lower[length..], out int written))
            {
                length = 0;
                return DocumentIdFault.TooLong;
            }
            length += written;
            text = text[consumed..];
        }
        return DocumentIdFault.None;
    }
}

/// <summary>Why a text cannot be an id.</summary>
public enum DocumentIdFault
{
    None,
    Empty,
    TooLong,
    HoldsNul,
    NotUnicode,
}

/// <summary>Who completes the id of a document that is put.</summary>
public enum DocumentIdKind
{
    /// <summary>The id is complete, and stored as it is.</summary>
    Complete,

    /// <summary>The id ends with '/', and the server appends the write's etag and its node's tag.</summary>
    NumberedByServer,

    /// <summary>The id ends with '|', which the server replaces by '/' and the next value of the identity with that prefix.</summary>
    Identity,

    /// <summary>The id is empty, and the server makes a GUID.</summary>
    Generated,
}
