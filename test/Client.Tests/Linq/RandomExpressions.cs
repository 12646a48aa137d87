using System.Linq.Expressions;
using System.Reflection;
using System.Text.RegularExpressions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Linq.Conditions;
using Jackdaw.Client.Linq.Translation;
using Jackdaw.Client.Vectors;

namespace Jackdaw.Client.Tests.Linq;

/// <summary>Expressions of all kinds, sensible or not, that a compiler could have made.</summary>
internal sealed class RandomExpressions(Random random)
{
    private static readonly Type[] s_types =
    [
        typeof(bool), typeof(int), typeof(int?), typeof(string), typeof(double), typeof(double?), typeof(decimal), typeof(DateTime), typeof(Role),
        typeof(char), typeof(List<string>), typeof(long), typeof(object), typeof(IEnumerable<string>), typeof(Address), typeof(TimeSpan),
    ];

    private static readonly MethodInfo[] s_methods =
    [
        .. new[] { typeof(string), typeof(Math), typeof(DateTime), typeof(Regex), typeof(Enumerable), typeof(DocQuery), typeof(List<string>), typeof(object) }
            .SelectMany(type => type.GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.Instance))
            .Where(method => method.GetGenericArguments().Length <= 2)
            .Where(method => !method.GetParameters().Any(parameter => parameter.ParameterType.IsByRef || parameter.ParameterType.IsPointer))
            .Where(method => !IsByChance(method) && !Changes(method)),
    ];

    private readonly List<ParameterExpression> _scope = [];
    private readonly List<Box> _captured = [];

    /// <summary>A query with up to six operators.</summary>
    public Expression Query(Expression source)
    {
        for (int i = random.Next(1, 7); i > 0; i--)
        {
            try
            {
                source = Operator(source);
            }
            catch (Exception refused) when (refused is ArgumentException or InvalidOperationException)
            {
                // The types do not fit: no compiler makes it.
            }
        }

        return source;
    }

    /// <summary>Gives the captured variables of the query other values.</summary>
    public void ChangeValues()
    {
        foreach (Box box in _captured)
        {
            box.Value = box.Value switch
            {
                bool => random.Next(2) == 0,
                string => new[] { "b", "", null }[random.Next(3)],
                int => random.Next(-3, 10),
                List<string> => random.Next(2) == 0 ? new List<string>() : ["c", "d"],
                var other => other,
            };
        }
    }

    // Two evaluations differ, so that two translations do.
    private static bool IsByChance(MethodInfo method) => method.Name is nameof(Enumerable.Shuffle) or "get_Now" or "get_UtcNow" or "get_Today"
        || (method.Name == nameof(GetHashCode) && method.DeclaringType == typeof(object)); // of the object, not of its contents

    // A list that a query changes is another one for the second translation.
    private static bool Changes(MethodInfo method) => method.DeclaringType == typeof(List<string>) && (method.ReturnType == typeof(void)
        || method.Name.StartsWith("Remove", StringComparison.Ordinal));

    private Expression Operator(Expression source)
    {
        Type element = source.Type.GetInterfaces().Append(source.Type)
            .First(type => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IQueryable<>)).GetGenericArguments()[0];
        Type result = s_types[random.Next(s_types.Length)];
        string[] keyed = ["OrderBy", "OrderByDescending", "ThenBy", "GroupBy", "Select", "Min", "SelectMany", "DistinctBy"];
        string[] tested = ["Where", "First", "Any", "Count", "All", "SkipWhile", "Last"];
        return random.Next(9) switch
        {
            8 => new StepExpression(source, Nearest(Lambda(element, result)), source.Type),
            0 => Expression.Call(typeof(Queryable), random.Next(2) == 0 ? "Skip" : "Take", [element], source, Make(typeof(int), 2)),
            1 => Expression.Call(typeof(Queryable), random.Next(2) == 0 ? "Distinct" : "Reverse", [element], source),
            2 => Expression.Call(typeof(Queryable), keyed[random.Next(keyed.Length)], [element, result], source, Lambda(element, result)),
            3 => Expression.Call(typeof(Queryable), "Select", [element, typeof(UserRow)], source, Row(element)),
            4 when element.Name.StartsWith("IGrouping", StringComparison.Ordinal) =>
                Expression.Call(typeof(Queryable), "Select", [element, result], source, Lambda(element, result)),
            _ => Expression.Call(
                typeof(Queryable), random.Next(3) > 0 ? "Where" : tested[random.Next(tested.Length)], [element], source, Lambda(element, typeof(bool))),
        };
    }

    private VectorStep Nearest(LambdaExpression field)
    {
        EmbeddingType? type = random.Next(2) == 0 ? null : (EmbeddingType)random.Next(3);
        var choice = new VectorChoice(
            random.Next(3) == 0 ? "embedding.forDoc" : null, random.Next(2) == 0 ? null : (float)random.NextDouble(),
            random.Next(2) == 0 ? null : random.Next(1, 9), random.Next(4) == 0);
        return new VectorStep(new VectorPlace(QueryField.Of(field), type, type), choice, new[] { 1f });
    }

    private LambdaExpression Row(Type element)
    {
        ParameterExpression parameter = Expression.Parameter(element, "x");
        _scope.Add(parameter);
        Expression body = Expression.MemberInit(
            Expression.New(typeof(UserRow)),
            Expression.Bind(typeof(UserRow).GetProperty("Name")!, Make(typeof(string), 3)),
            Expression.Bind(typeof(UserRow).GetProperty("Years")!, Make(typeof(int), 3)));
        _scope.Remove(parameter);
        return Expression.Lambda(body, parameter);
    }

    private LambdaExpression Lambda(Type element, Type result)
    {
        string[] names = ["u", "order", "doc", "x", "<>h__TransparentIdentifier0"];
        ParameterExpression parameter = Expression.Parameter(element, names[random.Next(names.Length)]);
        _scope.Add(parameter);
        Expression body = Make(result, 4);
        _scope.Remove(parameter);
        return Expression.Lambda(body, parameter);
    }

    private Expression Make(Type type, int depth)
    {
        for (int attempt = 0; attempt < 4 && depth > 0; attempt++)
        {
            try
            {
                if (TryMake(type, depth) is { } made && type.IsAssignableFrom(made.Type))
                {
                    return made.Type == type || !type.IsValueType ? made : Expression.Convert(made, type);
                }
            }
            catch (Exception refused) when (refused is ArgumentException or InvalidOperationException or NotSupportedException)
            {
                // The types do not fit: no compiler makes it.
            }
        }

        return Leaf(type);
    }

    private Expression? TryMake(Type type, int depth)
    {
        switch (random.Next(9))
        {
            case 0 or 1:
                return Member(type);
            case 2 when type == typeof(bool):
                ExpressionType[] tests = [ExpressionType.Equal, ExpressionType.NotEqual, ExpressionType.LessThan, ExpressionType.GreaterThanOrEqual];
                Type compared = s_types[random.Next(s_types.Length)];
                return Expression.MakeBinary(tests[random.Next(tests.Length)], Make(compared, depth - 1), Make(compared, depth - 1));
            case 3 when type == typeof(bool):
                ExpressionType[] chains = [ExpressionType.AndAlso, ExpressionType.OrElse, ExpressionType.And, ExpressionType.Or];
                return Expression.MakeBinary(chains[random.Next(chains.Length)], Make(type, depth - 1), Make(type, depth - 1));
            case 4:
                ExpressionType[] sums = [ExpressionType.Add, ExpressionType.Divide, ExpressionType.Modulo, ExpressionType.Coalesce, ExpressionType.Subtract];
                return Expression.MakeBinary(sums[random.Next(sums.Length)], Make(type, depth - 1), Make(type, depth - 1));
            case 5:
                return random.Next(2) == 0
                    ? Expression.Condition(Make(typeof(bool), depth - 1), Make(type, depth - 1), Make(type, depth - 1))
                    : Expression.MakeUnary(type == typeof(bool) ? ExpressionType.Not : ExpressionType.Negate, Make(type, depth - 1), type);
            case 6:
                return Expression.Convert(Make(s_types[random.Next(s_types.Length)], depth - 1), type);
            default:
                return Call(type, depth);
        }
    }

    private MemberExpression? Member(Type type)
    {
        if (_scope.Count == 0)
        {
            return null;
        }

        ParameterExpression owner = _scope[random.Next(_scope.Count)];
        PropertyInfo[] fitting =
        [
            .. owner.Type.GetProperties().Where(property => type.IsAssignableFrom(property.PropertyType) && property.GetIndexParameters().Length == 0),
        ];
        return fitting.Length == 0 ? null : Expression.Property(owner, fitting[random.Next(fitting.Length)]);
    }

    private MethodCallExpression? Call(Type type, int depth)
    {
        MethodInfo method = s_methods[random.Next(s_methods.Length)];
        if (method.IsGenericMethodDefinition)
        {
            method = method.MakeGenericMethod([.. method.GetGenericArguments().Select(_ => random.Next(3) > 0 ? typeof(string) : type)]);
        }

        if (!type.IsAssignableFrom(method.ReturnType))
        {
            return null;
        }

        Expression[] arguments = [.. method.GetParameters().Select(parameter => Argument(parameter.ParameterType, depth - 1))];
        return Expression.Call(method.IsStatic ? null : Make(method.DeclaringType!, depth - 1), method, arguments);
    }

    private Expression Argument(Type type, int depth)
    {
        if (!typeof(Delegate).IsAssignableFrom(type))
        {
            return Make(type, depth);
        }

        MethodInfo invoke = type.GetMethod("Invoke")!;
        ParameterExpression[] parameters = [.. invoke.GetParameters().Select((parameter, i) => Expression.Parameter(parameter.ParameterType, $"e{i}"))];
        _scope.AddRange(parameters);
        Expression body = Make(invoke.ReturnType, depth);
        _scope.RemoveRange(_scope.Count - parameters.Length, parameters.Length);
        return Expression.Lambda(type, body, parameters);
    }

    private Expression Leaf(Type type)
    {
        object? value = type == typeof(bool) ? random.Next(2) == 0
            : type == typeof(string) ? new[] { "a", "", "{0} {1}", "'\"\\\u2028}", null }[random.Next(5)]
            : type == typeof(char) ? '\''
            : type == typeof(StringComparison) ? StringComparison.Ordinal
            : type == typeof(List<string>) || type == typeof(IEnumerable<string>) ? new List<string> { "a" }
            : type == typeof(string[]) ? new[] { "b", null }
            : type == typeof(object) ? 5
            : type == typeof(int) || type == typeof(int?) ? random.Next(-3, 10)
            : null;
        return value is null || random.Next(3) == 0 ? Expression.Default(type)
            : random.Next(2) == 0 ? Expression.Constant(value, type)
            : Captured(value, type);
    }

    private UnaryExpression Captured(object value, Type type)
    {
        var box = new Box { Value = value };
        _captured.Add(box);
        return Expression.Convert(Expression.Field(Expression.Constant(box), "Value"), type);
    }

    private sealed class Box
    {
        public object? Value;
    }
}
