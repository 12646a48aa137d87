using System.Linq.Expressions;

namespace Jackdaw.Client.Tests.Indexes;

/// <summary>Makes expressions over a <see cref="Sample"/> as the compiler would make them.</summary>
internal sealed class RandomIndexExpressions(Random random)
{
    private static readonly System.Reflection.MethodInfo s_concat = typeof(string).GetMethod("Concat", [typeof(string), typeof(string)])!;

    private readonly ParameterExpression _row = Expression.Parameter(typeof(Sample), "x");

    public static Sample Document(Random random)
    {
        DateTime Time() => new DateTime(2025, 1, 1).AddMinutes(random.Next(600_000)).AddMilliseconds(random.Next(3) * 250);
        return new Sample
        {
            Id = "samples/1",
            A = random.Next(-9, 10),
            B = random.Next(1, 6),
            N = random.Next(3) == 0 ? null : random.Next(-5, 6),
            M = random.Next(2) == 0 ? null : random.Next(9),
            L = random.NextInt64(-100, 5_000_000_000),
            D = random.Next(4) == 0 ? random.Next(1, 9) : Math.Round((random.NextDouble() * 20) - 5, 3),
            E = random.Next(1, 9) / 2.0,
            F = random.Next(3) == 0 ? null : random.Next(-8, 9) / 4.0,
            P = random.Next(-500, 5_000) / 100m,
            Q = random.Next(1, 300) / 10m,
            R = random.Next(3) == 0 ? null : random.Next(100) / 10m,
            S = new[] { "Lamp", "lamp", "Cord 7", "ä\"\\", "" }[random.Next(5)],
            T = random.Next(2) == 0 ? null : "note",
            X = random.Next(2) == 0,
            Y = new bool?[] { null, true, false }[random.Next(3)],
            At = Time(),
            Until = Time(),
            Gone = random.Next(2) == 0 ? null : Time(),
            Took = TimeSpan.FromMinutes(random.Next(5_000)),
            Rest = random.Next(2) == 0 ? null : TimeSpan.FromSeconds(random.Next(90_000)),
            Color = (Color)random.Next(3),
            Letter = (char)('A' + random.Next(4)),
            Tags = [.. Enumerable.Range(0, random.Next(4)).Select(i => new[] { "x", "Y", "note", "Lamp" }[random.Next(4)])],
            Numbers = [.. Enumerable.Range(0, random.Next(4)).Select(i => random.Next(-3, 9))],
            Parts = [.. Enumerable.Range(0, random.Next(3)).Select(i => new Part
            {
                Name = "p" + i, Amount = random.Next(5), Price = random.Next(999) / 100m, Off = random.Next(4) / 4.0,
            })],
        };
    }

    public Expression<Func<Sample, object?>> Next()
    {
        Expression body = random.Next(9) switch
        {
            0 => Bool(4),
            1 => Whole(4),
            2 => Fraction(4),
            3 => Exact(4),
            4 => MaybeWhole(4),
            5 => MaybeExact(4),
            6 => Text(3),
            7 => Time(3),
            _ => Duration(3),
        };
        return Expression.Lambda<Func<Sample, object?>>(Expression.Convert(body, typeof(object)), _row);
    }

    private MemberExpression Field(string name) => Expression.Property(_row, name);

    private static ConstantExpression Value<T>(T value) => Expression.Constant(value, typeof(T));

