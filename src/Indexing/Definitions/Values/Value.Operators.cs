namespace Jackdaw.Indexing.Definitions.Values;

public readonly partial struct Value
{
    // Decimals have 28 digits: two up to the one cannot overflow, and below the other fewer than the 15 digits that a
    // double is sure of would be left.
    private const decimal SummandMax = 1e28m;
    private const decimal SummandMin = 1e-13m;

    public static Value operator +(Value left, Value right)
    {
        if (left._kind == ValueKind.Long && right._kind == ValueKind.Long)
        {
            long sum = unchecked(left._bits + right._bits);
            bool overflows = ((left._bits ^ sum) & (right._bits ^ sum)) < 0;
            return overflows ? (Value)((decimal)left._bits + right._bits) : sum;
        }

        if (left.IsNumber && right.IsNumber)
        {
            return Calculate(left, right, '+');
        }

        if (right._kind == ValueKind.Duration)
        {
            return left.IsNull ? Null
                : left.TryGetDate(out DateTime date) ? date + right.AsDuration()
                : left.AsDuration() + right.AsDuration();
        }

        if ((left.IsText || right.IsText) && !left.IsPromoted(right) && !(left.IsCharacter && right.IsCharacter))
        {
            string a = left.ToString();
            string b = right.ToString();
            ExecutionBudget.Reserve(2L * (a.Length + (long)b.Length));
            return string.Concat(a, b);
        }

        return Calculate(left, right, '+');
    }

    public static Value operator -(Value left, Value right)
    {
        if (left.IsNull || right.IsNull)
        {
            return Null;
        }

        if (!left.IsNumber && left.TryGetDate(out DateTime date))
        {
            return right.TryGetDate(out DateTime earlier) ? date - earlier : date - right.AsDuration();
        }

        return left._kind == ValueKind.Duration || (left.IsText && left.IsDurationText)
            ? left.AsDuration() - right.AsDuration()
            : Calculate(left, right, '-');
    }

    public static Value operator *(Value left, Value right) =>
        left.IsNumber && right.IsNumber || left.IsNull || right.IsNull ? Calculate(left, right, '*')
        : left.IsDuration ? left.AsDuration() * right.AsDouble()
        : right.IsDuration ? right.AsDuration() * left.AsDouble()
        : Calculate(left, right, '*');

    public static Value operator /(Value left, Value right) =>
        left.IsNumber && right.IsNumber || left.IsNull || right.IsNull || !left.IsDuration ? Calculate(left, right, '/')
        : right.IsDuration ? left.AsDuration() / right.AsDuration()
        : left.AsDuration() / right.AsDouble();

    public static Value operator %(Value left, Value right) => Calculate(left, right, '%');

    public static Value operator -(Value value) =>
        value.IsDuration ? -value.AsDuration() : value.IsNull ? Null : 0 - value;

    public static Value operator +(Value value) => value;

    public static bool operator ==(Value left, Value right) =>
        left.Equals(right) || (left.IsPromoted(right) && left.CompareTo(right) == 0);

    public static bool operator !=(Value left, Value right) => !(left == right);

    public static bool operator <(Value left, Value right) => IsOrdered(left, right) && left.CompareTo(right) < 0;

    public static bool operator >(Value left, Value right) => IsOrdered(left, right) && left.CompareTo(right) > 0;

    public static bool operator <=(Value left, Value right) => IsOrdered(left, right) && left.CompareTo(right) <= 0;

    public static bool operator >=(Value left, Value right) => IsOrdered(left, right) && left.CompareTo(right) >= 0;

    public static bool operator !(Value value) => !value.AsCondition();

    public static bool operator true(Value value) => value.AsCondition();

    public static bool operator false(Value value) => !value.AsCondition();

    public static Value operator &(Value left, Value right) => left.IsNumber && right.IsNumber
        ? left.AsLong() & right.AsLong()
        : left.AsCondition() && right.AsCondition();

    public static Value operator |(Value left, Value right) => left.IsNumber && right.IsNumber
        ? left.AsLong() | right.AsLong()
        : left.AsCondition() || right.AsCondition();

    public static Value operator ^(Value left, Value right) => left.IsNumber && right.IsNumber
        ? left.AsLong() ^ right.AsLong()
        : left.AsCondition() != right.AsCondition();

    public static Value operator ~(Value value) => value.IsNull ? Null : ~value.AsLong();

    public static Value operator <<(Value value, Value count) => value.IsNull || count.IsNull ? Null : value.AsLong() << (int)count;

    public static Value operator >>(Value value, Value count) => value.IsNull || count.IsNull ? Null : value.AsLong() >> (int)count;

    public static Value operator >>>(Value value, Value count) => value.IsNull || count.IsNull ? Null : value.AsLong() >>> (int)count;

    private bool IsDuration => _kind == ValueKind.Duration || (IsText && IsDurationText);

    /// <summary>A text such as 01:30:00. A number alone would be a duration of days for TimeSpan, and is a number here.</summary>
    private bool IsDurationText => AsText() is { Length: < 30 } text && text.Contains(':', StringComparison.Ordinal)
        && TimeSpan.TryParse(text, System.Globalization.CultureInfo.InvariantCulture, out _);

    private static bool IsOrdered(Value left, Value right) => !left.IsNull && !right.IsNull;

    /// <summary>Integers stay integers as in C#; beyond 64 bits, and where a decimal takes part, decimals; otherwise
    /// doubles.</summary>
    private static Value Calculate(Value left, Value right, char operation)
    {
        if (left.IsNull || right.IsNull)
        {
            return Null;
        }

        left = left.AsArithmetic();
        right = right.AsArithmetic();
        if (left._kind == ValueKind.Long && right._kind == ValueKind.Long)
        {
            Int128 exact = Calculate((Int128)left._bits, right._bits, operation);
            return exact >= long.MinValue && exact <= long.MaxValue ? (long)exact
                : Int128.Abs(exact) < (Int128)decimal.MaxValue ? (decimal)exact
                : (double)exact;
        }

        if ((left._kind == ValueKind.Decimal || right._kind == ValueKind.Decimal)
            && left.TryGetDecimal(out decimal a) && right.TryGetDecimal(out decimal b))
        {
            return operation switch { '+' => a + b, '-' => a - b, '*' => a * b, '/' => a / b, _ => a % b };
        }

        double x = left.AsDouble();
        double y = right.AsDouble();
        return operation switch { '+' => x + y, '-' => x - y, '*' => x * y, '/' => x / y, _ => x % y };
    }

    /// <summary>Like '+', but numbers with fractions are added as decimals if they are in the range of decimals.</summary>
    internal static Value AddExactly(Value left, Value right)
    {
        if (!left.IsNumber || !right.IsNumber || (left._kind == ValueKind.Long && right._kind == ValueKind.Long)
            || !left.TryGetSummand(out decimal a) || !right.TryGetSummand(out decimal b))
        {
            return left + right;
        }

        return a + b;
    }

    private bool TryGetSummand(out decimal value) => TryGetDecimal(out value)
        && (value == 0 ? AsDouble() == 0 : Math.Abs(value) is >= SummandMin and <= SummandMax);

    private static Int128 Calculate(Int128 left, Int128 right, char operation) => operation switch
    {
        '+' => left + right,
        '-' => left - right,
        '*' => left * right,
        '/' => left / right,
        _ => left % right,
    };
}
