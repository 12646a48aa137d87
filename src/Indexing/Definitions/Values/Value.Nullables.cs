namespace Jackdaw.Indexing.Definitions.Values;

// Without these, C# would compare (int?)o.N with null by Nullable<Value>, in which the null of a value counts as something.
public readonly partial struct Value
{
    public static implicit operator Value(int? value) => value is { } given ? given : Null;

    public static implicit operator Value(long? value) => value is { } given ? given : Null;

    public static implicit operator Value(uint? value) => value is { } given ? given : Null;

    public static implicit operator Value(ulong? value) => value is { } given ? given : Null;

    public static implicit operator Value(byte? value) => value is { } given ? given : Null;

    public static implicit operator Value(sbyte? value) => value is { } given ? given : Null;

    public static implicit operator Value(short? value) => value is { } given ? given : Null;

    public static implicit operator Value(ushort? value) => value is { } given ? given : Null;

    public static implicit operator Value(double? value) => value is { } given ? given : Null;

    public static implicit operator Value(float? value) => value is { } given ? given : Null;

    public static implicit operator Value(decimal? value) => value is { } given ? given : Null;

    public static implicit operator Value(bool? value) => value is { } given ? given : Null;

    public static implicit operator Value(char? value) => value is { } given ? given : Null;

    public static implicit operator Value(DateTime? value) => value is { } given ? given : Null;

    public static implicit operator Value(DateTimeOffset? value) => value is { } given ? given : Null;

    public static implicit operator Value(DateOnly? value) => value is { } given ? given : Null;

    public static implicit operator Value(TimeOnly? value) => value is { } given ? given : Null;

    public static implicit operator Value(TimeSpan? value) => value is { } given ? given : Null;

    public static implicit operator Value(Guid? value) => value is { } given ? given : Null;

    public static implicit operator Value(DayOfWeek? value) => value is { } given ? given : Null;
}