    private Expression Bool(int depth) => depth == 0 ? Field("X") : random.Next(16) switch
    {
        0 => Expression.AndAlso(Bool(depth - 1), Bool(depth - 1)),
        1 => Expression.OrElse(Bool(depth - 1), Bool(depth - 1)),
        2 => Expression.Not(Bool(depth - 1)),
        3 => Compared(Whole(depth - 1), Whole(depth - 1)),
        4 => Compared(Fraction(depth - 1), Fraction(depth - 1)),
        5 => Compared(Exact(depth - 1), Exact(depth - 1)),
        6 => Compared(MaybeWhole(depth - 1), MaybeWhole(depth - 1)),
        7 => Compared(Time(depth - 1), Time(depth - 1)),
        8 => Compared(Duration(depth - 1), Duration(depth - 1)),
        9 => Expression.Equal(Text(depth - 1), Text(depth - 1)),
        10 => Expression.Equal(Expression.Convert(Field("Color"), typeof(int)), Value(random.Next(3))),
        11 => Expression.Equal(Bool(depth - 1), Bool(depth - 1)),
        12 => Expression.Coalesce(Field("Y"), Bool(depth - 1)),
        13 => Expression.Call(typeof(Enumerable), "Contains", [typeof(string)], Field("Tags"), Text(depth - 1)),
        14 => Expression.ExclusiveOr(Bool(depth - 1), Bool(depth - 1)),
        _ => Compared(Expression.Convert(Field("Letter"), typeof(int)), Value((int)'B')),
    };

    private BinaryExpression Compared(Expression left, Expression right) => random.Next(6) switch
    {
        0 => Expression.Equal(left, right),
        1 => Expression.NotEqual(left, right),
        2 => Expression.LessThan(left, right),
        3 => Expression.LessThanOrEqual(left, right),
        4 => Expression.GreaterThan(left, right),
        _ => Expression.GreaterThanOrEqual(left, right),
    };

    private BinaryExpression Computed(Expression left, Expression right, Expression divisor) => random.Next(5) switch
    {
        0 => Expression.Add(left, right),
        1 => Expression.Subtract(left, right),
        2 => Expression.Multiply(left, right),
        3 => Expression.Divide(left, divisor),
        _ => Expression.Modulo(left, divisor),
    };

    private Expression Whole(int depth)
    {
        if (depth == 0)
        {
            return random.Next(3) switch { 0 => Value(random.Next(-3, 4)), 1 => Field("A"), _ => Field("B") };
        }

        return random.Next(10) switch
        {
            0 => Expression.Negate(Whole(depth - 1)),
            1 => Expression.Condition(Bool(depth - 1), Whole(depth - 1), Whole(depth - 1)),
            2 => Expression.Coalesce(Field("N"), Whole(depth - 1)),
            3 => Expression.Convert(Fraction(0), typeof(int)),
            4 => Expression.Call(typeof(Enumerable), "Count", [typeof(string)], Field("Tags")),
            5 => Expression.Call(typeof(Enumerable), "Sum", null, Field("Numbers")),
            6 => Expression.Property(Field("S"), "Length"),
            7 => Expression.Call(typeof(Enumerable), "FirstOrDefault", [typeof(int)], Field("Numbers")),
            _ => Computed(Whole(depth - 1), Whole(depth - 1), random.Next(2) == 0 ? Field("B") : Value(random.Next(1, 5))),
        };
    }

    private Expression Fraction(int depth)
    {
        if (depth == 0)
        {
            return random.Next(3) switch { 0 => Value(random.Next(-6, 7) / 4.0), 1 => Field("D"), _ => Field("E") };
        }

        return random.Next(6) switch
        {
            0 => Expression.Convert(Whole(depth - 1), typeof(double)),
            1 => Expression.Condition(Bool(depth - 1), Fraction(depth - 1), Fraction(depth - 1)),
            2 => Expression.Call(typeof(Math), "Abs", null, Fraction(depth - 1)),
            3 => Expression.Property(Expression.Subtract(Field("Until"), Field("At")), "TotalHours"),
            _ => Computed(Fraction(depth - 1), Fraction(depth - 1), Field("E")),
        };
    }

