using System.Collections.Immutable;
using System.Reflection;
using Jackdaw.Client.Analyzers;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Jackdaw.Client.Tests.Analyzers;

/// <summary>Code that is compiled in memory and shown to the analyzers of the package.</summary>
internal sealed class AnalyzedCode
{
    private const string ImplicitUsings = """
        global using System; global using System.Collections.Generic; global using System.IO; global using System.Linq;
        global using System.Net.Http; global using System.Threading; global using System.Threading.Tasks; global using Xunit;
        """;

    /// <summary>Everything that the tests refer to, without themselves.</summary>
    internal static IReadOnlyList<MetadataReference> References { get; } =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(file => !file.EndsWith("Jackdaw.Client.Tests.dll", StringComparison.Ordinal))
            .Select(file => MetadataReference.CreateFromFile(file)),
    ];

    private readonly CSharpCompilation _compilation;

    public AnalyzedCode(params IEnumerable<(string Path, string Text)> files) => _compilation = CSharpCompilation.Create(
        "Jackdaw.Client.Tests", // the name that the client shows its inner parts to
        files.Append(("usings.cs", ImplicitUsings)).Select(file => CSharpSyntaxTree.ParseText(file.Item2, path: file.Item1)),
        References,
        new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));

    /// <summary>Errors of the compiler: a test whose code does not compile shows nothing.</summary>
    public IReadOnlyList<string> Errors =>
        [.. _compilation.GetDiagnostics().Where(one => one.Severity == DiagnosticSeverity.Error).Select(one => one.ToString())];

    /// <summary>What the analyzers find, in the order of the code.</summary>
    public async Task<IReadOnlyList<Diagnostic>> FindAsync()
    {
        ImmutableArray<DiagnosticAnalyzer> analyzers = [new QueryAnalyzer(), new IndexDefinitionAnalyzer(), new SessionAnalyzer(), new DocumentClassAnalyzer()];
        ImmutableArray<Diagnostic> found = await _compilation.WithAnalyzers(analyzers).GetAnalyzerDiagnosticsAsync();
        Assert.DoesNotContain(found, one => one.Id == "AD0001"); // an analyzer has thrown
        return [.. found.OrderBy(one => one.Location.SourceTree?.FilePath, StringComparer.Ordinal).ThenBy(one => one.Location.SourceSpan.Start)];
    }

    /// <summary>Makes the code run.</summary>
    public Assembly Load()
    {
        using var image = new MemoryStream();
        Assert.True(_compilation.Emit(image).Success, string.Join(Environment.NewLine, Errors));
        return Assembly.Load(image.ToArray());
    }
}
