using System.Text.Json;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning.Conditions;

/// <summary>An object with options of a query, sent as a parameter or written as a text. The casing of names does not count.</summary>
internal sealed class QueryOptions
{
    private readonly Dictionary<string, JsonElement> _members = new(StringComparer.OrdinalIgnoreCase);

    public QueryOptions(JsonElement json)
    {
        if (json.ValueKind == JsonValueKind.Object)
        {
            foreach (JsonProperty member in json.EnumerateObject())
            {
                _members[member.Name] = member.Value;
            }
        }
    }

    public static QueryOptions None { get; } = new(default);

    public IEnumerable<KeyValuePair<string, JsonElement>> Members => _members;

    /// <exception cref="InvalidQueryException">The value is not an object.</exception>
    public static QueryOptions Read(QuerySyntax query, ParameterValues parameters, Expression expression)
    {
        QueryValue value = parameters.Resolve(expression);
        if (value.Kind is QueryValueKind.Null)
        {
            return None;
        }

        try
        {
            using JsonDocument json = JsonDocument.Parse(value.Text);
            return json.RootElement.ValueKind == JsonValueKind.Object
                ? new QueryOptions(json.RootElement.Clone())
                : throw InvalidQueryException.At(query.Text, expression.TextPosition, "options are a JSON object.");
        }
        catch (JsonException)
        {
            throw InvalidQueryException.At(query.Text, expression.TextPosition, "options are a JSON object.");
        }
    }

    /// <summary>Whether an argument of a facet names a field: a text in quotes does, unless it has options.</summary>
    public static bool IsField(Expression argument) => argument is FieldExpression
        || (argument is LiteralExpression { Kind: LiteralKind.String } literal && !literal.Text.AsSpan().TrimStart().StartsWith("{"));

    public JsonElement Get(string name) => _members.GetValueOrDefault(name);

    public string? Text(string name) => Get(name) is { ValueKind: JsonValueKind.String } text ? text.GetString() : null;

    public int Int(string name, int otherwise) => Get(name) is { ValueKind: JsonValueKind.Number } number
        ? (int)Math.Clamp(number.GetDouble(), int.MinValue, int.MaxValue)
        : otherwise;

    public double Double(string name, double otherwise) => Get(name) is { ValueKind: JsonValueKind.Number } number ? number.GetDouble() : otherwise;

    public bool Bool(string name) => Get(name) is { ValueKind: JsonValueKind.True };

    public IReadOnlyList<string> Texts(string name) => Get(name) is { ValueKind: JsonValueKind.Array } list
        ? [.. list.EnumerateArray().Where(one => one.ValueKind == JsonValueKind.String).Select(one => one.GetString()!)]
        : [];

    /// <exception cref="InvalidQueryException">The text is not one of the values.</exception>
    public T Choice<T>(string name, T otherwise)
        where T : struct, Enum => Text(name) is not { } text ? otherwise
            : Enum.TryParse(text, ignoreCase: true, out T value) && Enum.IsDefined(value) ? value
            : throw new InvalidQueryException($"The option '{name}' is one of {string.Join(", ", Enum.GetNames<T>())}, not '{text}'.");
}
