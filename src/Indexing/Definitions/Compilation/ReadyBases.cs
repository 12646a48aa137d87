using Jackdaw.Search.Analysis;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Lets analyzers of users derive from the ready ones: in the list of bases of a class, the name of a ready analyzer becomes that of ours, because
/// those of the library are sealed. A few of the library's old names become those of today.</summary>
internal static class ReadyBases
{
    /// <summary>Rewrites a text. All lines stay where they are.</summary>
    public static string Rewrite(string code)
    {
        SyntaxNode root = CSharpSyntaxTree.ParseText(code, DefinitionParser.Options).GetRoot();
        HashSet<string> own = [.. root.DescendantNodes().OfType<TypeDeclarationSyntax>().Select(type => type.Identifier.ValueText)];
        TextChange[] changes =
        [
            .. root.DescendantNodes().Select(node => node switch
            {
                BaseTypeSyntax { Type: NameSyntax name } => own.Contains(LastOf(name)) ? null : CustomAnalyzer.FindReadyBase(LastOf(name)),
                MemberAccessExpressionSyntax version when IsOldVersion(version) => CustomAnalyzer.VersionOfToday,
                UsingDirectiveSyntax imported => Imported(imported),
                _ => null,
            } is { } text ? new TextChange(node.Span, text) : default).Where(change => change.NewText is not null),
        ];
        return SourceText.From(code).WithChanges(changes).ToString();
    }

    private static string LastOf(NameSyntax name) => name switch
    {
        QualifiedNameSyntax qualified => qualified.Right.Identifier.ValueText,
        AliasQualifiedNameSyntax alias => alias.Name.Identifier.ValueText,
        SimpleNameSyntax simple => simple.Identifier.ValueText,
        _ => "",
    };

    // Version.LUCENE_30, also with the namespace before it.
    private static bool IsOldVersion(MemberAccessExpressionSyntax access) =>
        access.Name.Identifier.ValueText.StartsWith("LUCENE_", StringComparison.Ordinal)
        && access.Expression.ToString().Split('.')[^1] == "Version";

    private static string? Imported(UsingDirectiveSyntax imported) =>
        CustomAnalyzer.FindImport(imported.NamespaceOrType.ToString()) is not { } name ? null
        : name.Length == 0 ? "" // an alias of the version, which is rewritten itself
        : $"using {name};";
}
