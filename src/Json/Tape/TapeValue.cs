using System.Buffers.Text;
using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Jackdaw.Json.Tape;

/// <summary>One value of a JSON text, found through a <see cref="JsonTape"/>. The default value stands for a missing value.</summary>
/// <remarks>
/// It is valid as long as the text is, and until its tape reads the next text. Nothing is decoded before it is requested, and
/// only <see cref="ToText"/> allocates.
/// <para>A member or element that a document does not have is <see cref="JsonKind.Missing"/>, and so is each of its own members and elements, so
/// that paths need no check at each step. When two members have the same name, the first one counts; stored documents have no such members.</para>
/// </remarks>
internal readonly ref struct TapeValue
{
    private readonly ReadOnlySpan<byte> _json;
    private readonly JsonTape? _tape;
    private readonly int _index;
    private readonly int _generation;

    /// <summary>The value whose first word is at an index, for callers that keep the index, the tape and the
    /// text.</summary>
    /// <param name="json">The text that the tape has read.</param>
    public TapeValue(ReadOnlySpan<byte> json, JsonTape tape, int index)
    {
        _json = json;
        _tape = tape;
        _index = index;
        _generation = tape.Generation;
    }

    /// <summary>Index of the value's first word: what to keep when the value itself cannot be kept.</summary>
    public int Index => _index;

    /// <summary>False for a value that is missing.</summary>
    public bool Exists => _tape is not null;

    public JsonKind Kind => _tape is null ? JsonKind.Missing : First.Kind switch
    {
        TapeKind.Null => JsonKind.Null,
        TapeKind.False => JsonKind.False,
        TapeKind.True => JsonKind.True,
        TapeKind.Integer or TapeKind.Number => JsonKind.Number,
        TapeKind.PlainString or TapeKind.EscapedString => JsonKind.String,
        TapeKind.Array => JsonKind.Array,
        _ => JsonKind.Object,
    };

    /// <summary>Elements of an array, members of an object; 0 for anything else.</summary>
    public int Count => IsContainer ? new TapeWord(Words[_index + 1]).Count : 0;

    /// <summary>The bytes of the value in the text, exactly as stored; of a string with its quotes. Empty when it is
    /// missing.</summary>
    public ReadOnlySpan<byte> Source
    {
        get
        {
            if (_tape is null)
            {
                return default;
            }

            TapeWord first = First;
            return first.Kind switch
            {
                TapeKind.Array or TapeKind.Object => _json[first.Offset..new TapeWord(Words[_index + 1]).EndOffset],
                TapeKind.PlainString or TapeKind.EscapedString => _json.Slice(first.Offset - 1, first.Size + 2),
                _ => _json.Slice(first.Offset, first.Size),
            };
        }
    }

    /// <summary>True for a string with escapes: its bytes are not its text.</summary>
    public bool HasEscapes => _tape is not null && First.Kind == TapeKind.EscapedString;

    /// <summary>Bytes of a string between its quotes, which is enough space for <see cref="CopyText"/>. 0 for anything else.</summary>
    public int TextBytesMax => IsString ? First.Size : 0;

    /// <summary>The members of an object; none for anything else.</summary>
    public TapeMembers Members => new(this);

    /// <summary>The elements of an array; none for anything else.</summary>
    public TapeElements Elements => new(this);

    /// <summary>A member of an object. It is missing when the object has no member of that name, and when the value is not an object.</summary>
    /// <param name="name">UTF-8, without escapes; case counts.</param>
    public TapeValue this[ReadOnlySpan<byte> name]
    {
        get
        {
            if (!IsObject)
            {
                return default;
            }

            ReadOnlySpan<ulong> words = Words;
            int end = EndIndex;
            for (int at = _index + 2; at < end;)
            {
                if (IsNamed(new TapeWord(words[at]), name))
                {
                    return At(at + 1);
                }

                var value = new TapeWord(words[at + 1]);
                at = value.IsContainer ? value.Size : at + 2;
            }

            return default;
        }
    }

    /// <summary>An element of an array. It is missing when the array is shorter, and when the value is not an array.</summary>
    /// <param name="position">0-based.</param>
    /// <remarks>One step when all elements are scalars, otherwise one for each element before it: to look at all of
    /// them, use <see cref="Elements"/>.</remarks>
    public TapeValue this[int position]
    {
        get
        {
            if (Kind != JsonKind.Array || (uint)position >= (uint)Count)
            {
                return default;
            }

            int at = _index + 2;
            if (First.Size - at == Count)
            {
                return At(at + position);
            }

            for (; position > 0; position--)
            {
                at = After(at);
            }

            return At(at);
        }
    }

    /// <summary>The bytes of a string that has no escapes; false for others.</summary>
    public bool TryGetPlainText(out ReadOnlySpan<byte> text)
    {
        bool isPlain = _tape is not null && First.Kind == TapeKind.PlainString;
        text = isPlain ? Inner : default;
        return isPlain;
    }

    /// <summary>Decodes a string into the caller's memory.</summary>
    /// <param name="destination">Room for <see cref="TextBytesMax"/> bytes.</param>
    /// <returns>Bytes of UTF-8; 0 for what is not a string.</returns>
    public int CopyText(Span<byte> destination)
    {
        if (!IsString)
        {
            return 0;
        }

        ReadOnlySpan<byte> text = Inner;
        if (HasEscapes)
        {
            return JsonText.Unescape(text, destination[..text.Length]);
        }

        text.CopyTo(destination);
        return text.Length;
    }

    /// <summary>A string as a .NET string; null for what is not a string.</summary>
    public string? ToText()
    {
        if (!IsString)
        {
            return null;
        }

        if (!HasEscapes)
        {
            return Encoding.UTF8.GetString(Inner);
        }

        using var buffer = new PooledBuffer();
        Span<byte> text = buffer.Reserve(TextBytesMax);
        return Encoding.UTF8.GetString(text[..CopyText(text)]);
    }

    /// <summary>True for a string with the given text, no matter how it is escaped.</summary>
    /// <param name="text">UTF-8, without escapes; case counts.</param>
    public bool TextEquals(ReadOnlySpan<byte> text) =>
        IsString && (HasEscapes ? JsonText.EqualsUnescaped(Inner, text) : Inner.SequenceEqual(text));

    /// <summary>A number without fraction and exponent that fits 64 bits.</summary>
    public bool TryGetInt64(out long value)
    {
        value = 0;
        return _tape is not null && First.Kind == TapeKind.Integer
            && Utf8Parser.TryParse(Inner, out value, out int used) && used == First.Size;
    }

    /// <summary>A number as the nearest double: infinity beyond its range, as in JavaScript.</summary>
    public bool TryGetDouble(out double value)
    {
        value = 0;
        return Kind == JsonKind.Number
            && double.TryParse(Inner, NumberStyles.Float, CultureInfo.InvariantCulture, out value);
    }

    /// <summary>A number as a decimal, rounded to the 28 digits that one has; false beyond its range.</summary>
    public bool TryGetDecimal(out decimal value)
    {
        value = 0;
        return Kind == JsonKind.Number
            && decimal.TryParse(Inner, NumberStyles.Float, CultureInfo.InvariantCulture, out value);
    }

    internal bool IsObject => _tape is not null && First.Kind == TapeKind.Object;

    internal bool IsArray => _tape is not null && First.Kind == TapeKind.Array;

    /// <summary>Index after the last word of an array or object.</summary>
    internal int EndIndex => First.Size;

    /// <summary>Whether the value is one of the text that a tape has read.</summary>
    internal bool IsOf(JsonTape tape) => ReferenceEquals(_tape, tape);

    /// <summary>The word at an index.</summary>
    internal TapeWord WordAt(int index) => new(Words[index]);

    /// <summary>The text of the word at an index: of a name or a scalar, without quotes.</summary>
    internal ReadOnlySpan<byte> TextOf(TapeWord word) => _json.Slice(word.Offset, word.Size);

    /// <summary>Another value of the text.</summary>
    internal TapeValue At(int index) => new(_json, _tape!, index);

    /// <summary>Index of the word after the value at an index.</summary>
    internal int After(int index)
    {
        TapeWord word = WordAt(index);
        return word.IsContainer ? word.Size : index + 1;
    }

    /// <summary>True when a word is the given name, no matter how it is escaped.</summary>
    internal bool IsNamed(TapeWord word, ReadOnlySpan<byte> name) => word.Kind == TapeKind.PlainName
        ? word.Size == name.Length && TextOf(word).SequenceEqual(name)
        : JsonText.EqualsUnescaped(TextOf(word), name);

    private bool IsString => _tape is not null && First.Kind is TapeKind.PlainString or TapeKind.EscapedString;

    private bool IsContainer => _tape is not null && First.IsContainer;

    private ReadOnlySpan<ulong> Words
    {
        get
        {
            Debug.Assert(_tape is not null);
            Debug.Assert(_tape.Generation == _generation, "the tape has read another text since");
            return _tape.Words;
        }
    }

    private TapeWord First => new(Words[_index]);

    private ReadOnlySpan<byte> Inner => TextOf(First);
}

/// <summary>What a <see cref="TapeValue"/> is.</summary>
internal enum JsonKind : byte
{
    /// <summary>There is no value: a member or an element that a document does not have.</summary>
    Missing,
    Null,
    False,
    True,
    Number,
    String,
    Array,
    Object,
}
