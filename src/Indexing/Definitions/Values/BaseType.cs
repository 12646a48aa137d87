using System.Collections.Concurrent;
using System.Globalization;

namespace Jackdaw.Indexing.Definitions.Values;

/// <summary>A type of the base library as the target of a value: how well a value fits, and the object that it becomes.</summary>
/// <remarks>The costs order overloads as C# orders them for the types that a document has: 0 is the type itself, and numbers prefer long and
/// double. A text fits dates, durations and the like when it is one.</remarks>
internal sealed class BaseType
{
    /// <summary>The value cannot become this type.</summary>
    public const int Impossible = -1;

    private const int ObjectCost = 8;

    /// <summary>A conversion that C# has only as a call, such as a number that is made from a text.</summary>
    public const int ParsedCost = 20;

    private static readonly ConcurrentDictionary<Type, BaseType> s_known = [];

    private readonly Type _type;
    private readonly bool _isNullable;
    private readonly NumberType? _number;
    private readonly SequenceType? _sequence;

    private BaseType(Type type)
    {
        Type? inner = Nullable.GetUnderlyingType(type);
        _type = inner ?? type;
        TakesNull = !type.IsValueType || inner is not null || type == typeof(Value);
        _isNullable = inner is not null;
        _number = NumberType.Of(_type);
        _sequence = SequenceType.Of(_type);
    }

    /// <summary>Whether null is one of its values.</summary>
    public bool TakesNull { get; }

    public static BaseType Of(Type type) => type.IsCollectible
        ? new BaseType(type)
        : s_known.GetOrAdd(type, static key => new BaseType(key));

    /// <summary>How far an argument is from this type; <see cref="Impossible"/> when it cannot become it.</summary>
    public int Cost(object? argument) => argument switch
    {
        null => 1,
        Value value => Cost(value),
        _ when argument.GetType() == _type => _isNullable ? 1 : 0,
        _ when _type == typeof(object) => ObjectCost,
        _ when _type.IsInstanceOfType(argument) => 1,
        Enum => Impossible,
        not (IConvertible or DateTimeOffset or DateOnly or TimeOnly or TimeSpan or Guid or Array) => Impossible,
        _ => Further(Cost(Conversion.ToValue(argument)), 1),
    };

    /// <summary>The argument as this type.</summary>
    public object? Make(object? argument) => argument switch
    {
        Value value => Make(value),
        null => null,
        _ when _type.IsInstanceOfType(argument) => argument,
        _ => Make(Conversion.ToValue(argument)),
    };

    /// <inheritdoc cref="Cost(object)"/>
    public int Cost(Value value)
    {
        if (_type == typeof(Value))
        {
            return 0;
        }

        if (value.IsNull)
        {
            return 1;
        }

        return _type == typeof(object) ? ObjectCost
            : _number is not null ? _number.Cost(value)
            : _sequence is not null ? _sequence.Cost(value)
            : ScalarCost(value);
    }

    private int ScalarCost(Value value)
    {
        if (_type == typeof(string))
        {
            return value.IsText ? 0 : value.IsNumber || value.Kind is ValueKind.Bool or ValueKind.Date or ValueKind.Duration ? ParsedCost : Impossible;
        }

        if (_type == typeof(bool))
        {
            return value.Kind == ValueKind.Bool ? 0 : value.IsText && bool.TryParse(value.AsText(), out _) ? ParsedCost : Impossible;
        }

        if (_type.IsEnum)
        {
            return value.IsText && Enum.TryParse(_type, value.AsText(), out _) ? 5 : value.Kind == ValueKind.Long ? 12 : Impossible;
        }

        return _type == typeof(char) ? value.IsText && value.Count() == 1 ? 2 : Impossible : TimeCost(value);
    }

    private int TimeCost(Value value)
    {
        bool isDate = value.TryGetDate(out _);
        bool isDay = isDate && value.IsText && value.Count() == 10;
        bool isMade = value.Kind is ValueKind.Date or ValueKind.Duration;
        return _type == typeof(DateTime) ? isDate ? isMade ? 0 : 3 : Impossible
            : _type == typeof(DateTimeOffset) ? isDate ? 4 : Impossible
            : _type == typeof(DateOnly) ? isDate ? isDay ? 2 : 6 : Impossible
            : _type == typeof(TimeSpan) ? IsDuration(value) ? isMade ? 0 : 3 : Impossible
            : _type == typeof(TimeOnly) ? IsDuration(value) ? 4 : isDate ? 7 : Impossible
            : _type == typeof(Guid) && value.IsText && Guid.TryParse(value.AsText(), out _) ? 3
            : Impossible;
    }

    private static bool IsDuration(Value value) => value.Kind == ValueKind.Duration
        || (value.IsText && TimeSpan.TryParse(value.AsText(), CultureInfo.InvariantCulture, out _));

    /// <inheritdoc cref="Make(object)"/>
    public object? Make(Value value)
    {
        if (_type == typeof(Value))
        {
            return value;
        }

        if (value.IsNull)
        {
            return _sequence is not null ? _sequence.Make(value)
                : _isNullable || !_type.IsValueType ? null : _number?.Make(value) ?? Activator.CreateInstance(_type);
        }

        return _type == typeof(object) ? BaseForms.Natural(value)
            : _number is not null ? _number.Make(value)
            : _sequence is not null ? _sequence.Make(value)
            : MakeScalar(value);
    }

    private object MakeScalar(Value value) => _type == typeof(string) ? value.AsText()
        : _type == typeof(bool) ? value.AsCondition()
        : _type == typeof(char) ? (char)value
        : _type == typeof(DateTime) ? value.AsDate()
        : _type == typeof(DateTimeOffset) ? (DateTimeOffset)value
        : _type == typeof(DateOnly) ? (DateOnly)value
        : _type == typeof(TimeOnly) ? (TimeOnly)value
        : _type == typeof(TimeSpan) ? value.AsDuration()
        : _type == typeof(Guid) ? (object)(Guid)value
        : !_type.IsEnum ? throw new InvalidCastException($"A value cannot be read as {_type.Name}.")
        : value.IsNumber ? Enum.ToObject(_type, value.AsLong()) : Enum.Parse(_type, value.AsText());

    private static int Further(int cost, int more) => cost < 0 ? cost : cost + more;
}
