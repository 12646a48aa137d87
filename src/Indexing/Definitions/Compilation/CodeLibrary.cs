using Jackdaw.Indexing.Definitions.Library;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Search.Analysis;
using Microsoft.CodeAnalysis;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>What code of users may name outside itself: index definitions have the base library and our runtime, analyzers also Lucene's
/// analysis. Immutable.</summary>
internal sealed class CodeLibrary
{
    /// <summary>Largest number that code may pass to a constructor of Lucene: enough for lengths of words and sizes of sets.</summary>
    public const int SizeMax = 10_000;

    private readonly Lazy<MetadataReference[]> _references;
    private readonly bool _hasAnalysis;

    private CodeLibrary(bool hasAnalysis)
    {
        _hasAnalysis = hasAnalysis;
        _references = new(() => MakeReferences(hasAnalysis ? CustomAnalyzer.AssemblyFiles : []));
    }

    /// <summary>The library of index definitions.</summary>
    public static CodeLibrary Definitions { get; } = new(hasAnalysis: false);

    /// <summary>The library of analyzers.</summary>
    public static CodeLibrary Analyzers { get; } = new(hasAnalysis: true);

    public MetadataReference[] References => _references.Value;

    /// <summary>Usings of all texts, besides those of definitions.</summary>
    public string Usings => _hasAnalysis ? "global using System.IO;\n" : "";

    /// <summary>Whether code may name a type or member.</summary>
    /// <inheritdoc cref="AllowedMembers.Allows" path="/param"/>
    public bool Allows(string type, string? member) =>
        AllowedMembers.Allows(type, member) || (_hasAnalysis && AllowedAnalysis.Allows(type, member));

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
