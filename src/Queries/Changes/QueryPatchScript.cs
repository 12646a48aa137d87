using System.Text;
using System.Text.Json;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Projections;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Caching;
using Jackdaw.Scripting.Patches;

namespace Jackdaw.Queries.Changes;

/// <summary>The script of <c>update { ... }</c>, with the declared functions, and with the loaded documents as variables.</summary>
internal static class QueryPatchScript
{
    /// <summary>Parses the script, or finds it among the scripts that were used lately.</summary>
    /// <param name="parametersJson">A JSON object of the parameters; empty for none.</param>
    /// <param name="functions">Names of the functions that patches of the database have for extensions.</param>
    /// <exception cref="InvalidQueryException">The query has no script.</exception>
    /// <exception cref="JavaScriptParseException">The script is not JavaScript.</exception>
    public static ScriptPatch Make(
        QuerySyntax query, ReadOnlyMemory<byte> parametersJson, QueryScripts scripts, IReadOnlyList<string> functions)
    {
        QueryScript update = query.Update ?? throw InvalidQueryException.At(query.Text, query.From.TextPosition,
            "a patch by query needs to say what it changes: from Orders update { this.Shipped = true; }.");
        List<string> parameters = SelectScript.ParametersOf(query, parametersJson);
        return scripts.Patches.GetOrAdd(
            $"\0query\n{string.Join(',', parameters)}\n{query.Text}", () => Parse(query, update, functions, parameters));
    }

    private static ScriptPatch Parse(QuerySyntax query, QueryScript update, IReadOnlyList<string> functions, List<string> parameters)
    {
        (int line, int column) = GroupedScript.PlaceOf(query.Text, update.TextPosition);
        List<ScriptFragment> declarations = [.. query.Functions.Select(function => SelectScript.FunctionOf(query, function))];
        if (query.Loads.Count > 0)
        {
            declarations.Add(new ScriptFragment(LoadsOf(query), "the query"));
        }

        return new ScriptPatch(declarations, new ScriptFragment(update.Text, "the query", line, column), query.From.Alias, functions, parameters);
    }

    private static string LoadsOf(QuerySyntax query)
    {
        var text = new StringBuilder();
        var known = new HashSet<string>(StringComparer.Ordinal);
        if (query.From.Alias is { } alias)
        {
            known.Add(alias);
        }

        foreach (LoadedDocument load in query.Loads)
        {
            if (load.IsArray || load.Path?.Parts.Any(part => part.IsEach) == true)
            {
                throw new QueryNotSupportedException(
                    $"Scripts over several loaded documents (the alias {load.Alias}) are not supported yet by this version of Jackdaw.");
            }

            ScriptSyntax.CheckName(load.Alias);
            text.Append($"const {load.Alias} = load({ScriptOf(load, known)}); ");
            known.Add(load.Alias);
        }

        return text.ToString();
    }

    private static string ScriptOf(LoadedDocument load, HashSet<string> variables) => load.Id switch
    {
        ParameterExpression parameter => "$" + parameter.Name,
        LiteralExpression { Kind: LiteralKind.Null } => "null",
        LiteralExpression text when load.Path is { } path =>
            $"{JsonSerializer.Serialize(text.Text)} in this ? {ScriptOf(path, variables)} : {JsonSerializer.Serialize(text.Text)}",
        _ => ScriptOf(load.Path!, variables),
    };

    private static string ScriptOf(FieldPath path, HashSet<string> variables)
    {
        bool beginsWithVariable = path.Parts.Count > 1 && !path.IsQuoted && variables.Contains(path.FirstName);
        var text = new StringBuilder(beginsWithVariable ? path.FirstName : "this");
        foreach (FieldSegment part in path.Parts.Skip(beginsWithVariable ? 1 : 0))
        {
            text.Append('[').Append(part.Name is { } name ? JsonSerializer.Serialize(name) : part.Position.ToString()).Append(']');
        }

        return text.ToString();
    }
}
