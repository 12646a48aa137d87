using Jackdaw.Indexing.Mapping;
using Jackdaw.Json.Paths;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning.Conditions;

/// <summary>What a name stands for in a query with <c>group by</c>.</summary>
internal enum GroupedKind
{
    /// <summary>A key of the group.</summary>
    Key,

    /// <summary>The number of its rows.</summary>
    Count,

    /// <summary>The sum of a field.</summary>
    Sum,
}

/// <summary>One field of a group.</summary>
/// <param name="Path">The text of the path of the key or of the summed field, without the alias of the document; empty for the count.</param>
internal readonly record struct GroupedField(GroupedKind Kind, string Path);

/// <summary>The fields of the groups of a query (keys, count and sums), by all names that the clauses give them.</summary>
/// <remarks>A key is named by its path, by <c>key()</c> and by an alias of <c>select</c>. An aggregate is named by its call, by its alias, and
/// without an alias by <c>count</c> in any casing or by the summed field.</remarks>
internal sealed class GroupedFields
{
    private readonly QuerySyntax _query;
    private readonly Dictionary<string, Expression> _aliases = new(StringComparer.Ordinal);

    /// <exception cref="InvalidQueryException">A key is not a field.</exception>
    public GroupedFields(QuerySyntax query)
    {
        _query = query;
        Keys = [.. query.GroupBy.Select(key => PathOf(key.Key))];
        foreach (SelectItem item in query.Select?.Items ?? [])
        {
            if (item.Alias is { } alias)
            {
                _aliases.TryAdd(alias, item.Value);
            }
        }
    }

    /// <summary>Texts of the paths of the keys, in the order of the query.</summary>
    public IReadOnlyList<string> Keys { get; }

    /// <summary>The name of a key or of a sum in answers, without quotes.</summary>
    public static string ShownName(string path) => DocumentPath.Parse(path).PlainText;

    /// <summary>The field that an expression stands for.</summary>
    /// <exception cref="InvalidQueryException">The expression is not a field of a group.</exception>
    public GroupedField Resolve(Expression expression)
    {
        switch (expression)
        {
            case MethodExpression { Member: null } method when method.Is("count"):
                return new GroupedField(GroupedKind.Count, "");
            case MethodExpression { Member: null, Arguments: [{ Value: var summed }] } method when method.Is("sum"):
                return new GroupedField(GroupedKind.Sum, PathOf(summed));
            case MethodExpression { Member: null } method when method.Is("key") && Keys.Count == 1:
                return new GroupedField(GroupedKind.Key, Keys[0]);
            case MethodExpression { IsDocumentId: true } when Keys.Contains("id()", StringComparer.Ordinal):
                return new GroupedField(GroupedKind.Key, "id()");
            case MethodExpression { Member: null, Arguments: [{ Value: var whole }] } method when method.Is("array"):
                return Resolve(whole);
            case FieldExpression or LiteralExpression { Kind: LiteralKind.String }:
                return ResolveName(expression, _query.PathOf(expression)!);
            default:
                throw NoField(expression, expression is MethodExpression call ? $"{call.Name}()" : "this");
        }
    }

    /// <summary>Whether an expression is a field of a group.</summary>
    public bool IsField(Expression expression)
    {
        try
        {
            Resolve(expression);
            return true;
        }
        catch (InvalidQueryException)
        {
            return false;
        }
    }

    /// <summary>The name of a field in the index, and in the rows that it stores.</summary>
    public string RowNameOf(GroupedField field) => field.Kind switch
    {
        GroupedKind.Key => field.Path,
        GroupedKind.Count => GroupedNames.Count(Keys),
        _ => GroupedNames.Sum(field.Path, Keys),
    };

    /// <summary>The path that an expression names in the documents.</summary>
    public string PathOf(Expression expression) => expression is MethodExpression { IsDocumentId: true } ? "id()"
        : _query.PathOf(expression)?.Text
        ?? throw InvalidQueryException.At(_query.Text, expression.TextPosition, "a field of the documents is expected here.");

    private GroupedField ResolveName(Expression expression, DocumentPath path)
    {
        (string name, string text) = (path.PlainText, path.Text);
        if (_aliases.TryGetValue(name, out Expression? aliased) && !IsSame(aliased, text))
        {
            return Resolve(aliased);
        }

        // A whole path in quotes is what clients send where they name a key.
        if (Keys.FirstOrDefault(key => key == text) is { } key || (key = QuotedKey(expression, name)) is not null)
        {
            return new GroupedField(GroupedKind.Key, key);
        }

        bool isSummed = (_query.Select?.Items ?? []).Any(item =>
            item is { Alias: null, Value: MethodExpression { Arguments: [{ Value: var summed }] } sum } && sum.Is("sum") && PathOf(summed) == text);
        return isSummed ? new GroupedField(GroupedKind.Sum, text)
            : name.Equals("count", StringComparison.OrdinalIgnoreCase) ? new GroupedField(GroupedKind.Count, "")
            : throw NoField(expression, $"'{name}'");
    }

    // "Company as Company" is not an alias of another field.
    private bool IsSame(Expression aliased, string text) => aliased is FieldExpression && PathOf(aliased) == text;

    private string? QuotedKey(Expression expression, string name) =>
        expression is LiteralExpression ? Keys.FirstOrDefault(key => ShownName(key) == name) : null;

    private InvalidQueryException NoField(Expression expression, string name) => InvalidQueryException.At(
        _query.Text, expression.TextPosition,
        $"{name} is not a field of a group: a group has its keys ({string.Join(", ", Keys)}), count() and sum(<field>). " +
        "For minima, maxima and averages define an index with a reduce.");
}
