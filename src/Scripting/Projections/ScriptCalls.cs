using Acornima.Ast;

namespace Jackdaw.Scripting.Projections;

/// <summary>One call of a function in an expression.</summary>
/// <param name="Path">The path that its only argument names, without the alias or the parameter that it begins with; null when the argument
/// is anything else.</param>
/// <param name="Before">An empty insertion in front of the argument.</param>
/// <param name="Behind">An empty insertion after the argument.</param>
internal readonly record struct ScriptCall(string? Path, ScriptInsertion Before, ScriptInsertion Behind);

/// <summary>Finds the calls of a function by its plain name.</summary>
internal static class ScriptCalls
{
    /// <summary>The calls with one argument, such as <c>sum(o.Freight)</c>, <c>sum(x => x.Freight)</c> and <c>sum('Lines[].Price')</c>.</summary>
    /// <param name="alias">Name of the document in the script; null if it has none.</param>
    /// <exception cref="JavaScriptParseException">The text is not JavaScript, or uses something that scripts may not use.</exception>
    public static List<ScriptCall> Find(ScriptFragment part, string function, string? alias)
    {
        ScriptSyntax.Check(part, ScriptFragmentKind.Expression);
        var calls = new List<ScriptCall>();
        var open = new Stack<Node>([ScriptSyntax.Parse(part, ScriptFragmentKind.Expression)]);
        while (open.TryPop(out Node? node))
        {
            if (node is CallExpression { Callee: Identifier callee, Arguments: { Count: 1 } arguments } && callee.Name == function)
            {
                var around = new List<ScriptInsertion>();
                ScriptSyntax.Insert(around, arguments[0].Start, arguments[0].Location.Start, 1, "");
                ScriptSyntax.Insert(around, arguments[0].End, arguments[0].Location.End, 1, "");
                calls.Add(new ScriptCall(PathOf(arguments[0], alias), around[0], around[1]));
            }

            foreach (Node child in node.ChildNodes)
            {
                open.Push(child);
            }
        }

        return calls;
    }

    private static string? PathOf(Node argument, string? alias)
    {
        switch (argument)
        {
            case StringLiteral text:
                return text.Value;
            case ArrowFunctionExpression { Params: [Identifier parameter], Body: Expression body } when PathOf(body) is { } path:
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
}
