using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text.RegularExpressions;

namespace Jackdaw.Repository.Tests.Rules;

/// <summary>Who may know whom. Each project references only projects below it; the client stands beside them
/// all, and the test server above all.</summary>
public static partial class LayerRules
{
    private static readonly string[] s_contract = ["Jackdaw.Search", "Jackdaw.Storage", "Jackdaw.Pal"];
    private static readonly string[] s_web = ["Microsoft.AspNetCore.", "System.Net."];
    private static readonly string[] s_javaScript = ["Jint", "Acornima"];
    private static readonly string[] s_lucene = ["Lucene.", "J2N"];

    /// <summary>Product assemblies with the product assemblies they may reference.</summary>
    private static readonly Dictionary<string, string[]> s_below = new()
    {
        ["Jackdaw.Pal"] = [],
        ["Jackdaw.Storage"] = ["Jackdaw.Pal"],
        ["Jackdaw.Search"] = ["Jackdaw.Storage", "Jackdaw.Pal"],
        ["Jackdaw.Search.Vectors"] = ["Jackdaw.Search", "Jackdaw.Storage", "Jackdaw.Pal"],
        ["Jackdaw.Search.Analysis"] = ["Jackdaw.Search", "Jackdaw.Storage", "Jackdaw.Pal"],
        ["Jackdaw.Search.Lucene"] = ["Jackdaw.Search.Analysis", "Jackdaw.Search", "Jackdaw.Storage", "Jackdaw.Pal"],
        ["Jackdaw.Search.Segments"] = ["Jackdaw.Search.Analysis", "Jackdaw.Search", "Jackdaw.Storage", "Jackdaw.Pal"],
        ["Jackdaw.Json"] = ["Jackdaw.Storage", "Jackdaw.Pal"],
        ["Jackdaw.Scripting"] = ["Jackdaw.Json", "Jackdaw.Storage"],
        ["Jackdaw.Documents"] = ["Jackdaw.Scripting", "Jackdaw.Json", "Jackdaw.Storage", "Jackdaw.Pal"],
        ["Jackdaw.Indexing"] = ["Jackdaw.Documents", "Jackdaw.Scripting", "Jackdaw.Json", .. s_contract, "Jackdaw.Search.Analysis", "Jackdaw.Search.Vectors"],
        ["Jackdaw.Queries"] =
        [
            "Jackdaw.Indexing", "Jackdaw.Documents", "Jackdaw.Scripting", "Jackdaw.Json", .. s_contract, "Jackdaw.Search.Analysis", "Jackdaw.Search.Vectors",
        ],
        ["Jackdaw.Security"] = ["Jackdaw.Documents", "Jackdaw.Json", "Jackdaw.Storage", "Jackdaw.Pal"],
        ["jackdaw"] =
        [
            "Jackdaw.Security", "Jackdaw.Queries", "Jackdaw.Indexing", "Jackdaw.Documents", "Jackdaw.Scripting", "Jackdaw.Json", .. s_contract,
            "Jackdaw.Search.Analysis", "Jackdaw.Search.Vectors", "Jackdaw.Search.Lucene", "Jackdaw.Search.Segments",
        ],
        ["Jackdaw.Client.Analyzers"] = [],
        ["Jackdaw.Client"] = ["Jackdaw.Client.Analyzers"], // in its package; the assembly has no reference
        ["Jackdaw.Client.AspNetCore"] = ["Jackdaw.Client"],
        ["Jackdaw.TestServer"] = ["jackdaw", "Jackdaw.Security", "Jackdaw.Indexing", "Jackdaw.Documents", "Jackdaw.Storage", "Jackdaw.Pal", "Jackdaw.Client"],
    };

