using System.Globalization;
using System.Text;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning.Conditions;

/// <summary>The parameters that were sent with a query, and the values of its literals.</summary>
/// <remarks>A parameter is read when it is needed, because a body may have many that the query does not use. One thread at a
/// time.</remarks>
internal sealed class ParameterValues : IDisposable
{
    private readonly string _query;
    private readonly ReadOnlyMemory<byte> _json;
    private readonly JsonTape _tape = new();

    /// <param name="query">The text of the query, for messages.</param>
    /// <param name="json">A JSON object; empty for none. Kept until <see cref="Dispose"/>.</param>
    public ParameterValues(string query, ReadOnlyMemory<byte> json)
    {
        _query = query;
        _json = json;
        if (!json.IsEmpty)
        {
            _tape.Read(json.Span);
        }
    }

    /// <summary>A JSON object; empty for none.</summary>
    public ReadOnlyMemory<byte> Json => _json;

    /// <summary>The value of a literal or parameter.</summary>
    /// <exception cref="InvalidQueryException">The parameter was not sent, or the expression is not a value.</exception>
    public QueryValue Resolve(Expression expression) => expression switch
    {
        ParameterExpression parameter => ToValue(JsonOf(parameter), parameter.Name),
        LiteralExpression literal => ToValue(literal),
        _ => throw InvalidQueryException.At(_query, expression.TextPosition, "a value or a parameter is expected here."),
    };

    /// <summary>A parameter as it was sent, which is valid until <see cref="Dispose"/>.</summary>
    /// <exception cref="InvalidQueryException">The parameter was not sent.</exception>
    public TapeValue JsonOf(ParameterExpression parameter) => Find(parameter.Name) is { Exists: true } found ? found : throw InvalidQueryException.At(
        _query, parameter.TextPosition, $"the parameter '${parameter.Name}' was not sent; add it to QueryParameters (case counts).");

    /// <summary>The value of a literal or parameter; the value null for a parameter that was not sent.</summary>
    public QueryValue ResolveOrNull(Expression expression) =>
        expression is ParameterExpression parameter
            ? Find(parameter.Name) is { Exists: true } found ? ToValue(found, parameter.Name) : QueryValue.Null
            : Resolve(expression);

    /// <summary>A number of rows.</summary>
    /// <returns>Null for null and for no expression.</returns>
    /// <exception cref="InvalidQueryException">The value is not a whole number, or is negative.</exception>
    public long? ResolveCount(Expression? expression)
    {
        QueryValue value = expression is null ? QueryValue.Null : Resolve(expression);
        return value switch
        {
            { Kind: QueryValueKind.Null } => null,
            { Kind: QueryValueKind.Long, Long: >= 0 } => value.Long,
            _ => throw InvalidQueryException.At(_query, expression!.TextPosition,
                $"a whole number of 0 or more is expected, not {(value.IsNumber ? value.Text : value.Kind)}."),
        };
    }

    public void Dispose() => _tape.Dispose();

    private TapeValue Find(string name) => _json.IsEmpty ? default : new TapeValue(_json.Span, _tape, 0)[Encoding.UTF8.GetBytes(name)];

    private static QueryValue ToValue(LiteralExpression literal) => literal.Kind switch
    {
        LiteralKind.Null => QueryValue.Null,
        LiteralKind.False => QueryValue.Of(false),
        LiteralKind.True => QueryValue.Of(true),
        LiteralKind.Long => QueryValue.Of(long.Parse(literal.Text, CultureInfo.InvariantCulture)),
        LiteralKind.Double => QueryValue.Of(double.Parse(literal.Text, CultureInfo.InvariantCulture)),
        _ => QueryValue.Of(literal.Text),
    };

    // Recursion is as deep as JSON may be, which is bounded.
    private QueryValue ToValue(TapeValue value, string name)
    {
        switch (value.Kind)
        {
            case JsonKind.Null:
                return QueryValue.Null;
            case JsonKind.False:
            case JsonKind.True:
                return QueryValue.Of(value.Kind == JsonKind.True);
            case JsonKind.Number:
                return value.TryGetInt64(out long whole) ? QueryValue.Of(whole)
                    : value.TryGetDouble(out double number) && double.IsFinite(number) ? QueryValue.Of(number)
                    : throw new InvalidQueryException(
                        $"The parameter '${name}' has a number that is too large; numbers reach to about 1.8e308.\nQuery: {_query}");
            case JsonKind.String:
                return QueryValue.Of(value.ToText()!);
            case JsonKind.Array:
                var items = new List<QueryValue>(value.Count);
                foreach (TapeValue element in value.Elements)
                {
                    items.Add(ToValue(element, name));
                }

                return QueryValue.Of(items);
            default:
                return QueryValue.OfObject(Encoding.UTF8.GetString(value.Source));
        }
    }
}
