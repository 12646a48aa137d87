namespace Jackdaw.Indexing.Definitions.Values;

public readonly partial struct Value
{
    /// <summary>Stands in a text that is one character.</summary>
    private const long IsCharacterBit = 1;

    public static implicit operator Value(int value) => new(ValueKind.Long, null, value);

    public static implicit operator Value(long value) => new(ValueKind.Long, null, value);

    public static implicit operator Value(byte value) => new(ValueKind.Long, null, value);

    public static implicit operator Value(sbyte value) => new(ValueKind.Long, null, value);

    public static implicit operator Value(short value) => new(ValueKind.Long, null, value);

    public static implicit operator Value(ushort value) => new(ValueKind.Long, null, value);

    public static implicit operator Value(uint value) => new(ValueKind.Long, null, value);

    public static implicit operator Value(ulong value) => value <= long.MaxValue ? (long)value : (Value)(decimal)value;

    public static implicit operator Value(double value) =>
        new(ValueKind.Double, null, BitConverter.DoubleToInt64Bits(value));

    /// <summary>Converts by its text: 0.1f is 0.1 in an index, not 0.10000000149.</summary>
    public static implicit operator Value(float value) => (double)(decimal.TryParse(
        value.ToString(System.Globalization.CultureInfo.InvariantCulture),
        System.Globalization.NumberStyles.Float, System.Globalization.CultureInfo.InvariantCulture,
        out decimal exact) ? (double)exact : value);

    public static implicit operator Value(decimal value) => new(ValueKind.Decimal, value);

    public static implicit operator Value(bool value) => new(ValueKind.Bool, null, value ? 1 : 0);

    public static implicit operator Value(string? value) => value is null ? Null : new(ValueKind.Text, value);

    public static implicit operator Value(char value) => new(ValueKind.Text, value.ToString(), IsCharacterBit);

    public static implicit operator Value(DateTime value) => new(ValueKind.Date, null,
        (value.Kind == DateTimeKind.Local ? DateTime.SpecifyKind(value, DateTimeKind.Unspecified) : value).ToBinary());

    public static implicit operator Value(DateTimeOffset value) => value.UtcDateTime;

    public static implicit operator Value(DateOnly value) =>
        value.ToString("yyyy-MM-dd", System.Globalization.CultureInfo.InvariantCulture);

    public static implicit operator Value(TimeOnly value) =>
        value.ToString("HH:mm:ss.fffffff", System.Globalization.CultureInfo.InvariantCulture);

    public static implicit operator Value(TimeSpan value) => new(ValueKind.Duration, null, value.Ticks);

    public static implicit operator Value(Guid value) => value.ToString();

    public static implicit operator Value(DayOfWeek value) => value.ToString();

    public static explicit operator int(Value value) => checked((int)value.AsLong());

    public static explicit operator uint(Value value) => checked((uint)value.AsLong());

    public static explicit operator long(Value value) => value.AsLong();

    public static explicit operator ulong(Value value) => checked((ulong)value.AsDecimal());

    public static explicit operator short(Value value) => checked((short)value.AsLong());

    public static explicit operator ushort(Value value) => checked((ushort)value.AsLong());

    public static explicit operator byte(Value value) => checked((byte)value.AsLong());

    public static explicit operator sbyte(Value value) => checked((sbyte)value.AsLong());

    public static explicit operator nint(Value value) => checked((nint)value.AsLong());

    public static explicit operator nuint(Value value) => checked((nuint)value.AsDecimal());

    public static explicit operator double(Value value) => value.AsDouble();

    public static explicit operator float(Value value) => (float)value.AsDouble();

    public static explicit operator decimal(Value value) => value.AsDecimal();

    public static explicit operator bool(Value value) => value.AsCondition();

    public static explicit operator char(Value value) => value.IsNull ? default
        : value.IsNumber ? checked((char)value.AsLong())
        : value.AsText()[0];

    public static explicit operator string?(Value value) => value.IsNull ? null : value.AsText();

    public static explicit operator DateTime(Value value) => value.AsDate();

    public static explicit operator DateTimeOffset(Value value) =>
        new(DateTime.SpecifyKind(value.AsDate(), DateTimeKind.Unspecified), TimeSpan.Zero);

    public static explicit operator DateOnly(Value value) => DateOnly.FromDateTime(value.AsDate());

    public static explicit operator TimeOnly(Value value) => TimeOnly.FromTimeSpan(
        value.TryGetDate(out DateTime date) ? date.TimeOfDay : value.AsDuration());

    public static explicit operator TimeSpan(Value value) => value.AsDuration();

    public static explicit operator Guid(Value value) => value.IsNull ? default : Guid.Parse(value.AsText());

    public static explicit operator DayOfWeek(Value value) =>
        value.IsNull ? default : Enum.Parse<DayOfWeek>(value.AsText());

    public static explicit operator int?(Value value) => value.IsNull ? null : (int)value;

    public static explicit operator long?(Value value) => value.IsNull ? null : value.AsLong();

    public static explicit operator double?(Value value) => value.IsNull ? null : value.AsDouble();

    public static explicit operator float?(Value value) => value.IsNull ? null : (float)value.AsDouble();

    public static explicit operator decimal?(Value value) => value.IsNull ? null : value.AsDecimal();

    public static explicit operator bool?(Value value) => value.IsNull ? null : value.AsCondition();

    public static explicit operator DateTime?(Value value) => value.IsNull ? null : value.AsDate();

    public static explicit operator DateTimeOffset?(Value value) => value.IsNull ? null : (DateTimeOffset)value;

    public static explicit operator TimeSpan?(Value value) => value.IsNull ? null : value.AsDuration();

    public static explicit operator Guid?(Value value) => value.IsNull ? null : (Guid)value;

    public static explicit operator DateOnly?(Value value) => value.IsNull ? null : (DateOnly)value;

    public static explicit operator TimeOnly?(Value value) => value.IsNull ? null : (TimeOnly)value;

    public static explicit operator DayOfWeek?(Value value) => value.IsNull ? null : (DayOfWeek)value;

    public static explicit operator char?(Value value) => value.IsNull ? null : (char)value;

    public static explicit operator uint?(Value value) => value.IsNull ? null : (uint)value;

    public static explicit operator ulong?(Value value) => value.IsNull ? null : (ulong)value;

    public static explicit operator short?(Value value) => value.IsNull ? null : (short)value;

    public static explicit operator ushort?(Value value) => value.IsNull ? null : (ushort)value;

    public static explicit operator byte?(Value value) => value.IsNull ? null : (byte)value;

    public static explicit operator sbyte?(Value value) => value.IsNull ? null : (sbyte)value;

    public static explicit operator string[](Value value) => Array.ConvertAll(value.ToValues(), v => (string?)v ?? "");

    public static explicit operator int[](Value value) => Array.ConvertAll(value.ToValues(), v => (int)v);

    public static explicit operator long[](Value value) => Array.ConvertAll(value.ToValues(), v => (long)v);

    public static explicit operator float[](Value value) => Array.ConvertAll(value.ToValues(), v => (float)v);

    public static explicit operator double[](Value value) => Array.ConvertAll(value.ToValues(), v => (double)v);

    public static explicit operator decimal[](Value value) => Array.ConvertAll(value.ToValues(), v => (decimal)v);

    public static explicit operator Value[](Value value) => value.ToValues();

    public static explicit operator List<Value>(Value value) => [.. value.ToValues()];

    public static explicit operator List<string>(Value value) => [.. (string[])value];
}
