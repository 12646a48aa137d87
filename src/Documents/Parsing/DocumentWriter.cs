using System.Buffers;
using System.Buffers.Text;
using System.Diagnostics;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Json;

namespace Jackdaw.Documents.Parsing;

/// <summary>Writes stored documents into answers: copies their bytes, and inserts the members that the server adds into their metadata.</summary>
/// <remarks>Stored forms are those of <see cref="DocumentParser"/>: they end in <c>"@metadata":{...}}</c>, so that the inserted part is a suffix. It starts
/// with a comma, unless the metadata is empty. It allocates nothing.</remarks>
public static class DocumentWriter
{
    /// <summary>Bytes of <c>2024-05-01T10:00:00.1234567Z</c>.</summary>
    public const int TimeBytes = 28;

    private static readonly byte[][] s_flagNames =
        [.. Enum.GetNames<DocumentFlags>().Skip(1).Select(System.Text.Encoding.ASCII.GetBytes)];

    // All names with ", " between them, which is the longest value of @flags.
    private static readonly int s_flagsBytesMax = s_flagNames.Sum(name => name.Length + 2);

    /// <summary>Writes the document.</summary>
    public static void Write(IBufferWriter<byte> output, ReadOnlySpan<byte> stored, in DocumentStamp stamp)
    {
        Debug.Assert(stored.EndsWith("}}"u8));
        output.Write(stored[..^2]);
        WriteSplice(output, stored, stamp);
    }

    /// <summary>Writes only the part that replaces the last two braces of the stored form in an answer.</summary>
    public static void WriteSplice(IBufferWriter<byte> output, ReadOnlySpan<byte> stored, in DocumentStamp stamp)
    {
        Debug.Assert(stored.EndsWith("}}"u8));
        WriteSplice(output, isFirst: stored[^3] == '{', stamp);
    }

    /// <summary>Writes <c>{"@metadata":{...}}</c> of the document.</summary>
    /// <param name="output">Receives the text.</param>
    /// <param name="stored">The document's stored form.</param>
    /// <param name="metadataOffset">The offset in it of the opening brace of the metadata.</param>
    /// <param name="stamp">The members to insert.</param>
    public static void WriteMetadataOnly(
        IBufferWriter<byte> output, ReadOnlySpan<byte> stored, int metadataOffset, in DocumentStamp stamp)
    {
        Debug.Assert(stored.EndsWith("}}"u8) && stored[metadataOffset] == '{');
        output.Write("{\"@metadata\":"u8);
        output.Write(stored[metadataOffset..^2]);
        WriteSplice(output, stored, stamp);
    }

    /// <summary>Writes a string with its quotes. Characters that JSON forbids in strings are escaped; everything else is written as it is.</summary>
    public static void WriteString(IBufferWriter<byte> output, ReadOnlySpan<byte> characters)
    {
        // Long strings are written in pieces, so that the worst case of escaping is not reserved for a whole string at
        // once.
        const int pieceBytesMax = 512;
        output.Write("\""u8);
        while (characters.Length > 0)
        {
            ReadOnlySpan<byte> piece = characters[..Math.Min(pieceBytesMax, characters.Length)];
            output.Advance(JsonText.WriteEscaped(piece, output.GetSpan(piece.Length * JsonText.EscapedByteMax)));
            characters = characters[piece.Length..];
        }
        output.Write("\""u8);
    }

    /// <summary>Formats a time as <c>yyyy-MM-ddTHH:mm:ss.fffffffZ</c>.</summary>
    /// <returns><see cref="TimeBytes"/>.</returns>
    public static int FormatTime(DateTime time, Span<byte> destination)
    {
        Debug.Assert(time.Kind == DateTimeKind.Utc);
        bool fits = Utf8Formatter.TryFormat(time, destination, out int written, new StandardFormat('O'));
        Debug.Assert(fits && written == TimeBytes);
        return written;
    }

    /// <summary>Formats the names of flags, separated by <c>", "</c>.</summary>
    /// <returns>The bytes written; 0 for no flags.</returns>
    public static int FormatFlags(DocumentFlags flags, Span<byte> destination) => FormatFlags(flags, destination, null);

    /// <summary>The names of the flags of a document, as its metadata shows them; null for no flags.</summary>
    internal static string? TextOfFlags(DocumentFlags flags, DocumentExtensions known)
    {
        if (flags == DocumentFlags.None)
        {
            return null;
        }

        byte[] text = new byte[s_flagsBytesMax + known.FlagNamesBytes];
        int written = FormatFlags(flags, text, known);
        return System.Text.Encoding.ASCII.GetString(text, 0, written);
    }

    /// <param name="known">The extensions, with the names of flags that <see cref="DocumentFlags"/> does not have; null when there are none.</param>
    private static int FormatFlags(DocumentFlags flags, Span<byte> destination, DocumentExtensions? known)
    {
        int written = 0;
        for (int bit = 0; bit < s_flagNames.Length; bit++)
        {
            if (((int)flags & (1 << bit)) == 0)
            {
                continue;
            }
            if (written > 0)
            {
                Put(", "u8, destination, ref written);
            }
            Put(s_flagNames[bit], destination, ref written);
        }
        if (flags >= DocumentExtensions.FirstFurtherFlag && known is not null)
        {
            PutFurtherFlags(flags, known, destination, ref written);
        }
        return written;
    }

    private static void PutFurtherFlags(DocumentFlags flags, DocumentExtensions known, Span<byte> destination, ref int written)
    {
        foreach (DocumentExtension extension in known.All)
        {
            if (extension.Flag < DocumentExtensions.FirstFurtherFlag || (flags & extension.Flag) == 0)
            {
                continue;
            }
            Put(written > 0 ? ", "u8 : default, destination, ref written);
            Put(extension.FlagName, destination, ref written);
        }
    }

    private static void WriteSplice(IBufferWriter<byte> output, bool isFirst, in DocumentStamp stamp)
    {
        const int literalBytes = 128;
        int idBytesMax = stamp.Id.Length * JsonText.EscapedByteMax;
        int bytesMax = literalBytes + idBytesMax + stamp.ChangeVector.Length + TimeBytes + s_flagsBytesMax + stamp.More.Length
            + (stamp.Known is { } known ? stamp.Extensions.Measure(known) + known.FlagNamesBytes : 0);
        Span<byte> splice = output.GetSpan(bytesMax);
        int written = 0;
        Put(isFirst ? "\"@id\":\""u8 : ",\"@id\":\""u8, splice, ref written);
        written += JsonText.WriteEscaped(stamp.Id, splice[written..]);
        Put("\",\"@change-vector\":\""u8, splice, ref written);
        Put(stamp.ChangeVector, splice, ref written);
        Put("\",\"@last-modified\":\""u8, splice, ref written);
        written += FormatTime(stamp.LastModified, splice[written..]);
        if (stamp.Flags != DocumentFlags.None)
        {
            Put("\",\"@flags\":\""u8, splice, ref written);
            written += FormatFlags(stamp.Flags, splice[written..], stamp.Known);
        }
        Put("\""u8, splice, ref written);
        written += stamp.Known is null ? 0 : stamp.Extensions.Write(stamp.Known, splice[written..]);
        Put(stamp.More, splice, ref written);
        Put("}}"u8, splice, ref written);
        Debug.Assert(written <= bytesMax);
        output.Advance(written);
    }

    private static void Put(ReadOnlySpan<byte> bytes, Span<byte> destination, ref int written)
    {
        bytes.CopyTo(destination[written..]);
        written += bytes.Length;
    }
}
