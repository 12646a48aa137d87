using System.Text;
using System.Text.Encodings.Web;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Json.Paths;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Projections;

namespace Jackdaw.Queries.Planning.Projections;

/// <summary>The script of a query with <c>group by</c>: <c>select { Company: key(), N: count(), Total: sum(o.Freight) }</c>. Its
/// calls decide what the index has to sum. Immutable.</summary>
internal sealed class GroupedScript
{
    /// <summary>Keys with longer paths do not become variables: each level takes one level of the stack here, and an object in the script.</summary>
    private const int PathDepthMax = 16;

    private readonly GroupedFields _groups;

    private GroupedScript(GroupedFields groups, ScriptFragment select, IReadOnlyList<string> sums)
    {
        _groups = groups;
        Select = select;
        Sums = sums;
    }

    /// <summary>The object of the select clause; each sum gets the name of its field in the rows of groups.</summary>
    public ScriptFragment Select { get; }

    /// <summary>The paths of the summed fields.</summary>
    public IReadOnlyList<string> Sums { get; }

    /// <summary>The script of a query; null when the query selects without a script.</summary>
    /// <exception cref="JavaScriptParseException">The text is not JavaScript.</exception>
    /// <exception cref="InvalidQueryException">A sum is not the sum of a field.</exception>
    public static GroupedScript? Of(QuerySyntax query)
    {
        if (query.Select?.Script is not { } script)
        {
            return null;
        }

        (int line, int column) = PlaceOf(query.Text, script.TextPosition);
        var part = new ScriptFragment(script.Text, "the query", line, column);
        var groups = new GroupedFields(query);
        List<ScriptInsertion> insertions = [];
        HashSet<string> sums = new(StringComparer.Ordinal);
        foreach (ScriptCall call in ScriptCalls.Find(part, "sum", query.From.Alias))
        {
            string path = call.Path?.Text ?? throw InvalidQueryException.At(query.Text, script.TextPosition + call.Before.Offset,
                "sum() in a script takes a field of the documents: sum(o.Freight), sum(o['A.B']), sum(x => x.Freight), sum('Lines[].Price').");
            sums.Add(path);
            insertions.Add(call.Before with { Text = $"{Quote(groups.RowNameOf(new GroupedField(GroupedKind.Sum, path)))} || (" });
            insertions.Add(call.Behind with { Text = ")" });
        }

        return new GroupedScript(groups, part with { Insertions = [.. insertions.OrderBy(insertion => insertion.Offset)] }, [.. sums]);
    }

    /// <summary>The line and the column of a place in the text of a query, both counted from 1.</summary>
    public static (int Line, int Column) PlaceOf(string text, int position)
    {
        ReadOnlySpan<char> before = text.AsSpan(0, position);
        return (before.Count('\n') + 1, position - before.LastIndexOf('\n'));
    }

    /// <summary>The functions that the script may call, and the keys as variables where their names allow that.</summary>
    /// <param name="row">The variable with the row of the group.</param>
    public string DeclarationsFor(string row)
    {
        var text = new StringBuilder();
        string count = Quote(GroupedNames.Count(_groups.Keys));
        text.Append($"function count() {{ return {row}[{count}]; }} function sum(name) {{ return {row}[name]; }} function key() {{ return ");
        text.Append(_groups.Keys.Count == 1
            ? $"{row}[{Quote(_groups.Keys[0])}]"
            : $"{{ {string.Join(", ", _groups.Keys.Select(key => $"{Quote(GroupedFields.ShownName(key))}: {row}[{Quote(key)}]"))} }}");
        text.Append("; }");
        IEnumerable<DocumentPath> named = _groups.Keys.Select(DocumentPath.Parse)
            .Where(key => key.Parts.Count <= PathDepthMax && key.Parts.All(part => part.Name is not null));
        foreach (IGrouping<string, DocumentPath> keys in named.GroupBy(key => key.Parts[0].Name!))
        {
            if (keys.Key != row && keys.Key is not ("count" or "sum" or "key") && IsVariable(keys.Key))
            {
                text.Append($" const {keys.Key} = {ValueOf(row, 1, [.. keys])};");
            }
        }

        return text.ToString();
    }

    // ShipTo.City and ShipTo.Zip are the members of one object ShipTo.
    private static string ValueOf(string row, int depth, IReadOnlyList<DocumentPath> keys)
    {
        if (keys.FirstOrDefault(key => key.Parts.Count == depth) is { } whole)
        {
            return $"{row}[{Quote(whole.Text)}]";
        }

        IEnumerable<string> members = keys.GroupBy(key => key.Parts[depth].Name!)
            .Select(below => $"{Quote(below.Key)}: {ValueOf(row, depth + 1, [.. below])}");
        return $"{{ {string.Join(", ", members)} }}";
    }

    private static bool IsVariable(string name)
    {
        try
        {
            ScriptSyntax.CheckName(name);
            return true;
        }
        catch (JavaScriptParseException)
        {
            return false; // The script gets it by key().
        }
    }

    private static string Quote(string text) => $"\"{JavaScriptEncoder.Default.Encode(text)}\"";
}
