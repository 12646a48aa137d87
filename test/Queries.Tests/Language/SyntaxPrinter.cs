using System.Globalization;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Tests.Language;

/// <summary>A syntax tree as one line of nested parentheses, for golden files.</summary>
internal static class SyntaxPrinter
{
    public static string Print(QuerySyntax query)
    {
        List<string> parts = [.. query.Functions.Select(Print), Print(query.From)];
        Add(parts, "group", query.GroupBy.Select(key => key.IsArray ? $"(array {Print(key.Key)})" : Print(key.Key)));
        Add(parts, "where", query.Where);
        Add(parts, "order", query.OrderBy.Select(Print));
        Add(parts, "load", query.Loads.Select(load => $"({Print(load.Id)} {load.Alias}{(load.IsArray ? "[]" : "")})"));
        Add(parts, "filter", query.Filter);
        if (query.Select is { } select)
        {
            parts.Add(Print(select));
        }

        if (query.Update is { } update)
        {
            parts.Add($"(update {Print(update)})");
        }

        Add(parts, "include", query.Includes.Select(Print));
        Add(parts, "skip", query.Paging.Skip);
        Add(parts, "take", query.Paging.Take);
        Add(parts, "filter-limit", query.Paging.FilterLimit);
        return string.Join(' ', parts);
    }

    public static string Print(Expression expression) => expression switch
    {
        LiteralExpression { Kind: LiteralKind.String } text => $"\"{text.Text}\"",
        LiteralExpression { Kind: LiteralKind.Long } number => number.Text,
        LiteralExpression { Kind: LiteralKind.Double } number => number.Text + "d",
        LiteralExpression constant => constant.Kind.ToString().ToLowerInvariant(),
        ParameterExpression parameter => "$" + parameter.Name,
        FieldExpression field => Print(field.Path),
        StarExpression => "*",
        ListExpression list => $"[{string.Join(' ', list.Items.Select(Print))}]",
        TimeSeriesExpression series => $"(timeseries {{{series.Text}}})",
        MethodExpression method => Print(method),
        LogicalExpression logical => Line(logical.IsAnd ? "and" : "or", logical.Operands.Select(Print)),
        NotExpression not => $"(not {Print(not.Operand)})",
        ComparisonExpression comparison =>
            $"({Symbol(comparison.Operator)} {Print(comparison.Left)} {Print(comparison.Right)})",
        BetweenExpression between => $"(between {Print(between.Left)} {Print(between.Low)} {Print(between.High)})",
        InExpression list => Line(list.IsAll ? "all-in" : "in", [Print(list.Left), .. list.Values.Select(Print)]),
        _ => throw new InvalidOperationException(expression.GetType().Name),
    };

    private static string Print(MethodExpression method)
    {
        IEnumerable<string> arguments = method.Arguments.Select(
            argument => argument.Alias is null ? Print(argument.Value) : $"(as {Print(argument.Value)} {argument.Alias})");
        string call = Line("call " + method.Name, arguments);
        return method.Member is { } member ? $"(member {call} {Print(member)})" : call;
    }

    // Bars stand around a name that was quoted.
    private static string Print(FieldPath path) => string.Concat(path.Parts.Select((part, i) =>
        (i > 0 && part.Name is not null ? "." : "") + (part switch
        {
            { IsEach: true } => "[]",
            { Position: { } position } => string.Create(CultureInfo.InvariantCulture, $"[{position}]"),
            { IsQuoted: true } => $"|{part.Name}|",
            _ => part.Name,
        })));

    private static string Print(DeclaredFunction function) =>
        $"(declare {(function.IsTimeSeries ? "timeseries" : "function")} {function.Name} [{string.Join(' ', function.Parameters)}] {Print(function.Body)})";

    private static string Print(FromClause from) =>
        $"(from{(from.IsIndex ? " index" : "")} \"{from.Source}\"{(from.IsAllDocuments ? " all" : "")}"
        + $"{(from.Alias is null ? "" : $" as {from.Alias}")}{(from.IsArrayAlias ? "[]" : "")})";

    private static string Print(OrderKey key) => Line(Print(key.Key),
    [
        .. key.Type == OrderType.Implicit ? [] : (string[])[key.Type.ToString()],
        .. key.HasDirection ? (string[])[key.IsDescending ? "desc" : "asc"] : [],
        .. key.Nulls == NullPlacement.Implicit ? [] : (string[])["nulls" + key.Nulls],
    ]);

    private static string Print(SelectClause select)
    {
        string head = select.IsDistinct ? "select distinct" : "select";
        return select.IsStar ? $"({head} *)"
            : select.Script is { } script ? $"({head} {Print(script)})"
            : Line(head, select.Items.Select(
                item => item.Alias is null ? Print(item.Value) : $"(as {Print(item.Value)} \"{item.Alias}\")"));
    }

    private static string Print(QueryScript script) =>
        string.Create(CultureInfo.InvariantCulture, $"js@{script.TextPosition}`{script.Text}`");

    private static void Add(List<string> parts, string name, Expression? expression) =>
        Add(parts, name, expression is null ? [] : (string[])[Print(expression)]);

    private static void Add(List<string> parts, string name, IEnumerable<string> items)
    {
        if (items.Any())
        {
            parts.Add(Line(name, items));
        }
    }

    private static string Line(string head, IEnumerable<string> items) => $"({string.Join(' ', [head, .. items])})";

    private static string Symbol(ComparisonOperator comparison) => comparison switch
    {
        ComparisonOperator.Equal => "=",
        ComparisonOperator.NotEqual => "!=",
        ComparisonOperator.Less => "<",
        ComparisonOperator.LessOrEqual => "<=",
        ComparisonOperator.Greater => ">",
        _ => ">=",
    };
}
