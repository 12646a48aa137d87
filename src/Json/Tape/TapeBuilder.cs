using System.Runtime.CompilerServices;

namespace Jackdaw.Json.Tape;

/// <summary>Fills a tape in one pass over a text, by <see cref="JsonScanner"/>.</summary>
/// <remarks>It is as strict as the parser of stored documents, but allows names that occur twice. It takes half the time of a tape filled by
/// Utf8JsonReader, which would not check UTF-8 and surrogates: bench/results/2026-11-24-json-tape.md. A
/// method that takes a position takes the first byte of its token and returns the position after its last.</remarks>
internal ref struct TapeBuilder(ReadOnlySpan<byte> json, JsonTape tape)
{
    private readonly ReadOnlySpan<byte> _json = json;
    private readonly JsonTape _tape = tape;
    private Span<ulong> _words = tape.Room;
    private int _count;

    /// <summary>Reads the text; returns the number of words.</summary>
    public int Build()
    {
        int end = AddValue(JsonScanner.SkipWhitespace(_json, 0), depth: 0);
        end = JsonScanner.SkipWhitespace(_json, end);
        if (end < _json.Length)
        {
            JsonFault.Unexpected(_json, end, "the end of the text");
        }

        return _count;
    }

    private int AddValue(int position, int depth)
    {
        switch (JsonScanner.At(_json, position))
        {
            case (byte)'"':
                return AddString(position, TapeKind.PlainString);
            case (byte)'{':
                return AddObject(position, depth + 1);
            case (byte)'[':
                return AddArray(position, depth + 1);
            case (byte)'-' or (>= (byte)'0' and <= (byte)'9'):
                return AddNumber(position);
            default:
                return AddLiteral(position);
        }
    }

    private int AddObject(int position, int depth)
    {
        int at = Open(position, depth);
        int count = 0;
        int next = JsonScanner.SkipWhitespace(_json, position + 1);
        bool hasMore = JsonScanner.At(_json, next) != '}';
        while (hasMore)
        {
            if (JsonScanner.At(_json, next) != '"')
            {
                JsonFault.Unexpected(_json, next, "a name in double quotes");
            }

            next = JsonScanner.SkipWhitespace(_json, AddString(next, TapeKind.PlainName));
            if (JsonScanner.At(_json, next) != ':')
            {
                JsonFault.Unexpected(_json, next, "':' after a name");
            }

            next = AddValue(JsonScanner.SkipWhitespace(_json, next + 1), depth);
            count++;
            hasMore = HasMore(ref next, (byte)'}', "',' or '}' after a member");
        }

        return Close(at, TapeKind.Object, position, next + 1, count);
    }

    private int AddArray(int position, int depth)
    {
        int at = Open(position, depth);
        int count = 0;
        int next = JsonScanner.SkipWhitespace(_json, position + 1);
        bool hasMore = JsonScanner.At(_json, next) != ']';
        while (hasMore)
        {
            next = AddValue(next, depth);
            count++;
            hasMore = HasMore(ref next, (byte)']', "',' or ']' after an array element");
        }

        return Close(at, TapeKind.Array, position, next + 1, count);
    }

    // Called after a value: the position is then at the next value, or at the closing bracket.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly bool HasMore(ref int position, byte close, string expected)
    {
        position = JsonScanner.SkipWhitespace(_json, position);
        byte found = JsonScanner.At(_json, position);
        if (found == ',')
        {
            position = JsonScanner.SkipWhitespace(_json, position + 1);
            return true;
        }

        if (found != close)
        {
            JsonFault.Unexpected(_json, position, expected);
        }

        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int AddString(int position, TapeKind plain)
    {
        int end = JsonScanner.ScanString(_json, position + 1, out StringTraits traits);
        TapeKind kind = (traits & StringTraits.Escapes) == 0 ? plain : plain + 1;
        Add(TapeWord.First(kind, position + 1, end - position - 1));
        return end + 1;
    }

    private int AddNumber(int position)
    {
        int end = position + 1;
        while (char.IsAsciiDigit((char)JsonScanner.At(_json, end)))
        {
            end++;
        }

        TapeKind kind = TapeKind.Integer;
        byte first = _json[position];
        byte last = JsonScanner.At(_json, end);
        if (first is (byte)'-' or (byte)'0' || last == '.' || (last | 0x20) == 'e')
        {
            end = JsonScanner.ScanNumber(_json, position);
            bool isInteger = _json[position..end].IndexOfAny((byte)'.', (byte)'e', (byte)'E') < 0;
            kind = isInteger ? TapeKind.Integer : TapeKind.Number;
        }

        Add(TapeWord.First(kind, position, end - position));
        return end;
    }

    private int AddLiteral(int position)
    {
        int end = JsonScanner.ScanLiteral(_json, position);
        TapeKind kind = _json[position] switch
        {
            (byte)'t' => TapeKind.True,
            (byte)'f' => TapeKind.False,
            _ => TapeKind.Null,
        };
        Add(TapeWord.First(kind, position, end - position));
        return end;
    }

    private int Open(int position, int depth)
    {
        if (depth > DocumentLimits.JsonDepthMax)
        {
            JsonFault.Throw(_json, position, DocumentFormatError.TooDeep,
                $"More than {DocumentLimits.JsonDepthMax} objects and arrays are nested.");
        }

        int at = _count;
        Add(default);
        Add(default);
        return at;
    }

    private readonly int Close(int at, TapeKind kind, int position, int end, int count)
    {
        _words[at] = TapeWord.First(kind, position, _count).Bits;
        _words[at + 1] = TapeWord.Second(end, count).Bits;
        return end;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Add(TapeWord word)
    {
        int count = _count;
        if ((uint)count >= (uint)_words.Length)
        {
            _words = _tape.Grow(_words, _json.Length);
        }

        _words[count] = word.Bits;
        _count = count + 1;
    }
}
