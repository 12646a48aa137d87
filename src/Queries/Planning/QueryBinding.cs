using System.Globalization;
using System.Text;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Queries.Planning;

/// <summary>Puts values into conditions before the query is planned: <c>now()</c>, <c>today()</c> and <c>cmpxchg('key')</c> become literals,
/// <c>when(condition, predicate)</c> becomes its predicate or vanishes.</summary>
/// <remarks>The text without these values decides which index a query needs, so that all queries with one text need the same index.
/// Recursion is as deep as the query, which is bounded.</remarks>
internal sealed class QueryBinding
{
    private readonly QuerySyntax _query;
    private readonly ParameterValues _parameters;
    private readonly DocumentDatabase _database;
    private readonly DateTime _now;
    private readonly StringBuilder _values = new();
    private bool _isOfTheMoment;

    private QueryBinding(QuerySyntax query, ParameterValues parameters, DocumentDatabase database, DateTime now)
    {
        _query = query;
        _parameters = parameters;
        _database = database;
        _now = now;
    }

    /// <summary>Whether a query has such calls.</summary>
    public static bool IsNeeded(QuerySyntax query) => IsNeeded(query.Where) || IsNeeded(query.Filter);

    /// <summary>The same query with values in place of the calls.</summary>
    /// <param name="now">UTC.</param>
    /// <exception cref="InvalidQueryException">A call stands where no value is expected, or is not written as it must be.</exception>
    public static QuerySyntax Bind(QuerySyntax query, ParameterValues parameters, DocumentDatabase database, DateTimeOffset now)
    {
        var binding = new QueryBinding(query, parameters, database, now.UtcDateTime);
        return query with
        {
            Where = query.Where is null ? null : binding.Bind(query.Where, isFilter: false),
            Filter = query.Filter is null ? null : binding.Bind(query.Filter, isFilter: true),
            IsOfTheMoment = binding._isOfTheMoment,
            BoundValues = binding._values.ToString(),
        };
    }

    private static bool IsNeeded(Expression? expression) => expression switch
    {
        MethodExpression method => IsBound(method) || method.Is("when") || method.Arguments.Any(argument => IsNeeded(argument.Value)),
        LogicalExpression logical => logical.Operands.Any(IsNeeded),
        NotExpression not => IsNeeded(not.Operand),
        ComparisonExpression comparison => IsNeeded(comparison.Left) || IsNeeded(comparison.Right),
        BetweenExpression between => IsNeeded(between.Low) || IsNeeded(between.High),
        _ => false,
    };

    private static bool IsBound(MethodExpression method) => method.Is("now") || method.Is("today") || method.Is("cmpxchg");

    // Null: the condition vanishes together with the "and", "or" or "not" before it.
    private Expression? Bind(Expression condition, bool isFilter)
    {
        switch (condition)
        {
            case LogicalExpression logical:
                List<Expression> operands = [.. logical.Operands.Select(operand => Bind(operand, isFilter)).OfType<Expression>()];
                return operands.Count > 1 ? logical with { Operands = operands } : operands.FirstOrDefault();
            case NotExpression not:
                return Bind(not.Operand, isFilter) is { } operand ? not with { Operand = operand } : null;
            case ComparisonExpression comparison:
                return comparison with { Right = ValueOf(comparison.Right, isFilter) };
            case BetweenExpression between:
                return between with { Low = ValueOf(between.Low, isFilter), High = ValueOf(between.High, isFilter) };
            case MethodExpression method when IsBound(method):
                throw Fault(method, $"'{method.Name}' is a value, not a condition; compare a field with it.");
            case MethodExpression method when method.Is("when"):
                bool isMet = new WhenCondition(_query, _parameters).IsMet(method.Arguments[0].Value);
                return isMet ? Bind(method.Arguments[1].Value, isFilter) : null;
            case MethodExpression method:
                return Bind(method, isFilter);
            default:
                return condition;
        }
    }

