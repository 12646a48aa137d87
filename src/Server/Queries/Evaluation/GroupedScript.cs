using System.Text;
using System.Text.Encodings.Web;
using Acornima.Ast;
using Jackdaw.Scripting;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Server.Queries.Language;

namespace Jackdaw.Server.Queries.Evaluation;

/// <summary>The script of a query with <c>group by</c>: <c>select { Company: key(), N: count(), Total: sum(o.Freight) }</c>. What it calls
/// says what the index has to sum. Immutable.</summary>
internal sealed class GroupedScript
{
    /// <summary>Longer paths of keys are no variables: each level is one of the stack here, and an object in the script.</summary>
    private const int PathDepthMax = 16;

    private readonly GroupedFields _groups;

    private GroupedScript(GroupedFields groups, ScriptPart select, IReadOnlyList<string> sums)
    {
        _groups = groups;
        Select = select;
        Sums = sums;
    }

    /// <summary>The object of the select clause; each sum is given the name of its field in the rows of groups.</summary>
    public ScriptPart Select { get; }

    /// <summary>Paths that are summed.</summary>
    public IReadOnlyList<string> Sums { get; }

    /// <summary>Null: the query selects by no script.</summary>
    /// <exception cref="JavaScriptParseException">The script is none.</exception>
    /// <exception cref="InvalidQueryException">A sum is of no field.</exception>
    public static GroupedScript? Of(QuerySyntax query)
    {
        if (query.Select?.Script is not { } script)
        {
            return null;
        }

        (int line, int column) = PlaceOf(query.Text, script.TextPosition);
        var part = new ScriptPart(script.Text, "the query", line, column);
        var groups = new GroupedFields(query);
        List<ScriptInsertion> insertions = [];
        HashSet<string> sums = new(StringComparer.Ordinal);
        foreach ((Node argument, ScriptInsertion before, ScriptInsertion behind) in ScriptSyntax.FindCalls(part, "sum"))
        {
            string path = PathOf(argument, query.From.Alias) ?? throw InvalidQueryException.At(query.Text, script.TextPosition + before.Offset,
                "sum() in a script takes a field of the documents: sum(o.Freight), sum(x => x.Freight), sum('Lines[].Price').");
            sums.Add(path);
            insertions.Add(before with { Text = $"{Quote(groups.RowNameOf(new GroupedField(GroupedKind.Sum, path)))} || (" });
            insertions.Add(behind with { Text = ")" });
        }

        return new GroupedScript(groups, part with { Insertions = [.. insertions.OrderBy(insertion => insertion.Offset)] }, [.. sums]);
    }

    /// <summary>Line and column of a place in the text of a query, 1-based.</summary>
    public static (int Line, int Column) PlaceOf(string text, int position)
    {
        ReadOnlySpan<char> before = text.AsSpan(0, position);
        return (before.Count('\n') + 1, position - before.LastIndexOf('\n'));
    }

    /// <summary>What the script may call, and its keys as variables where their names allow that.</summary>
    /// <param name="row">Variable of the group's row.</param>
    public string DeclarationsFor(string row)
    {
        var text = new StringBuilder();
        string count = Quote(GroupedNames.Count(_groups.Keys));
        text.Append($"function count() {{ return {row}[{count}]; }} function sum(name) {{ return {row}[name]; }} function key() {{ return ");
        text.Append(_groups.Keys.Count == 1
            ? $"{row}[{Quote(_groups.Keys[0])}]"
            : $"{{ {string.Join(", ", _groups.Keys.Select(key => $"{Quote(key)}: {row}[{Quote(key)}]"))} }}");
        text.Append("; }");
        IEnumerable<string> named = _groups.Keys.Where(key => key.Count(letter => letter == '.') < PathDepthMax);
        foreach (IGrouping<string, string> keys in named.GroupBy(key => key.Split('.')[0]))
        {
            if (keys.Key != row && keys.Key is not ("count" or "sum" or "key") && IsVariable(keys.Key))
            {
                text.Append($" const {keys.Key} = {ValueOf(row, keys.Key, [.. keys])};");
            }
        }

        return text.ToString();
    }

    // ShipTo.City and ShipTo.Zip are the members of one object ShipTo.
    private static string ValueOf(string row, string name, IReadOnlyList<string> keys)
    {
        if (keys.Contains(name, StringComparer.Ordinal))
        {
            return $"{row}[{Quote(name)}]";
        }

        IEnumerable<string> members = keys.GroupBy(key => key[(name.Length + 1)..].Split('.')[0])
            .Select(below => $"{Quote(below.Key)}: {ValueOf(row, $"{name}.{below.Key}", [.. below])}");
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
            return false; // such as Lines[]: the script gets it by key()
        }
    }

    private static string? PathOf(Node argument, string? alias)
    {
        switch (argument)
        {
            case StringLiteral text:
                return text.Value;
            case ArrowFunctionExpression { Params: [Identifier parameter], Body: Acornima.Ast.Expression body } when PathOf(body) is { } path:
                return WithoutFirst(path, parameter.Name);
            default:
                string? whole = PathOf(argument);
                return alias is null || whole is null ? whole : WithoutFirst(whole, alias) ?? whole;
        }
    }

    private static string? WithoutFirst(string path, string first) =>
        path.StartsWith(first + ".", StringComparison.Ordinal) ? path[(first.Length + 1)..] : null;

    private static string? PathOf(Node node) => node switch
    {
        Identifier name => name.Name,
        MemberExpression { Computed: false, Property: Identifier member } below when PathOf(below.Object) is { } above => $"{above}.{member.Name}",
        _ => null,
    };

    private static string Quote(string text) => $"\"{JavaScriptEncoder.Default.Encode(text)}\"";
}
