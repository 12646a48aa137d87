using Acornima.Ast;

namespace Jackdaw.Scripting.Indexes;

/// <summary>Finds names that nothing defines. Scripts are strict, so that such a name would fail for each document; the definition is refused when it is
/// put.</summary>
internal static class UndefinedNames
{
    /// <exception cref="JavaScriptParseException">A text has such a name.</exception>
    /// <param name="parts">The texts of the definition.</param>
    /// <param name="isKnown">Whether the engine or the definition's function has a name.</param>
    public static void Check(IReadOnlyList<ScriptFragment> parts, Func<string, bool> isKnown)
    {
        (ScriptFragment Part, Node Root)[] roots = [.. parts.Select(part => (part, (Node)ScriptSyntax.Parse(part, ScriptFragmentKind.Body)))];
        var defined = new HashSet<string>(roots.SelectMany(root => Below(root.Root)).SelectMany(Defined), StringComparer.Ordinal);
        foreach ((ScriptFragment part, Node root) in roots)
        {
            Identifier? unknown = Below(root).SelectMany(Used)
                .Where(name => name.Name != "arguments" && !defined.Contains(name.Name) && !isKnown(name.Name))
                .MinBy(name => name.Start);
            if (unknown is not null)
            {
                throw new JavaScriptParseException(ScriptError.Refused,
                    $"'{unknown.Name}' is not defined. " +
                    "Define it in the text or in an additional source, or use one of the helpers of indexes.",
                    ScriptText.Place(part, unknown.Location.Start.Line - 1, unknown.Location.Start.Column));
            }
        }
    }

    /// <summary>The identifiers directly below a node that are read or assigned, and are not names of members.</summary>
    private static IEnumerable<Identifier> Used(Node node) => node switch
    {
        MemberExpression { Computed: false, Object: var owner } => Used(owner, node),
        Property { Computed: false, Value: var value } => Used(value, node),
        MethodDefinition { Computed: false } or PropertyDefinition { Computed: false, Value: null } or MetaProperty => [],
        PropertyDefinition { Computed: false, Value: { } value } => Used(value, node),
        LabeledStatement or BreakStatement or ContinueStatement => [],
        _ => node.ChildNodes.OfType<Identifier>(),
    };

    private static IEnumerable<Identifier> Used(Node child, Node parent) => child is Identifier name && child != parent ? [name] : [];

    /// <summary>The names that a node declares.</summary>
    /// <remarks>Names that are tested by typeof count too, because then the text knows that they may be missing.</remarks>
    private static IEnumerable<string> Defined(Node node) => node switch
    {
        VariableDeclarator variable => Names(variable.Id),
        IFunction function => function.Params.SelectMany(parameter => Names(parameter)).Concat(function.Id is { } id ? [id.Name] : []),
        IClass { Id: { } id } => [id.Name],
        CatchClause { Param: { } parameter } => Names(parameter),
        UnaryExpression { Operator: Acornima.Operator.TypeOf, Argument: Identifier name } => [name.Name],
        _ => [],
    };

    private static IEnumerable<string> Names(Node pattern) => Below(pattern).OfType<Identifier>().Select(name => name.Name);

    private static IEnumerable<Node> Below(Node root)
    {
        var open = new Stack<Node>();
        open.Push(root);
        while (open.TryPop(out Node? node))
        {
            yield return node;
            foreach (Node child in node.ChildNodes)
            {
                open.Push(child);
            }
        }
    }
}
