using Jackdaw.Repository.Tests.Rules;
using Xunit.Abstractions;

namespace Jackdaw.Repository.Tests;

/// <summary>Holds the whole repository to the house rules. Each rule is proven able to fail in <see
/// cref="HouseRuleTests"/>.</summary>
/// <remarks>
/// An old offender stands in a list below with its size or count and may only shrink: growing fails, and so does an
/// entry that is no longer needed.
/// </remarks>
public sealed class RepositoryTests(ITestOutputHelper output)
{
    /// <summary>Files over the limit, with their lines.</summary>
    private static readonly Dictionary<string, int> s_longFiles = [];

    /// <summary>Bodies over the limit, by file, with their lines.</summary>
    private static readonly Dictionary<string, int> s_longBodies = [];

    /// <summary>How often each idiom of <see cref="IdiomRules"/> is used. Only lowered.</summary>
    private static readonly Dictionary<string, int> s_idioms = new()
    {
        ["is no"] = 0,
        ["is none"] = 0,
        ["of now"] = 0,
        ["so many"] = 0,
        ["the while"] = 0,
        ["is told"] = 0,
        ["behind it"] = 0,
        ["whatever"] = 0,
        ["meanwhile"] = 0,
        ["of which"] = 0,
        ["who asks"] = 0,
        ["as above"] = 0,
    };

    /// <summary>Assertions per 1,000 lines of src/Storage. Only raised: code that is added brings its assertions along.
    /// None is written for the count: each says what a file's header numbers, or who holds a lock.</summary>
    private const double StorageAssertionsMin = 14.8;

    [Fact]
    public void Assertions_InStorage_DoNotBecomeFewer()
    {
        double found = AssertionRules.PerThousandLines(RepositoryFiles.All, "src/Storage");
        output.WriteLine($"house: {found:0.00} assertions per 1,000 lines of src/Storage");
        Assert.True(found >= StorageAssertionsMin,
            $"src/Storage has {found:0.00} assertions per 1,000 lines, it had {StorageAssertionsMin}: assert what the new code relies on.");
        Assert.True(found < StorageAssertionsMin + 0.5, $"src/Storage has {found:0.00} assertions per 1,000 lines: raise the least to that.");
    }

    [Fact]
    public void Files_All_AreShortEnough() => Check(SizeRules.LongFiles, s_longFiles);

    [Fact]
    public void Bodies_All_AreShortEnough() => Check(SizeRules.LongBodies, s_longBodies);

    [Fact]
    public void Lines_All_FitAReview() => Check(SizeRules.LongLines);

    [Fact]
    public void Texts_All_HaveSpacesAndPlainLineEnds() => Check(TextRules.TabsAndCarriageReturns);

    [Fact]
    public void Texts_All_NameNoMachine() => Check(TextRules.MachineNames);

    [Fact]
    public void Texts_All_HaveNoLeftovers() => Check(TextRules.LeftoverMarkers);

    [Fact]
    public void Calls_InProduct_AreNotBanned() => Check(CodeRules.BannedCalls);

    [Fact]
    public void Waits_InTests_SayWhyTimeHasToPass() => Check(CodeRules.WaitsWithoutReason);

    [Fact]
    public void NativeCalls_InProduct_StandInPal() => Check(CodeRules.NativeCalls);

    [Fact]
    public void Unsafe_InProduct_StandsInListedFolders()
    {
        SourceFile notes = RepositoryFiles.All.Single(f => f.Path == "AGENTS.md");
        IReadOnlyCollection<string> folders = CodeRules.UnsafeFolders(notes.Text);
        Assert.NotEmpty(folders);
        Check(file => CodeRules.UnsafeCode(file, folders));
    }

    [Fact]
    public void LargeTypes_InProduct_HaveFilesOfTheirOwn() => Check(TypeRules.OneLargeTypePerFile);

    [Fact]
    public void Types_InProduct_SayWhatTheyDo() => Check(TypeRules.BannedNames);

    [Fact]
    public void PublicTypes_OfPalAndStorage_AreDocumented() => Check(TypeRules.Undocumented);

    [Fact]
    public void Namespaces_InProduct_AreFolders() => Check(TypeRules.NamespaceOfFolder);

    [Fact]
    public void Namespaces_InProduct_UseOnlyWhatIsBelow()
    {
        Assert.True(NamespaceRules.Uses(RepositoryFiles.All).Count > 20, "The sources of the product were not found.");
        Assert.Empty(NamespaceRules.Circles(RepositoryFiles.All).Select(circle => string.Join(", ", circle)));
    }

    /// <summary>A failure prints a right drawing for each project whose drawing is wrong: put it into the page, and describe what has a question
    /// mark.</summary>
    [Fact]
    public void Drawings_OfLayers_AreWhatTheSourcesSay()
    {
        IReadOnlyList<LayerDrawing> drawings = LayerDrawing.Read(RepositoryFiles.All.Single(f => f.Path == "docs/ARCHITECTURE.md").Text);
        string[] problems = [.. LayerDrawing.Compare(drawings, RepositoryFiles.All)];
        Assert.True(drawings.Count > 5, "The drawings of docs/ARCHITECTURE.md were not found.");
        Assert.True(problems.Length == 0, "docs/ARCHITECTURE.md:" + Environment.NewLine + string.Join(Environment.NewLine, problems));
    }

