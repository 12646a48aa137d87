using Jackdaw.Indexing.Definitions.Library;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Search.Analysis;
using Jackdaw.Search.Queries;
using Microsoft.CodeAnalysis;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>What code of users may name outside itself: index definitions have the base library and our runtime, analyzers also Lucene's
/// analysis, sorters the values that they compare. Immutable.</summary>
internal sealed class CodeLibrary
{
    /// <summary>Largest number that code may pass to a constructor of Lucene: enough for lengths of words and sizes of sets.</summary>
    public const int SizeMax = 10_000;

    private readonly Lazy<MetadataReference[]> _references;
    private readonly Func<string, string?, bool> _allowsMore;
    private readonly bool _hasAnalysis;

    private CodeLibrary(IReadOnlyList<string> files, string usings, Func<string, string?, bool> allowsMore, bool hasAnalysis = false)
    {
        _references = new(() => MakeReferences(files));
        Usings = usings;
        _allowsMore = allowsMore;
        _hasAnalysis = hasAnalysis;
    }

    /// <summary>The library of index definitions.</summary>
    public static CodeLibrary Definitions { get; } = new([], "", static (_, _) => false);

    /// <summary>The library of analyzers.</summary>
    public static CodeLibrary Analyzers { get; } = new(
        CustomAnalyzer.AssemblyFiles, $"global using System.IO;\nglobal using {CustomAnalyzer.ReadyNamespace};\n", AllowedAnalysis.Allows, hasAnalysis: true);

    /// <summary>The library of sorters.</summary>
    public static CodeLibrary Sorters { get; } = new(
        [typeof(SortValue).Assembly.Location], $"global using {typeof(SortValue).Namespace};\n", static (type, _) => type == typeof(SortValue).FullName);

    public MetadataReference[] References => _references.Value;

    /// <summary>Usings of all texts, besides those of definitions.</summary>
    public string Usings { get; }

    /// <summary>A source in the form that the compiler takes.</summary>
    public string Prepare(string source) => _hasAnalysis ? ReadyBases.Rewrite(source) : source;

    /// <summary>Whether code may name a type or member.</summary>
    /// <inheritdoc cref="AllowedMembers.Allows" path="/param"/>
    public bool Allows(string type, string? member) => AllowedMembers.Allows(type, member) || _allowsMore(type, member);

    /// <summary>Whether a type belongs neither to us nor to the base library.</summary>
    public bool IsForeign(INamedTypeSymbol type) =>
        _hasAnalysis && AllowedAnalysis.IsOfLucene(type.ContainingNamespace?.ToDisplayString());

    private static MetadataReference[] MakeReferences(IReadOnlyList<string> more)
    {
        string folder = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        string[] files =
        [
            "System.Private.CoreLib.dll", "System.Runtime.dll", "System.Collections.dll", "System.Linq.dll",
            "System.Text.RegularExpressions.dll",
        ];
        return [.. files.Select(file => Path.Combine(folder, file)).Append(typeof(DefinitionBase).Assembly.Location).Concat(more)
            .Select(file => (MetadataReference)MetadataReference.CreateFromFile(file))];
    }
}