    private MethodExpression? Bind(MethodExpression method, bool isFilter)
    {
        bool isOfConditions = method.Is("intersect");
        List<MethodArgument> arguments = [];
        for (int i = 0; i < method.Arguments.Count; i++)
        {
            MethodArgument argument = method.Arguments[i];
            if ((i == 0 || isOfConditions ? Bind(argument.Value, isFilter) : ValueOf(argument.Value, isFilter)) is { } bound)
            {
                arguments.Add(argument with { Value = bound });
            }
            else if (!isOfConditions)
            {
                return null;
            }
        }

        return method.Arguments.Count > 0 && arguments.Count == 0 ? null : method with { Arguments = arguments };
    }

    private Expression ValueOf(Expression expression, bool isFilter)
    {
        if (expression is not MethodExpression method || !IsBound(method))
        {
            return expression;
        }

        if (method.Is("cmpxchg"))
        {
            LiteralExpression value = ReadCompareExchange(method);
            _values.Append(CultureInfo.InvariantCulture, $"{value.Kind} {value.Text.Length} {value.Text};");
            return value;
        }

        _isOfTheMoment = true;

        if (isFilter)
        {
            throw Fault(method, $"'{method.Name}' cannot be used in 'filter'; use it in 'where', or send the time as a parameter.");
        }

        return method.Member is not null ? throw Fault(method, $"'{method.Name}' gives a text, which has no members.")
            : method.Is("today") ? TextAt(method, MomentText.Of(_now.Date))
            : method.Arguments.Count == 0 ? TextAt(method, MomentText.Of(_now))
            : MomentText.TryMove(_now, TextOf(method), out DateTime moved) ? TextAt(method, MomentText.Of(moved))
            : throw Fault(method, "'now' takes a text such as '-7d' or '+1y6mo': numbers with y, mo, d, h, m, s, the larger units first, " +
                "within the years 1 to 9999.");
    }

    private static LiteralExpression TextAt(MethodExpression method, string text) => new(method.TextPosition, LiteralKind.String, text);

    private string TextOf(MethodExpression method) =>
        _parameters.Resolve(method.Arguments[0].Value) is { Kind: QueryValueKind.String } text
            ? text.Text
            : throw Fault(method.Arguments[0].Value, $"'{method.Name}' takes a text.");

    private LiteralExpression ReadCompareExchange(MethodExpression method)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        using DocumentReadScope read = _database.BeginRead();
        if (DocumentIds.TryMakeKey(TextOf(method), key, out int length) != DocumentIdFault.None
            || !CompareExchangeTable.Open(read.Transaction).TryGetByKey(key[..length], out TableRow row))
        {
            return new LiteralExpression(method.TextPosition, LiteralKind.Null, "");
        }

        using var tape = new JsonTape();
        TapeValue value = tape.Read(new CompareExchangeRow(row).Value)["Object"u8];
        var only = new OnlyValue([]);
        if (value.Exists)
        {
            new FieldReader(0, method.Member).Any(value, ref only);
        }

        return only.Values is [] ? new LiteralExpression(method.TextPosition, LiteralKind.Null, "")
            : only.Values is [{ } one] ? new LiteralExpression(method.TextPosition, one.Kind, one.Text)
            : throw Fault(method, "this compare exchange value is an array or an object, which cannot be compared with a field; " +
                "name a member of it: cmpxchg('key').Member.");
    }

    private InvalidQueryException Fault(Expression expression, string message) =>
        InvalidQueryException.At(_query.Text, expression.TextPosition, message);

    // Arrays and objects are added as null, so that a value beside them is not taken for the only one.
    private readonly struct OnlyValue(List<(LiteralKind Kind, string Text)?> values) : IValueTest
    {
        public List<(LiteralKind Kind, string Text)?> Values => values;

        public bool Test(TapeValue value)
        {
            values.Add(value.Kind switch
            {
                JsonKind.Null => (LiteralKind.Null, ""),
                JsonKind.True => (LiteralKind.True, ""),
                JsonKind.False => (LiteralKind.False, ""),
                JsonKind.String => (LiteralKind.String, value.ToText()!),
                JsonKind.Number when value.TryGetInt64(out _) => (LiteralKind.Long, TextOf(value)),
                JsonKind.Number when value.TryGetDouble(out double number) && double.IsFinite(number) => (LiteralKind.Double, TextOf(value)),
                _ => null,
            });
            return values.Count > 1;
        }

        private static string TextOf(TapeValue value) => Encoding.ASCII.GetString(value.Source);
    }
}
