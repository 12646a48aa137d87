using System.Text.RegularExpressions;
using Jackdaw.Indexing.Definitions.Running;

namespace Jackdaw.Indexing.Tests.Definitions.Running;

/// <summary>Compiles and runs what docs/indexes.md shows.</summary>
public sealed partial class DocumentedDefinitionTests
{
    private static readonly (string, string)[] s_documents = [("orders/1-A", """{"Company":"c/1","Paid":true,"Lines":[{"Price":2,"Quantity":3}]}""")];

    [Fact]
    public void Examples_OfTheGuide_CompileAndRun()
    {
        string[] examples = [.. Example().Matches(File.ReadAllText(GuidePath())).Select(match => match.Groups[1].Value)];
        (string, string)[] sources = [.. examples.Where(IsSource).Select((text, i) => ($"Source{i}.cs", text))];
        string[] maps = [.. examples.Where(text => !IsSource(text) && !IsReduce(text))];
        Assert.True(maps.Length >= 10, $"{maps.Length} maps");
        foreach (string map in maps)
        {
            using CompiledDefinition compiled = DefinitionHarness.Compile(DefinitionHarness.Define([map], null, sources));
            Assert.DoesNotContain("fails", DefinitionHarness.MapAll(compiled, s_documents), StringComparison.Ordinal);
        }

        foreach (string reduce in examples.Where(IsReduce))
        {
            string map = maps.Last(text => text.Contains("Count = 1", StringComparison.Ordinal));
            Assert.Equal("Company='c/1' Count=1 Total=6", DefinitionHarness.Run(DefinitionHarness.Define([map], reduce), s_documents));
        }
    }

    private static bool IsSource(string text) => text.StartsWith("public", StringComparison.Ordinal);

    private static bool IsReduce(string text) => text.Contains("in results", StringComparison.Ordinal);

    internal static string GuidePath()
    {
        string? folder = AppContext.BaseDirectory;
        while (folder is not null && !File.Exists(Path.Combine(folder, "Server.sln")))
        {
            folder = Path.GetDirectoryName(folder);
        }

        return Path.Combine(folder!, "docs", "indexes.md");
    }

    [GeneratedRegex("```csharp\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Example();
}
