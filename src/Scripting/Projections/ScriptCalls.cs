using Acornima.Ast;
using Jackdaw.Json.Paths;

namespace Jackdaw.Scripting.Projections;

/// <summary>One call of a function in an expression.</summary>
/// <param name="Path">The path that its only argument names, without the alias or the parameter that it begins with; null when the argument
/// is anything else.</param>
/// <param name="Before">An empty insertion in front of the argument.</param>
/// <param name="Behind">An empty insertion after the argument.</param>
internal readonly record struct ScriptCall(DocumentPath? Path, ScriptInsertion Before, ScriptInsertion Behind);

/// <summary>Finds the calls of a function by its plain name.</summary>
internal static class ScriptCalls
{
    /// <summary>The calls with one argument, such as <c>sum(o.Freight)</c>, <c>sum(o['A.B'])</c>, <c>sum(x => x.Freight)</c> and
    /// <c>sum('Lines[].Price')</c>.</summary>
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

    private static DocumentPath? PathOf(Node argument, string? alias)
    {
        switch (argument)
        {
            case StringLiteral text:
                return DocumentPath.TryParse(text.Value, out DocumentPath? written) ? written : null;
            case ArrowFunctionExpression { Params: [Identifier parameter], Body: Expression body } when PartsOf(body) is { } parts:
                return parts.Length > 1 && parts[0].Name == parameter.Name ? new DocumentPath(parts[1..]) : null;
            default:
                return PartsOf(argument) is not { } whole ? null
                    : new DocumentPath(whole.Length > 1 && whole[0].Name == alias ? whole[1..] : whole);
        }
    }

    private static PathPart[]? PartsOf(Node node) => node switch
    {
        Identifier name => [PathPart.Member(name.Name)],
        ChainExpression chain => PartsOf(chain.Expression),
        MemberExpression member when PartsOf(member.Object) is { } above && PartOf(member) is { } part => [.. above, part],
        _ => null,
    };

    // o.Name, o['A.B'] and o.Lines[0].
    private static PathPart? PartOf(MemberExpression member) => member switch
    {
        { Computed: false, Property: Identifier name } => PathPart.Member(name.Name),
        { Computed: true, Property: StringLiteral name } => PathPart.Member(name.Value),
        { Computed: true, Property: NumericLiteral { Value: >= 0 and <= int.MaxValue and var number } } when number == (int)number =>
            PathPart.Element((int)number),
        _ => null,
    };
}