    /// <summary>Libraries that a layer must not see, by the beginning of their names.</summary>
    private static readonly Dictionary<string, string[]> s_unseen = new()
    {
        ["Jackdaw.Pal"] = ["System.Text.Json", "Microsoft.AspNetCore.", "Microsoft.Extensions.", "System.Net."],
        ["Jackdaw.Storage"] =
            ["System.Text.Json", "Microsoft.AspNetCore.", "Microsoft.Extensions.Hosting", "System.Net."],
        ["Jackdaw.Search"] = ["Microsoft.AspNetCore.", "System.Net.", "Lucene.", "J2N"],
        ["Jackdaw.Search.Vectors"] = ["Microsoft.AspNetCore.", "System.Net.", "Lucene.", "J2N"],
        ["Jackdaw.Search.Analysis"] = ["Microsoft.AspNetCore.", "System.Net."],
        ["Jackdaw.Search.Lucene"] = ["Microsoft.AspNetCore.", "System.Net."],
        ["Jackdaw.Search.Segments"] = [.. s_web, .. s_lucene],
        ["Jackdaw.Json"] = [.. s_web, .. s_javaScript, .. s_lucene, "Microsoft.CodeAnalysis"],
        ["Jackdaw.Scripting"] = [.. s_web, .. s_lucene, "Microsoft.CodeAnalysis"],
        ["Jackdaw.Documents"] = [.. s_web, .. s_javaScript, .. s_lucene, "Microsoft.CodeAnalysis"],
        ["Jackdaw.Indexing"] = [.. s_web, .. s_javaScript, .. s_lucene],
        ["Jackdaw.Queries"] = [.. s_web, .. s_javaScript, .. s_lucene, "Microsoft.CodeAnalysis"],
        ["Jackdaw.Security"] = ["Microsoft.AspNetCore.", .. s_javaScript, .. s_lucene, "Microsoft.CodeAnalysis"],
        ["jackdaw"] = [.. s_javaScript, .. s_lucene, "Microsoft.CodeAnalysis"],
        ["Jackdaw.Client.Analyzers"] = ["System.Text.Json", "Microsoft.AspNetCore.", "Microsoft.Extensions.", "System.Net."],
        ["Jackdaw.Client"] =
        [
            "Microsoft.AspNetCore.", "Microsoft.Extensions.Configuration", "Microsoft.Extensions.DependencyInjection", "Microsoft.Extensions.Hosting",
            "Microsoft.Extensions.Options", "Microsoft.CodeAnalysis",
        ],
    };

    /// <summary>Where code may name namespaces of Lucene: its analyzers, its engine, the tests of the engine itself, and the benchmark that
    /// compares the engine with Lucene alone.</summary>
    private static readonly string[] s_ofLucene = ["src/Search.Analysis", "src/Search.Lucene", "test/Search.Lucene.Tests", "bench/Search"];

    public static IEnumerable<string> ProductAssemblies => s_below.Keys;

    public static IEnumerable<Finding> References(string assembly, IEnumerable<string> referenced)
    {
        foreach (string name in referenced)
        {
            if (s_below.ContainsKey(name) && !s_below[assembly].Contains(name))
            {
                yield return new Finding(assembly, 0, $"references {name}, which is not below it");
            }

            string[] unseen = s_unseen.GetValueOrDefault(assembly, []);
            if (unseen.Any(prefix => name.StartsWith(prefix, StringComparison.Ordinal)))
            {
                yield return new Finding(assembly, 0, $"references {name}, which belongs to a layer above");
            }
        }
    }

    /// <summary>Names of Lucene's namespaces outside of the projects that know Lucene. Texts count in src, where the compiler would get them.</summary>
    public static IEnumerable<Finding> LuceneNames(SourceFile file)
    {
        if (!file.IsCSharp || s_ofLucene.Any(file.IsUnder))
        {
            return [];
        }

        IReadOnlyList<string> lines = file.IsUnder("src") ? file.Lines : file.Code.Split('\n');
        return lines.Select((text, index) => (text, Line: index + 1))
            .Where(line => LuceneName().IsMatch(line.text))
            .Select(line => new Finding(file.Path, line.Line, "names a namespace of Lucene, which only Search.Analysis and Search.Lucene know"));
    }

    /// <summary>Names that a built assembly references, read from its metadata without loading it.</summary>
    public static IReadOnlyList<string> ReferencesOf(string assemblyFile)
    {
        using var stream = File.OpenRead(assemblyFile);
        using var image = new PEReader(stream);
        MetadataReader metadata = image.GetMetadataReader();
        return [.. metadata.AssemblyReferences.Select(handle =>
            metadata.GetString(metadata.GetAssemblyReference(handle).Name))];
    }

    /// <summary>Projects that a project file references, as assembly names. The compiler drops references nobody uses;
    /// the file does not.</summary>
    public static IEnumerable<string> ProjectReferencesOf(SourceFile project) =>
        ProjectReference().Matches(project.Text)
        .Select(m => AssemblyOf(m.Groups[1].Value));

    /// <summary>Packages that a project file references.</summary>
    public static IEnumerable<string> PackageReferencesOf(SourceFile project) =>
        PackageReference().Matches(project.Text).Select(m => m.Groups[1].Value);

    public static string AssemblyOf(string projectName) =>
        projectName == "Server" ? "jackdaw" : "Jackdaw." + projectName;

    [GeneratedRegex(@"\bLucene\.Net\b")]
    private static partial Regex LuceneName();

    [GeneratedRegex("<ProjectReference\\s+Include=\"[^\"]*?([^\"/\\\\]+)\\.csproj\"")]
    private static partial Regex ProjectReference();

    [GeneratedRegex("<PackageReference\\s+Include=\"([^\"]+)\"")]
    private static partial Regex PackageReference();
}