    private Expression Exact(int depth)
    {
        if (depth == 0)
        {
            return random.Next(3) switch { 0 => Value(random.Next(-60, 70) / 10m), 1 => Field("P"), _ => Field("Q") };
        }

        return random.Next(7) switch
        {
            0 => Expression.Convert(Whole(depth - 1), typeof(decimal)),
            1 => Expression.Condition(Bool(depth - 1), Exact(depth - 1), Exact(depth - 1)),
            2 => Expression.Call(typeof(Math), "Round", null, Exact(depth - 1), Value(random.Next(3))),
            3 => Expression.Coalesce(Field("R"), Exact(depth - 1)),
            4 => SumOfParts(),
            _ => Computed(Exact(depth - 1), Exact(depth - 1), Field("Q")),
        };
    }

    private Expression SumOfParts()
    {
        Expression<Func<Part, decimal>> each = random.Next(2) == 0 ? p => p.Price * p.Amount : p => p.Price - (decimal)p.Off;
        return Expression.Call(typeof(Enumerable), "Sum", [typeof(Part)], Field("Parts"), each);
    }

    private Expression MaybeWhole(int depth) => depth == 0 ? Field(random.Next(2) == 0 ? "N" : "M") : random.Next(4) switch
    {
        0 => Expression.Convert(Whole(depth - 1), typeof(int?)),
        1 => Expression.Coalesce(MaybeWhole(depth - 1), MaybeWhole(depth - 1)),
        _ => Computed(MaybeWhole(depth - 1), MaybeWhole(depth - 1), Value<int?>(random.Next(1, 4))),
    };

    private Expression MaybeExact(int depth) => depth == 0 ? Field("R") : random.Next(4) switch
    {
        0 => Expression.Convert(Exact(depth - 1), typeof(decimal?)),
        1 => Expression.Convert(MaybeWhole(depth - 1), typeof(decimal?)),
        _ => Computed(MaybeExact(depth - 1), MaybeExact(depth - 1), Expression.Convert(Field("Q"), typeof(decimal?))),
    };

    private Expression Text(int depth)
    {
        if (depth == 0)
        {
            return random.Next(3) switch
            {
                0 => Value(new[] { "a", "Lamp", "q\"\\\n" }[random.Next(3)]),
                1 => Field("S"),
                _ => Expression.Coalesce(Field("T"), Value("none")),
            };
        }

        return random.Next(6) switch
        {
            0 => Expression.Call(Text(depth - 1), "ToUpperInvariant", null),
            1 => Expression.Condition(Bool(depth - 1), Text(depth - 1), Text(depth - 1)),
            2 => Expression.Call(Whole(depth - 1), "ToString", null),
            3 => Expression.Call(Text(depth - 1), "Replace", null, Value("a"), Value("bb")),
            _ => Expression.Add(Text(depth - 1), random.Next(2) == 0 ? Text(depth - 1) : Field("T"), s_concat),
        };
    }

    private Expression Time(int depth) => depth == 0 ? Field(random.Next(2) == 0 ? "At" : "Until") : random.Next(5) switch
    {
        0 => Expression.Call(Time(depth - 1), "AddDays", null, Value(random.Next(-9, 10) / 2.0)),
        1 => Expression.Condition(Bool(depth - 1), Time(depth - 1), Time(depth - 1)),
        2 => Expression.Coalesce(Field("Gone"), Time(depth - 1)),
        3 => Expression.Property(Time(depth - 1), "Date"),
        _ => random.Next(2) == 0 ? Expression.Add(Time(depth - 1), Duration(depth - 1)) : Expression.Subtract(Time(depth - 1), Duration(depth - 1)),
    };

    private Expression Duration(int depth)
    {
        if (depth == 0)
        {
            return random.Next(2) == 0 ? Field("Took") : Value(TimeSpan.FromMinutes(random.Next(99)));
        }

        return random.Next(4) switch
        {
            0 => Expression.Subtract(Time(depth - 1), Time(depth - 1)),
            1 => Expression.Coalesce(Field("Rest"), Duration(depth - 1)),
            2 => Expression.Negate(Duration(depth - 1)),
            _ => Expression.Add(Duration(depth - 1), Duration(depth - 1)),
        };
    }
}
