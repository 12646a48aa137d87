using System.Text;
using Jackdaw.Documents.Schedules;
using Jackdaw.Json;

namespace Jackdaw.Documents.Parsing;

/// <summary>Reads the members of @metadata that say when something happens to a document.</summary>
internal struct ScheduleReader
{
    /// <summary>The longest text of a date, with its quotes, in bytes: each character of the longest date as a \u escape.</summary>
    private const int DateBytesMax = 40 * JsonText.EscapedByteMax;

    private long _expires;
    private long _refresh;
    private long _archive;
    private bool _isArchived;

    /// <summary>Null when the document has none of these members.</summary>
    public readonly DocumentSchedule? Schedule => DocumentSchedule.Of(_expires, _refresh, _archive, _isArchived);

    /// <summary>Reads one member.</summary>
    /// <param name="start">The start of its value, which is valid JSON.</param>
    /// <param name="end">The position after the value.</param>
    /// <exception cref="DocumentFormatException">The member does not accept the value.</exception>
    public void Note(ReadOnlySpan<byte> json, int start, int end, MetadataMember member)
    {
        start = JsonScanner.SkipWhitespace(json, start);
        switch (member)
        {
            case MetadataMember.Expires:
                _expires = ReadDate(json, start, end, "@expires");
                break;
            case MetadataMember.Refresh:
                _refresh = ReadDate(json, start, end, "@refresh");
                break;
            case MetadataMember.ArchiveAt:
                _archive = ReadDate(json, start, end, "@archive-at");
                break;
            default:
                _isArchived = ReadFlag(json, start);
                break;
        }
    }

    /// <summary>Reads a date; null counts as none.</summary>
    /// <returns>UTC ticks, positive; 0 for none.</returns>
    public static long ReadDate(ReadOnlySpan<byte> json, int start, int end, string member)
    {
        ReadOnlySpan<byte> value = json[start..end];
        if (value[0] == (byte)'n')
        {
            return 0;
        }

        if (value[0] == (byte)'"' && value.Length <= DateBytesMax)
        {
            Span<byte> text = stackalloc byte[DateBytesMax];
            Span<char> characters = stackalloc char[DateBytesMax];
            text = text[..JsonText.Unescape(value[1..^1], text)];
            int length = Encoding.UTF8.GetChars(text, characters);
            if (IsoDate.TryRead(characters[..length], out long ticks))
            {
                return Math.Max(1, ticks);
            }
        }

        const int shownMax = 40;
        string shown = Encoding.UTF8.GetString(value[..Math.Min(value.Length, shownMax)]);
        JsonFault.Throw(json, start, DocumentFormatError.InvalidOperation,
            $"{member} in @metadata must be a date such as \"2030-01-31T12:00:00.0000000Z\", and this is {shown}; send a date in UTC, or leave " +
            "the member out.");
        return 0;
    }

    private static bool ReadFlag(ReadOnlySpan<byte> json, int start)
    {
        byte first = json[start];
        if (first is not ((byte)'t' or (byte)'f' or (byte)'n'))
        {
            JsonFault.Throw(json, start, DocumentFormatError.InvalidOperation,
                "@archived in @metadata must be true or false; leave the member out, and set @archive-at to archive the document.");
        }

        return first == (byte)'t';
    }
}