    /// <summary>A failure says where each idiom is, or which count to lower.</summary>
    [Fact]
    public void Idioms_ThatAreReadTwice_BecomeFewer()
    {
        string[] problems = [.. IdiomRules.Compare(RepositoryFiles.All, s_idioms)];
        Assert.True(problems.Length == 0, string.Join(Environment.NewLine, problems));
    }

    [Fact]
    public void Folders_InProduct_AreSmall() => Assert.Empty(NamespaceRules.LargeFolders(RepositoryFiles.All));

    [Fact]
    public void Folders_OfTests_AreThoseOfTheProduct() => Assert.Empty(TestFolderRules.WithoutCounterpart(RepositoryFiles.All));

    [Fact]
    public void TypeNames_InProduct_StandForOneThing() => Assert.Empty(NamespaceRules.NamesOfTwoThings(RepositoryFiles.All));

    [Fact]
    public void Assemblies_OfProduct_ReferenceOnlyWhatIsBelow()
    {
        List<Finding> findings = [];
        foreach (string assembly in LayerRules.ProductAssemblies)
        {
            string file = Path.Combine(AppContext.BaseDirectory, assembly + ".dll");
            if (File.Exists(file))
            {
                findings.AddRange(LayerRules.References(assembly, LayerRules.ReferencesOf(file)));
            }
        }

        Assert.True(File.Exists(Path.Combine(AppContext.BaseDirectory, "Jackdaw.Pal.dll")),
            "The product's assemblies are not beside the tests.");
        Assert.Empty(findings);
    }

    [Fact]
    public void Lucene_InSources_IsNamedByItsProjectsOnly() => Check(LayerRules.LuceneNames);

    [Fact]
    public void Projects_OfProduct_ReferenceOnlyWhatIsBelow()
    {
        SourceFile[] projects =
            [.. RepositoryFiles.All.Where(f => f.IsUnder("src") && f.Path.EndsWith(".csproj", StringComparison.Ordinal))];
        Assert.NotEmpty(projects);
        Assert.Empty(projects.SelectMany(p => LayerRules.References(
            LayerRules.AssemblyOf(Path.GetFileNameWithoutExtension(p.Path)), LayerRules.ProjectReferencesOf(p))));
    }

    /// <summary>What grows beyond this is a layer that wants to be an assembly of its own.</summary>
    [Fact]
    public void Server_IsAtMostAThirdOfTheProduct()
    {
        long LinesBelow(string folder) => RepositoryFiles.All.Where(f => f.IsCSharp && f.IsUnder(folder)).Sum(f => (long)f.LineCount);
        long product = LinesBelow("src") - new[] { "src/Client", "src/Client.Analyzers", "src/Client.AspNetCore" }.Sum(LinesBelow);
        double share = (double)LinesBelow("src/Server") / product;
        output.WriteLine($"house: src/Server is {share:P1} of the product without its client");
        Assert.InRange(share, 0.05, SizeRules.ServerShareMax);
    }

    /// <summary>The package of the test server has the server's assemblies in it, so it must name what they need.</summary>
    [Fact]
    public void PackagesOfTestServer_AreThoseOfTheServer()
    {
        string[] OfAll(params string[] projects) =>
        [
            .. projects.SelectMany(project => LayerRules.PackageReferencesOf(
                RepositoryFiles.All.Single(f => f.Path == $"src/{project}/{project}.csproj"))).Distinct().Order(StringComparer.Ordinal),
        ];

        Assert.NotEmpty(OfAll("Server"));
        // The web framework, which the package refers to, has these.
        string[] ofFramework = ["Microsoft.Extensions.Logging.Abstractions", "Microsoft.Extensions.ObjectPool"];
        string[] ofServer = OfAll(
            "Server", "Queries", "Indexing", "Documents", "Scripting", "Json", "Search.Lucene", "Search.Analysis", "Search", "Storage", "Pal");
        Assert.Equal(ofServer.Except(ofFramework), OfAll("TestServer"));
    }

    /// <summary>Never fails: says how far the code is from what is wanted. The counts are in the output of the
    /// test.</summary>
    [Fact]
    public void Sizes_OverWhatIsWanted_AreCounted()
    {
        SourceFile[] sources = [.. RepositoryFiles.All.Where(f => f.IsCSharp)];
        int files = sources.Count(f => f.LineCount > SizeRules.FileLinesWanted);
        int bodies = sources.Sum(f => f.Outline.Methods.Count(m => m.BodyLines > SizeRules.BodyLinesWanted));
        int lines = RepositoryFiles.All.Sum(f => SizeRules.LinesOver(f, SizeRules.ColumnsWanted).Count());
        output.WriteLine($"house: {sources.Length} C# files; {files} over {SizeRules.FileLinesWanted} lines; " +
            $"{bodies} bodies over {SizeRules.BodyLinesWanted} lines; {lines} lines over {SizeRules.ColumnsWanted} columns");
        Assert.NotEmpty(sources);
    }

    private static void Check(Func<SourceFile, IEnumerable<Finding>> rule, Dictionary<string, int>? oldOffenders = null)
    {
        Finding[] findings = [.. RepositoryFiles.All.SelectMany(rule)];
        string[] failures = [.. Ratchet.Compare(findings, oldOffenders ?? [])];
        Assert.True(failures.Length == 0,
            $"{failures.Length} places:{Environment.NewLine}{string.Join(Environment.NewLine, failures)}");
    }
}
