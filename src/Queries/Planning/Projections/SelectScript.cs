using System.Text;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Language;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Caching;
using Jackdaw.Scripting.Projections;

namespace Jackdaw.Queries.Planning.Projections;

/// <summary>The script of <c>select { ... }</c>, of a declared function, or of compare exchange values that are selected.</summary>
internal static class SelectScript
{
    /// <summary>Parses the script, or finds it among the scripts that were used lately.</summary>
    /// <param name="parametersJson">A JSON object of the parameters; empty for none.</param>
    /// <exception cref="InvalidQueryException">The script cannot be used as it is written.</exception>
    /// <exception cref="JavaScriptParseException">The text is not JavaScript.</exception>
    /// <exception cref="QueryNotSupportedException">The query loads several documents by one alias.</exception>
    public static ScriptProjection Make(QuerySyntax query, ReadOnlyMemory<byte> parametersJson, QueryScripts scripts)
    {
        if (query.Loads.FirstOrDefault(load => load.IsArray) is { } several)
        {
            throw new QueryNotSupportedException(
                $"Scripts over several loaded documents (the alias {several.Alias}[]) are not supported yet by this version of Jackdaw.");
        }

        List<string> parameters = ParametersOf(query, parametersJson);
        string key = $"{string.Join(',', parameters)}\n{query.Text}";
        return scripts.Projections.GetOrAdd(key, () => Parse(query, parameters));
    }

    private static ScriptProjection Parse(QuerySyntax query, List<string> parameters)
    {
        IEnumerable<ScriptFragment> functions = query.Functions.Select(function => FunctionOf(query, function));
        string document = query.From.Alias ?? SelectedCall.DocumentVariable;
        if (query.GroupBy.Count > 0 && GroupedScript.Of(query) is { } grouped)
        {
            return new ScriptProjection(
                [new ScriptFragment(grouped.DeclarationsFor(document), "the query"), .. functions], grouped.Select, [document], parameters,
                ValueNameOf(query.Select!));
        }

        return new ScriptProjection(
            [.. functions], SelectOf(query), [document, .. query.Loads.Select(load => load.Alias)], parameters, ValueNameOf(query.Select!));
    }

    // A function that returns a number or a text is a column like any other.
    private static string? ValueNameOf(SelectClause select) =>
        select.Items is [{ Value: MethodExpression method } item] ? item.Alias ?? method.Name : null;

    /// <summary>A declared function as a part of a script.</summary>
    public static ScriptFragment FunctionOf(QuerySyntax query, DeclaredFunction function)
    {
        string head = $"function {function.Name}({string.Join(", ", function.Parameters)}) ";
        (int line, int column) = GroupedScript.PlaceOf(query.Text, function.Body.TextPosition);
        return new ScriptFragment(head + function.Body.Text, "the query", line, Math.Max(1, column - head.Length));
    }

    private static ScriptFragment SelectOf(QuerySyntax query)
    {
        SelectClause select = query.Select!;
        if (select.Script is { } script)
        {
            (int line, int column) = GroupedScript.PlaceOf(query.Text, script.TextPosition);
            return query.From.Alias is not null
                ? new ScriptFragment(script.Text, "the query", line, column)
                : throw InvalidQueryException.At(query.Text, select.TextPosition,
                    "'select { }' needs a name for the document: from Orders as o select { Name: o.Name }.");
        }

        if (SelectedCall.ReadsValues(select))
        {
            (int line, int column) = GroupedScript.PlaceOf(query.Text, select.TextPosition);
            return new ScriptFragment(SelectedCall.ToObject(query, select), "the query", line, column);
        }

        var call = (MethodExpression)select.Items[0].Value;
        (int callLine, int callColumn) = GroupedScript.PlaceOf(query.Text, call.TextPosition);
        return new ScriptFragment(SelectedCall.ToScript(query, call), "the query", callLine, callColumn);
    }

    /// <summary>Names of the parameters that occur in the text: a script gets no variables for the others.</summary>
    public static List<string> ParametersOf(QuerySyntax query, ReadOnlyMemory<byte> json)
    {
        List<string> names = [];
        if (json.IsEmpty)
        {
            return names;
        }

        using var tape = new JsonTape();
        foreach (TapeMember member in tape.Read(json.Span).Members)
        {
            byte[] buffer = new byte[member.NameSource.Length];
            string name = Encoding.UTF8.GetString(buffer, 0, member.CopyName(buffer));
            if (name.Length > 0 && name.All(letter => char.IsLetterOrDigit(letter) || letter == '_')
                && query.Text.Contains('$' + name, StringComparison.Ordinal))
            {
                names.Add(name);
            }
        }

        names.Sort(StringComparer.Ordinal);
        return names;
    }
}
