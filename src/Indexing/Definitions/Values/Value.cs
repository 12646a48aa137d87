using System.Text;
using Jackdaw.Json.Tape;

namespace Jackdaw.Indexing.Definitions.Values;

/// <summary>The type of everything in an index definition: what a document contains, and what the definition makes from
/// it.</summary>
/// <remarks>
/// It has 24 bytes: an object, 64 bits, a kind. A value of a document consists of the <see cref="DocumentText"/> and an index of its
/// tape. It is decoded only when it is needed, and is valid until the next document is read.
/// <para>Conversions to a value are implicit, conversions from a value explicit. With both implicit, the compiler finds no
/// type for <c>a ? value : 0</c>. The public members are what definitions and the code around them call; everything
/// else is internal, so that no definition can reach it.</para>
/// <para>Rules of null: a missing member and a member of null are null; arithmetic with null is null; comparisons with
/// null are false, except that null equals null; casting null to a value type gives its default. None of these
/// throws.</para>
/// </remarks>
public readonly partial struct Value : IEquatable<Value>, IComparable<Value>, ISpanFormattable, IMemberHolder
{
    private readonly object? _object;
    private readonly long _bits;
    private readonly ValueKind _kind;

    internal Value(ValueKind kind, object? content, long bits = 0)
    {
        _kind = kind;
        _object = content;
        _bits = bits;
    }

    public static Value Null => new(ValueKind.Null, null);

    internal static Value Missing => default;

    internal ValueKind Kind => _kind;

    /// <summary>True for null and for what is missing.</summary>
    internal bool IsNull => _kind <= ValueKind.Null;

    internal bool IsMissing => _kind == ValueKind.Missing;

    internal bool IsText => _kind is ValueKind.Text or ValueKind.TapeText;

    /// <summary>A character of a text: it is a text, and calculations take its code, as those of C# do.</summary>
    internal bool IsCharacter => _kind == ValueKind.Text && _bits != 0;

    internal bool IsNumber => _kind is ValueKind.Long or ValueKind.Double or ValueKind.Decimal or ValueKind.TapeNumber;

    internal bool IsList => _kind is ValueKind.TapeArray or ValueKind.List;

    /// <summary>True for what has members with names.</summary>
    internal bool IsObject => _kind is ValueKind.TapeObject or ValueKind.Object or ValueKind.Metadata;

    /// <summary>The sequence of a value of the kind <see cref="ValueKind.List"/>.</summary>
    internal Value[] List => (Value[])_object!;

    /// <summary>What a definition made: an object, a field, a shape, a boost.</summary>
    internal T Made<T>() where T : class => (T)_object!;

    internal DocumentText Document => (DocumentText)_object!;

    internal TapeValue Tape => Document.At((int)_bits);

    /// <summary>Whether both are the same place in the same document, so that a recursion over members ends.</summary>
    internal (object? Holder, long Place) Identity => (_object, _bits);

    /// <summary>True for a whole document: it has an id.</summary>
    internal bool IsDocument => _kind == ValueKind.TapeObject && _bits == 0;

    internal static Value FromTape(DocumentText document, int index)
    {
        TapeValue value = document.At(index);
        switch (value.Kind)
        {
            case JsonKind.Missing:
                return default;
            case JsonKind.Null:
                return Null;
            case JsonKind.False:
                return false;
            case JsonKind.True:
                return true;
            case JsonKind.String:
                return new Value(ValueKind.TapeText, document, index);
            case JsonKind.Number:
                return value.TryGetInt64(out long integer)
                    ? integer
                    : new Value(ValueKind.TapeNumber, document, index);
            case JsonKind.Array:
                return new Value(ValueKind.TapeArray, document, index);
            default:
                return new Value(ValueKind.TapeObject, document, index);
        }
    }

    internal static Value FromList(Value[] elements) => new(ValueKind.List, elements);

    internal static Value FromPair(string name, Value value) => new(ValueKind.Pair, new NamedValue(name, value));

    internal static Value FromObject(ObjectValue content) => new(ValueKind.Object, content);

    /// <summary>A string as a .NET string; for other kinds the result of <see cref="ToString()"/>.</summary>
    internal string AsText() => _kind switch
    {
        ValueKind.Text => (string)_object!,
        ValueKind.TapeText => Tape.ToText()!,
        _ => ToString(),
    };

    public bool Equals(Value other)
    {
        if (IsNull || other.IsNull)
        {
            return IsNull && other.IsNull;
        }

        if (_kind == ValueKind.Boosted || other._kind == ValueKind.Boosted)
        {
            return Unboosted().Equals(other.Unboosted());
        }

        if (IsNumber && other.IsNumber)
        {
            return CompareNumbers(this, other) == 0;
        }

        if (IsText && other.IsText)
        {
            return TextEquals(other);
        }

        if (_kind == ValueKind.Bool || other._kind == ValueKind.Bool)
        {
            return _kind == other._kind && _bits == other._bits;
        }

        if ((_kind == ValueKind.Date || other._kind == ValueKind.Date)
            && TryGetDate(out DateTime left) && other.TryGetDate(out DateTime right))
        {
            return left == right;
        }

        if (_kind == ValueKind.Duration || other._kind == ValueKind.Duration)
        {
            return IsDuration && other.IsDuration && AsDuration() == other.AsDuration();
        }

        return IsContainer && other.IsContainer && ToString() == other.ToString();
    }

    public override bool Equals(object? obj) => Equals(obj is Value value ? value : Conversion.ToValue(obj));

    /// <summary>Differs between processes, so it is for tables in memory only.</summary>
    public override int GetHashCode() => _kind switch
    {
        <= ValueKind.Null => 0,
        ValueKind.Boosted => Unboosted().GetHashCode(),
        ValueKind.Bool => (int)_bits + 1,
        _ when IsNumber => AsDouble().GetHashCode(),
        ValueKind.Date => AsDate().GetHashCode(),
        _ when TryGetDate(out DateTime date) => date.GetHashCode(),
        ValueKind.Duration => AsDuration().GetHashCode(),
        _ => ToString().GetHashCode(StringComparison.Ordinal),
    };

    /// <summary>Null comes first; numbers by value, dates by time, everything else as text, by code units.</summary>
    public int CompareTo(Value other)
    {
        if (IsNull || other.IsNull)
        {
            return IsNull ? (other.IsNull ? 0 : -1) : 1;
        }

        if (IsNumber && other.IsNumber)
        {
            return CompareNumbers(this, other);
        }

        if (_kind == ValueKind.Duration || other._kind == ValueKind.Duration)
        {
            return AsDuration().CompareTo(other.AsDuration());
        }

        if ((_kind == ValueKind.Date || other._kind == ValueKind.Date)
            && TryGetDate(out DateTime left) && other.TryGetDate(out DateTime right))
        {
            return left.CompareTo(right);
        }

        return IsPromoted(other) ? AsDouble().CompareTo(other.AsDouble()) : string.CompareOrdinal(AsText(), other.AsText());
    }

    /// <summary>Whether C# makes a number of a character, because the other operand is a number.</summary>
    private bool IsPromoted(Value other) => (IsCharacter && other.IsNumber) || (IsNumber && other.IsCharacter);

    internal Value Unboosted() => _kind == ValueKind.Boosted ? Made<BoostedValue>().Value : this;

    private bool IsContainer => _kind >= ValueKind.TapeObject;

    private bool TextEquals(Value other)
    {
        if (_kind == ValueKind.TapeText && Tape.TryGetPlainText(out ReadOnlySpan<byte> mine))
        {
            return other._kind == ValueKind.TapeText && other.Tape.TryGetPlainText(out ReadOnlySpan<byte> theirs)
                ? mine.SequenceEqual(theirs)
                : Equals(mine, other.AsText());
        }

        return other._kind == ValueKind.TapeText && other.Tape.TryGetPlainText(out ReadOnlySpan<byte> plain)
            ? Equals(plain, AsText())
            : AsText() == other.AsText();
    }

    private static bool Equals(ReadOnlySpan<byte> utf8, string text) =>
        Ascii.IsValid(utf8) ? Ascii.Equals(utf8, text) : Encoding.UTF8.GetString(utf8) == text;

    /// <summary>Compares exactly: two numbers that round to the same double are compared as decimals.</summary>
    private static int CompareNumbers(Value left, Value right)
    {
        if (left._kind == ValueKind.Long && right._kind == ValueKind.Long)
        {
            return left._bits.CompareTo(right._bits);
        }

        int order = left.AsDouble().CompareTo(right.AsDouble());
        return order == 0 && left.TryGetDecimal(out decimal a) && right.TryGetDecimal(out decimal b)
            ? a.CompareTo(b)
            : order;
    }
}
