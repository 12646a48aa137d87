using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.Json.Paths;

namespace Jackdaw.Indexing.Definitions.Values;

public readonly partial struct Value
{
    /// <summary>How dates are written without another format.</summary>
    internal const string DateFormat = ComputedMembers.DateFormat;

    /// <summary>Longest format text. Characters, and digits of a precision: <c>D999999999</c> would make a text of
    /// gigabytes in one call.</summary>
    internal const int FormatLengthMax = 200;

    private static readonly JsonWriterOptions s_writing =
        new() { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>The value in a text: nothing for null, JSON for objects and lists.</summary>
    public override string ToString() => ToString(null, null);

    public string ToString(IFormatProvider? formatProvider) => ToString(null, formatProvider);

    public string ToString(string? format, IFormatProvider? formatProvider)
    {
        CultureInfo culture = CultureInfo.InvariantCulture;
        format = format is null ? null : Checked(format);
        switch (_kind)
        {
            case <= ValueKind.Null:
                return "";
            case ValueKind.Bool:
                return _bits != 0 ? "True" : "False";
            case ValueKind.Long:
                return _bits.ToString(format, culture);
            case ValueKind.Double:
                return AsDouble().ToString(format, culture);
            case ValueKind.Decimal:
                return AsDecimal().ToString(format, culture);
            case ValueKind.TapeNumber:
                return format is null
                    ? Encoding.UTF8.GetString(Tape.Source)
                    : AsArithmetic().ToString(format, culture);
            case ValueKind.Date:
                return AsDate().ToString(format ?? DateFormat, culture);
            case ValueKind.Duration:
                return AsDuration().ToString(format, culture);
            case ValueKind.Text or ValueKind.TapeText:
                return format is not null && TryGetDate(out DateTime date) ? date.ToString(format, culture) : AsText();
            case ValueKind.Boosted:
                return Unboosted().ToString(format, culture);
            default:
                return ToJson();
        }
    }

    public bool TryFormat(
        Span<char> destination, out int charsWritten, ReadOnlySpan<char> format, IFormatProvider? provider)
    {
        if (_kind == ValueKind.Long && format.IsEmpty)
        {
            return _bits.TryFormat(destination, out charsWritten, format, CultureInfo.InvariantCulture);
        }

        string text = ToString(format.IsEmpty ? null : format.ToString(), provider);
        bool fits = text.TryCopyTo(destination);
        charsWritten = fits ? text.Length : 0;
        return fits;
    }

    /// <summary>JSON without whitespace; null for what is missing.</summary>
    internal string ToJson()
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, s_writing))
        {
            WriteTo(writer);
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    /// <summary>Writes the value as JSON: numbers with all their digits, dates as texts, and without missing
    /// members.</summary>
    internal void WriteTo(Utf8JsonWriter writer)
    {
        switch (_kind)
        {
            case <= ValueKind.Null:
                writer.WriteNullValue();
                return;
            case ValueKind.Bool:
                writer.WriteBooleanValue(_bits != 0);
                return;
            case ValueKind.Long:
                writer.WriteNumberValue(_bits);
                return;
            case ValueKind.Decimal:
                writer.WriteNumberValue((decimal)_object!);
                return;
            case ValueKind.Double when double.IsFinite(AsDouble()):
                writer.WriteNumberValue(AsDouble());
                return;
            case ValueKind.TapeText or ValueKind.TapeNumber or ValueKind.TapeObject or ValueKind.TapeArray:
                writer.WriteRawValue(Tape.Source, skipInputValidation: true);
                return;
            case ValueKind.List:
                WriteElements(writer);
                return;
            case ValueKind.Object or ValueKind.Pair or ValueKind.Metadata:
                WriteMembers(writer);
                return;
            case ValueKind.Boosted:
                Unboosted().WriteTo(writer);
                return;
            case ValueKind.DynamicField:
                Made<DynamicField>().Value.WriteTo(writer);
                return;
            case ValueKind.Spatial:
                writer.WriteStringValue(ShapeText());
                return;
            default:
                writer.WriteStringValue(ToString());
                return;
        }
    }

    /// <summary>The format, if it is short and has no huge precision or width.</summary>
    internal static string Checked(string format)
    {
        if (format.Length > FormatLengthMax || HasLongPrecision(format))
        {
            throw new FormatException($"The format '{format[..Math.Min(format.Length, 20)]}' makes too long a text.");
        }

        return format;
    }

    /// <summary>A letter with a precision of more than three digits, anywhere: also the width in {0,5000}.</summary>
    internal static bool HasLongPrecision(ReadOnlySpan<char> format)
    {
        int digits = 0;
        bool counts = false;
        foreach (char c in format)
        {
            if (char.IsAsciiDigit(c))
            {
                digits++;
                if (counts && digits > 3)
                {
                    return true;
                }

                continue;
            }

            counts = char.IsAsciiLetter(c) || c is ',' or '-' || (counts && c is ' ');
            digits = 0;
        }

        return false;
    }

    private void WriteElements(Utf8JsonWriter writer)
    {
        writer.WriteStartArray();
        foreach (Value element in List)
        {
            element.WriteTo(writer);
        }

        writer.WriteEndArray();
    }

    private void WriteMembers(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        if (_kind == ValueKind.Pair)
        {
            writer.WritePropertyName("Key");
            writer.WriteStringValue(Made<NamedValue>().Name);
            writer.WritePropertyName("Value");
            Made<NamedValue>().Value.WriteTo(writer);
        }
        else
        {
            foreach (NamedValue member in Members())
            {
                writer.WritePropertyName(member.Name);
                member.Value.WriteTo(writer);
            }
        }

        writer.WriteEndObject();
    }

    /// <summary>The well-known text of a shape.</summary>
    internal string ShapeText()
    {
        SpatialValue shape = Made<SpatialValue>();
        return shape.WellKnownText ?? string.Create(CultureInfo.InvariantCulture, $"POINT ({shape.Longitude} {shape.Latitude})");
    }
}
