using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Finds in the syntax of a map what it reads and what it loads.</summary>
internal static class SourceNames
{
    private static readonly string[] s_roots = ["docs", "timeSeries", "counters"];

    /// <exception cref="PartFault">A map reads nothing, or more than one thing.</exception>
    public static MapText Of(DefinitionText part)
    {
        IdentifierNameSyntax[] roots = [.. part.Syntax.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>()
            .Where(name => s_roots.Contains(name.Identifier.ValueText) && !IsMember(name))];
        if (roots.Length != 1)
        {
            throw new PartFault(roots.Length == 0 ? 0 : roots[1].SpanStart, roots.Length == 0
                ? "A map must read documents: begin with 'from x in docs.Collection' or 'docs.Collection.Select(...)'."
                : "A map reads one source. To read other documents use LoadDocument(id, \"Collection\").");
        }

        return Of(roots[0]);
    }

    /// <summary>Collections that calls of LoadDocument name by a literal, whether others do not, and whether compare exchange values are loaded.</summary>
    public static (string[] Collections, bool HasOthers, bool HasValues) Loaded(IEnumerable<DefinitionText> parts)
    {
        var names = new SortedSet<string>(StringComparer.Ordinal);
        bool hasOthers = false;
        bool hasValues = false;
        foreach (InvocationExpressionSyntax call in parts.SelectMany(part =>
            part.Syntax.DescendantNodesAndSelf().OfType<InvocationExpressionSyntax>()))
        {
            SimpleNameSyntax? name = call.Expression switch
            {
                SimpleNameSyntax simple => simple,
                MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax } member => member.Name,
                _ => null,
            };
            if (name?.Identifier.ValueText == "LoadCompareExchangeValue")
            {
                hasValues = true;
            }
            else if (name?.Identifier.ValueText == "LoadDocument")
            {
                string? collection = call.ArgumentList.Arguments is [_, { Expression: LiteralExpressionSyntax literal }]
                    ? literal.Token.Value as string
                    : null;
                hasOthers |= collection is null;
                names.Add(collection ?? "");
            }
        }

        names.Remove("");
        return ([.. names], hasOthers, hasValues);
    }

    private static MapText Of(IdentifierNameSyntax root)
    {
        switch (root.Parent)
        {
            case ElementAccessExpressionSyntax { ArgumentList.Arguments: [{ Expression: LiteralExpressionSyntax key }] }
                when key.Token.Value is string name:
                return new MapText([name], []);
            case MemberAccessExpressionSyntax { Name.Identifier.ValueText: "WhereEntityIs", Parent: InvocationExpressionSyntax call }:
                return new MapText([.. call.ArgumentList.Arguments.Select(a => a.Expression)
                    .OfType<LiteralExpressionSyntax>().Select(a => a.Token.ValueText)], []);
            case MemberAccessExpressionSyntax member when !IsCalled(member):
                bool hasSecond = root.Identifier.ValueText != "docs"
                    && member.Parent is MemberAccessExpressionSyntax second && !IsCalled(second);
                return new MapText([member.Name.Identifier.ValueText],
                    hasSecond ? [((MemberAccessExpressionSyntax)member.Parent!).Name.Identifier.ValueText] : []);
            default:
                return new MapText([], []);
        }
    }

    private static bool IsCalled(MemberAccessExpressionSyntax member) =>
        member.Parent is InvocationExpressionSyntax call && call.Expression == member;

    private static bool IsMember(IdentifierNameSyntax name) =>
        name.Parent is MemberAccessExpressionSyntax access && access.Name == name
        || name.Parent is NameEqualsSyntax or NameColonSyntax or MemberBindingExpressionSyntax;
}
