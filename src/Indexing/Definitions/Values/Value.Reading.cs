using System.Buffers.Text;
using System.Globalization;
using Jackdaw.Json.Paths;

namespace Jackdaw.Indexing.Definitions.Values;

public readonly partial struct Value
{
    /// <summary>A double keeps any number with this number of digits.</summary>
    private const int DigitsOfDouble = 15;

    /// <summary>The nearest double; 0 for null.</summary>
    internal double AsDouble() => _kind switch
    {
        <= ValueKind.Null => 0,
        ValueKind.Long or ValueKind.Bool => _bits,
        ValueKind.Double => BitConverter.Int64BitsToDouble(_bits),
        ValueKind.Decimal => (double)(decimal)_object!,
        ValueKind.TapeNumber => Tape.TryGetDouble(out double number) ? number : 0,
        ValueKind.Boosted => Unboosted().AsDouble(),
        _ when IsCharacter => AsText()[0],
        _ when IsText && double.TryParse(AsText(), CultureInfo.InvariantCulture, out double parsed) => parsed,
        _ when TryGetDayOfWeek(out DayOfWeek day) => (int)day,
        _ => throw CannotRead("a number"),
    };

    internal decimal AsDecimal() => TryGetDecimal(out decimal value) ? value
        : TryGetDayOfWeek(out DayOfWeek day) ? (int)day
        : throw CannotRead("a decimal");

    /// <summary>A 64-bit integer; fractions are cut off, as casts do. 0 for null.</summary>
    internal long AsLong() => _kind switch
    {
        <= ValueKind.Null => 0,
        ValueKind.Long or ValueKind.Bool or ValueKind.Duration => _bits,
        ValueKind.Date => AsDate().Ticks,
        ValueKind.Decimal => (long)(decimal)_object!,
        ValueKind.Boosted => Unboosted().AsLong(),
        _ when IsText && !IsCharacter && long.TryParse(AsText(), CultureInfo.InvariantCulture, out long parsed) => parsed,
        _ => (long)AsDouble(),
    };

    /// <summary>Returns false outside the range of a decimal, and for values that are not numbers.</summary>
    internal bool TryGetDecimal(out decimal value)
    {
        value = 0;
        switch (_kind)
        {
            case <= ValueKind.Null:
                return true;
            case ValueKind.Long or ValueKind.Bool:
                value = _bits;
                return true;
            case ValueKind.Decimal:
                value = (decimal)_object!;
                return true;
            case ValueKind.Double:
                double number = AsDouble();
                bool fits = Math.Abs(number) < 7.9e28;
                value = fits ? (decimal)number : 0;
                return fits;
            case ValueKind.TapeNumber:
                return Tape.TryGetDecimal(out value);
            case ValueKind.Boosted:
                return Unboosted().TryGetDecimal(out value);
            case ValueKind.Text when IsCharacter:
                value = AsText()[0];
                return true;
            default:
                return IsText && decimal.TryParse(AsText(), CultureInfo.InvariantCulture, out value);
        }
    }

    /// <summary>A date, or a text of a document that is one: yyyy-MM-dd with or without a time.</summary>
    /// <remarks>A time with an offset becomes UTC. A time without one is not changed: an index must not depend on the time
    /// zone of the machine.</remarks>
    internal bool TryGetDate(out DateTime date)
    {
        date = default;
        switch (_kind)
        {
            case ValueKind.Date:
                date = DateTime.FromBinary(_bits);
                return true;
            case ValueKind.TapeText when Tape.TryGetPlainText(out ReadOnlySpan<byte> text):
                return text.Length >= 10 && text[4] == '-' && text[7] == '-' && TryParseDate(text, out date);
            case ValueKind.Text or ValueKind.TapeText:
                return TryParseDate(AsText(), out date);
            case ValueKind.Boosted:
                return Unboosted().TryGetDate(out date);
            default:
                return false;
        }
    }

    /// <summary>The date; the first of all dates for null, ticks as a date.</summary>
    internal DateTime AsDate() => IsNull ? default
        : TryGetDate(out DateTime date) ? date
        : _kind == ValueKind.Long ? new DateTime(_bits)
        : throw CannotRead("a date");

    internal TimeSpan AsDuration() => _kind switch
    {
        <= ValueKind.Null => default,
        ValueKind.Duration or ValueKind.Long => new TimeSpan(_bits),
        _ when IsText && TimeSpan.TryParse(AsText(), CultureInfo.InvariantCulture, out TimeSpan parsed) => parsed,
        _ => throw CannotRead("a duration (TimeSpan)"),
    };

    /// <summary>As a condition: null is false.</summary>
    internal bool AsCondition() => _kind switch
    {
        <= ValueKind.Null => false,
        ValueKind.Bool => _bits != 0,
        _ when IsText && bool.TryParse(AsText(), out bool parsed) => parsed,
        _ => throw CannotRead("true or false"),
    };

    /// <summary>A number whose arithmetic is exact where it can be: more digits than a double has make it a
    /// decimal.</summary>
    private Value AsArithmetic()
    {
        if (_kind == ValueKind.Boosted)
        {
            return Unboosted().AsArithmetic();
        }

        if (_kind != ValueKind.TapeNumber)
        {
            return IsNumber || IsNull ? this : IsText ? FromNumberText(AsText()) : throw CannotRead("a number");
        }

        ReadOnlySpan<byte> digits = Tape.Source;
        return digits.Length > DigitsOfDouble + 2 && Tape.TryGetDecimal(out decimal exact) ? exact : AsDouble();
    }

    /// <summary>Days of the week are written by their names, and a cast gives their numbers.</summary>
    private bool TryGetDayOfWeek(out DayOfWeek day)
    {
        day = default;
        return IsText && AsText() is { Length: > 0 } text && char.IsAsciiLetter(text[0]) && !text.Contains(',', StringComparison.Ordinal)
            && Enum.TryParse(text, out day);
    }

    private Value FromNumberText(string text) =>
        IsCharacter ? (Value)(int)text[0]
        : long.TryParse(text, CultureInfo.InvariantCulture, out long integer) ? (Value)integer
        : double.TryParse(text, CultureInfo.InvariantCulture, out double number) ? number
        : throw CannotRead("a number");

    private static bool TryParseDate(ReadOnlySpan<byte> text, out DateTime date)
    {
        bool isRoundtrip = text.Length == 27 || (text.Length == 28 && text[^1] == 'Z');
        if (isRoundtrip && Utf8Parser.TryParse(text, out date, out int used, 'O') && used == text.Length)
        {
            return true;
        }

        Span<char> characters = stackalloc char[40];
        date = default;
        return text.Length <= characters.Length
            && System.Text.Ascii.ToUtf16(text, characters, out int written) == System.Buffers.OperationStatus.Done
            && TryParseDate(characters[..written], out date);
    }

    private static bool TryParseDate(ReadOnlySpan<char> text, out DateTime date) => ComputedMembers.TryReadDate(text, out date);

    internal InvalidCastException CannotRead(string wanted)
    {
        string text = ToString();
        return new InvalidCastException(
            $"{(text.Length > 40 ? text[..40] + "..." : text)} ({_kind}) cannot be read as {wanted}.");
    }
}
