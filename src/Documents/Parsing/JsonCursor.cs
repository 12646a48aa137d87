using System.Text;
using Jackdaw.Json;

namespace Jackdaw.Documents.Parsing;

/// <summary>Reads the JSON of requests, member by member. Skipped values are checked as strictly as the others.</summary>
/// <remarks>Use: <c>for (bool has = cursor.OpenObject("x"); has; has = cursor.NextMember()) { name, then value }</c>.
/// Callers compare names without regard to case, as the protocol demands.</remarks>
internal ref struct JsonCursor(ReadOnlySpan<byte> json, int position, DocumentParser values)
{
    /// <summary>The longest name that is read. No request has longer ones; they are read as empty.</summary>
    public const int NameBytesMax = 128;

    private readonly DocumentParser _values = values;

    public ReadOnlySpan<byte> Json { get; } = json;

    /// <summary>The position of the next token, or of the whitespace before it.</summary>
    public int Position { get; set; } = position;

    /// <summary>The first byte of the next token; 0 at the end.</summary>
    public byte Peek()
    {
        Position = JsonScanner.SkipWhitespace(Json, Position);
        return JsonScanner.At(Json, Position);
    }

    /// <summary>Enters an object. Returns true if it has members.</summary>
    public bool OpenObject(string subject) => Open((byte)'{', (byte)'}', subject, "an object");

    /// <summary>Enters an array. Returns true if it has elements.</summary>
    public bool OpenArray(string subject) => Open((byte)'[', (byte)']', subject, "an array");

    /// <summary>Is called after a value of an object. Returns true if a name follows.</summary>
    public bool NextMember() => Next((byte)'}', "',' or '}' after a member");

    /// <summary>Is called after a value of an array. Returns true if a value follows.</summary>
    public bool NextElement() => Next((byte)']', "',' or ']' after an array element");

    /// <summary>Reads a name and its colon. The name is valid until the next one is read.</summary>
    public ReadOnlySpan<byte> ReadName()
    {
        if (Peek() != '"')
        {
            JsonFault.Unexpected(Json, Position, "a name in double quotes");
        }
        int start = Position + 1;
        int end = JsonScanner.ScanString(Json, start, out StringTraits traits);
        Position = end + 1;
        if (Peek() != ':')
        {
            JsonFault.Unexpected(Json, Position, "':' after a name");
        }
        Position++;
        ReadOnlySpan<byte> text = Json[start..end];
        if (text.Length > NameBytesMax)
        {
            return default;
        }
        byte[] scratch = _values.NameScratch;
        return (traits & StringTraits.Escapes) == 0 ? text : scratch.AsSpan(0, JsonText.Unescape(text, scratch));
    }

    /// <summary>Reads a string and appends it, unescaped; null gives <see cref="TextExtent.Null"/>.</summary>
    public TextExtent ReadString(PooledBuffer output, string subject)
    {
        if (Peek() == 'n')
        {
            Position = JsonScanner.ScanLiteral(Json, Position);
            return TextExtent.Null;
        }
        if (Peek() != '"')
        {
            ThrowType(subject, "a string");
        }
        int start = Position + 1;
        int end = JsonScanner.ScanString(Json, start, out StringTraits traits);
        Position = end + 1;
        ReadOnlySpan<byte> text = Json[start..end];
        Span<byte> destination = output.Reserve(text.Length);
        int length = text.Length;
        if ((traits & StringTraits.Escapes) != 0)
        {
            length = JsonText.Unescape(text, destination);
        }
        else
        {
            text.CopyTo(destination);
        }
        var extent = new TextExtent(output.Length, length);
        output.Advance(length);
        return extent;
    }

    /// <summary>Reads a string of a request. It allocates, so it is for rare members only.</summary>
    public string? ReadText(PooledBuffer scratch, string subject)
    {
        int mark = scratch.Length;
        TextExtent extent = ReadString(scratch, subject);
        string? text = extent.IsNull ? null : Encoding.UTF8.GetString(extent.SpanIn(scratch));
        scratch.Truncate(mark);
        return text;
    }

    /// <summary>Reads true, false or null, which counts as false.</summary>
    public bool ReadBoolean(string subject)
    {
        byte first = Peek();
        if (first is not ((byte)'t' or (byte)'f' or (byte)'n'))
        {
            ThrowType(subject, "true or false");
        }
        Position = JsonScanner.ScanLiteral(Json, Position);
        return first == 't';
    }

    /// <summary>Checks a value and appends it without whitespace.</summary>
    public void CopyValue(PooledBuffer output)
    {
        Peek();
        Position = _values.CopyValue(Json, Position, output);
    }

    /// <summary>Checks a value and continues after it.</summary>
    public void SkipValue(PooledBuffer scratch)
    {
        int mark = scratch.Length;
        CopyValue(scratch);
        scratch.Truncate(mark);
    }

    /// <summary>Refuses anything but whitespace up to the end.</summary>
    public void ExpectEnd()
    {
        Peek();
        if (Position < Json.Length)
        {
            JsonFault.Unexpected(Json, Position, "the end of the text");
        }
    }

    /// <summary>Refuses a member that was sent twice.</summary>
    public readonly void CheckOnce(bool isFirst, string member)
    {
        if (!isFirst)
        {
            JsonFault.Throw(Json, Position, DocumentFormatError.DuplicateName,
                $"The member {member} occurs twice (casing does not count); keep one of the two.");
        }
    }

    private bool Open(byte open, byte close, string subject, string kind)
    {
        if (Peek() != open)
        {
            ThrowType(subject, kind);
        }
        Position++;
        if (Peek() != close)
        {
            return true;
        }
        Position++;
        return false;
    }

    private bool Next(byte close, string expected)
    {
        byte next = Peek();
        if (next != ',' && next != close)
        {
            JsonFault.Unexpected(Json, Position, expected);
        }
        Position++;
        return next == ',';
    }

    private readonly void ThrowType(string subject, string kind)
    {
        bool isEnd = Position >= Json.Length;
        JsonFault.Throw(Json, Position, isEnd ? DocumentFormatError.UnexpectedEnd : DocumentFormatError.InvalidRequest,
            isEnd ? $"{subject} is missing: the text ends here." : $"{subject} must be {kind}.");
    }
}
