using Jackdaw.Repository.Tests.Rules;

namespace Jackdaw.Repository.Tests;

/// <summary>Runs every house rule on a small bad sample: a rule that cannot fail guards nothing.</summary>
public sealed class HouseRuleTests
{
    private static SourceFile Sample(string text, string path = "src/Storage/Trees/Sample.cs") => new(path, text);

    private static string Repeat(string line, int times) => string.Concat(Enumerable.Repeat(line + "\n", times));

    [Fact]
    public void TestFolders_WithoutCounterpart_Found()
    {
        SourceFile[] files =
        [
            Sample("", "src/Json/Tape/A.cs"), Sample("", "test/Json.Tests/Tape/ATests.cs"), Sample("", "test/Json.Tests/Other/BTests.cs"),
            Sample("", "test/Documents.Tests/Models/CTests.cs"),
        ];
        Finding[] found = [.. TestFolderRules.WithoutCounterpart(files)];

        Assert.Contains(found, finding => finding.Path == "test/Json.Tests/Other");
        Assert.DoesNotContain(found, finding => finding.Path is "test/Json.Tests/Tape" or "test/Documents.Tests/Models");
        Finding gone = found.Single(finding => finding.Path == "test/Server.Tests/Formats");
        Assert.StartsWith("needs no exception", gone.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void LongFiles_OverTheLimit_Found()
    {
        Assert.Equal(1001, Assert.Single(SizeRules.LongFiles(Sample(Repeat("// x", 1001)))).Amount);
        Assert.Empty(SizeRules.LongFiles(Sample(Repeat("// x", 1000))));
        Assert.Single(SizeRules.LongFiles(Sample(Repeat("x", 121), "AGENTS.md")));
        Assert.Contains("shorter", Assert.Single(SizeRules.LongFiles(Sample(Repeat("x", 140), "README.md"))).Message, StringComparison.Ordinal);
        Assert.Empty(SizeRules.LongFiles(Sample(Repeat("x", 139), "README.md")));
        Assert.Single(SizeRules.LongFiles(Sample(Repeat("x", 170), "docs/ROADMAP.md")));
        Assert.Empty(SizeRules.LongFiles(Sample(Repeat("x", 169), "docs/ROADMAP.md")));
        Assert.Single(SizeRules.LongFiles(Sample(Repeat("<x/>", 31), "src/Pal/Pal.csproj")));
    }

    [Fact]
    public void LongBodies_MethodOverTheLimit_Found()
    {
        const string head = "class C\n{\n    [Fact(Skip = \"{\")]\n    public void Long(int a = 1)\n    {\n";
        string text = head + Repeat("        if (a > '}') { a++; }", 71) + "    }\n}\n";
        Finding finding = Assert.Single(SizeRules.LongBodies(Sample(text)));
        Assert.Equal(71, finding.Amount);
        Assert.Contains("Long", finding.Message, StringComparison.Ordinal);
        Assert.Empty(SizeRules.LongBodies(Sample(head + Repeat("        if (a > '}') { a++; }", 70) + "    }\n}\n")));
    }

    [Theory]
    [InlineData("class C { int P { get { BODY } } }")]
    [InlineData("class C { int P { get => 1; private set { BODY } } = 3; }")]
    [InlineData("class C { public static bool operator ==(C a, C b) { BODY } }")]
    [InlineData("class C { int[] _a = { 1 }; C() : base(new() { X = 1 }) { BODY } }")]
    [InlineData("namespace N { struct S<T> where T : class { void M<K>(K k) where K : class, new() { BODY } } }")]
    [InlineData("class C { int M(int a) => a switch { 1 => 2, \nBODY _ => 3 }; }")]
    [InlineData("class C { string s = $\"{(\"}\" + 1)}{{\"; void M() { BODY } }")]
    [InlineData("class C { string s = \"\"\"\n { \" \n\"\"\"; void M() { BODY } }")]
    [InlineData("class C { string s = @\"\\\"; void M() { BODY } }")]
    [InlineData("static class E { extension(string s) { int M() { BODY } } }")]
    [InlineData("using X;\nBODY\nreturn 1;\n", false)]
    public void LongBodies_EveryKindOfMember_Found(string text, bool indented = true)
    {
        string body = Repeat(indented ? "x" : "await x;", 80);
        Assert.Single(SizeRules.LongBodies(Sample(text.Replace("BODY", body, StringComparison.Ordinal))));
    }

    [Fact]
    public void LongBodies_ManyShortMembers_NotFound()
    {
        string members = Repeat(
            "    public int P { get; set; } = 1;\n    void M() { }\n    int N() => 1;\n    event Action? E { add { } remove { } }", 50);
        SourceFile file = Sample("class C : B\n{\n" + members + "}\nenum E { A = 1, B }\n");
        Assert.Empty(SizeRules.LongBodies(file));
        Assert.Equal(["C", "E"], file.Outline.Types.Select(t => t.Name));
    }

    [Fact]
    public void LongLines_OverTheLimit_Found()
    {
        SourceFile file = Sample(new string('x', 161) + "\n" + new string('x', 130) + "\n");
        Assert.Equal(1, Assert.Single(SizeRules.LongLines(file)).Line);
        Assert.Equal(2, SizeRules.LinesOver(file, SizeRules.ColumnsWanted).Count());
    }

    [Theory]
    [InlineData("a\r\nb\n")]
    [InlineData("a\tb\n")]
    [InlineData("a")]
    public void TabsAndCarriageReturns_Bad_Found(string text) =>
        Assert.Single(TextRules.TabsAndCarriageReturns(Sample(text)));

    [Theory]
    [InlineData("see /", "home/me/notes")]
    [InlineData("cp x \"/", "work/main\"")]
    [InlineData("https://", "registry.example.org/x")]
    [InlineData("<add value=\"https://feed.nu", "get.example/v3\" />")]
    public void MachineNames_PathOrFeed_Found(string first, string second) =>
        Assert.Single(TextRules.MachineNames(Sample(first + second + "\n", "docs/a.md")));

    [Fact]
    public void MachineNames_LockedAddress_Found()
    {
        string text = "{ \"resolved\": \"" + "http://packages.example/a.tgz\" }\n";
        Assert.Single(TextRules.MachineNames(Sample(text, "test/EndToEnd/package-lock.json")));
        Assert.Empty(TextRules.MachineNames(Sample("GET /databases/home/docs, $x/work/y, src/work/\n", "docs/a.md")));
    }

    [Theory]
    [InlineData("int a; // TODO: b\n", "src/A.cs")]
    [InlineData("/* FIXME */\n", "src/A.cs")]
    [InlineData("throw new NotImplementedException();\n", "src/A.cs")]
    [InlineData("# HA" + "CK\n", "test/a.sh")]
    public void LeftoverMarkers_InCommentOrCode_Found(string text, string path) =>
        Assert.Single(TextRules.LeftoverMarkers(Sample(text, path)));

    [Fact]
    public void LeftoverMarkers_InsideAString_NotFound() =>
        Assert.Empty(TextRules.LeftoverMarkers(Sample("var a = \"TODO // FIXME\";\n")));

    [Theory]
    [InlineData("var a = DateTime.UtcNow;")]
    [InlineData("var a = $\"{DateTimeOffset.Now}\";")]
    [InlineData("Thread.Sleep(1);")]
    [InlineData("var a = new Random();")]
    [InlineData("Random a = new();")]
    [InlineData("Task.Run(() => { });")]
    [InlineData("Console.Write(1);")]
    [InlineData("lock (this) { }")]
    [InlineData("#region A")]
    public void BannedCalls_InStorage_Found(string statement) =>
        Assert.Single(CodeRules.BannedCalls(Sample(statement + "\n")));

    [Theory]
    [InlineData("// Thread.Sleep is banned.", "src/Storage/A.cs")]
    [InlineData("var a = \"DateTime.Now\";", "src/Storage/A.cs")]
    [InlineData("var a = new Random(42);", "src/Storage/A.cs")]
    [InlineData("Console.WriteLine(1); Task.Run(F);", "src/Server/A.cs")]
    public void BannedCalls_Elsewhere_NotFound(string statement, string path) =>
        Assert.Empty(CodeRules.BannedCalls(Sample(statement + "\n", path)));

    [Theory]
    [InlineData("await Task.Delay(50);")]
    [InlineData("await Task .Delay(50); //")]
    [InlineData("Task.WhenAny(a, Task.Delay(5));")]
    [InlineData("SpinWait.SpinUntil(() => a, 5);")]
    [InlineData("Thread.SpinWait(10);")]
    [InlineData("// the reason stands above\nvar wait = default(SpinWait);")]
    public void Waits_OfTestsWithoutReason_Found(string statement) =>
        Assert.Single(CodeRules.WaitsWithoutReason(Sample(statement + "\n", "test/Storage.Tests/A.cs")));

    [Theory]
    [InlineData("await Task.Delay(50); // the pace of a slow client", "test/Storage.Tests/A.cs")]
    [InlineData("SpinWait.SpinUntil( /* no signal */ () => a);", "test/Storage.Tests/A.cs")]
    [InlineData("// Task.Delay needs a reason.", "test/Storage.Tests/A.cs")]
    [InlineData("await Task.Delay(50);", "src/Storage/A.cs")]
    public void Waits_WithReasonOrOfTheProduct_NotFound(string statement, string path) =>
        Assert.Empty(CodeRules.WaitsWithoutReason(Sample(statement + "\n", path)));

    [Fact]
    public void NativeCalls_OutsidePal_Found()
    {
        const string import = "[LibraryImport(\"c\")] static partial int f();\n";
        Assert.Single(CodeRules.NativeCalls(Sample(import)));
        Assert.Empty(CodeRules.NativeCalls(Sample(import, "src/Pal/Native/A.cs")));
    }

    [Fact]
    public void UnsafeCode_OutsideListedFolders_Found()
    {
        IReadOnlyCollection<string> folders = CodeRules.UnsafeFolders(
            "- `unsafe` only in Pal, Storage/Trees.\n- next\n");
        Assert.Equal(["Pal", "Storage/Trees"], folders);
        Assert.Equal(["Pal", "Storage/Trees", "Storage/Journal"],
            CodeRules.UnsafeFolders("- `unsafe` only in Pal, Storage/Trees,\n  Storage/Journal.\n- next\n"));
        Assert.Single(CodeRules.UnsafeCode(Sample("unsafe class A { }\n", "src/Server/A.cs"), folders));
        Assert.Single(CodeRules.UnsafeCode(Sample("unsafe class A { }\n", "src/Storage/A.cs"), folders));
        Assert.Empty(CodeRules.UnsafeCode(Sample("unsafe class A { }\n"), folders));
    }

    [Theory]
    [InlineData("public class Other { }\n")]
    [InlineData("public readonly record struct PageNumber(long Value);\n")]
    [InlineData("[Flags]\npublic enum Other : byte { X }\n")]
    [InlineData("public delegate void Other(int a);\n")]
    public void OneLargeTypePerFile_Misnamed_Found(string text) =>
        Assert.Single(TypeRules.OneLargeTypePerFile(Sample(text)));

    [Theory]
    [InlineData("public class Sample { public enum Nested { X } }\ninternal class B { }\n")]
    [InlineData("public class Sample<T> { }\npublic class Sample { }\n")]
    [InlineData("namespace N;\npublic partial struct Sample { }\n")]
    public void OneLargeTypePerFile_OwnName_NotFound(string text)
    {
        Assert.Empty(TypeRules.OneLargeTypePerFile(Sample(text)));
        Assert.Empty(TypeRules.OneLargeTypePerFile(Sample(text, "src/Storage/Trees/Sample.TestHooks.cs")));
    }

    [Fact]
    public void OneLargeTypePerFile_Several_MustBeSmall()
    {
        const string text = "public enum A { X }\npublic enum B { X }\n";
        Assert.Empty(TypeRules.OneLargeTypePerFile(Sample(text + Repeat("// x", TypeRules.SharedFileLinesMax - 2))));
        Assert.Single(TypeRules.OneLargeTypePerFile(Sample(text + Repeat("// x", TypeRules.SharedFileLinesMax - 1))));
    }

    [Theory]
    [InlineData("JournalManager")]
    [InlineData("PageHelper")]
    [InlineData("ByteUtils")]
    [InlineData("Pager2")]
    [InlineData("TreeInfo")]
    public void BannedNames_Suffix_Found(string name) =>
        Assert.Single(TypeRules.BannedNames(Sample($"internal sealed class {name} {{ }}\n")));

    [Fact]
    public void Undocumented_PublicTypeOfStorage_Found()
    {
        Assert.Single(TypeRules.Undocumented(Sample("// Not a summary.\npublic class Sample { }\n")));
        Assert.Empty(TypeRules.Undocumented(Sample(
            "/// <summary>A claim.</summary>\n[Flags]\npublic enum Sample { }\n")));
    }

    [Fact]
    public void NamespaceOfFolder_Other_Found()
    {
        Assert.Single(TypeRules.NamespaceOfFolder(Sample("namespace Jackdaw.Storage;\n")));
        Assert.Empty(TypeRules.NamespaceOfFolder(Sample("namespace Jackdaw.Storage.Trees;\n")));
    }

    [Theory]
    [InlineData("Jackdaw.Pal", "Jackdaw.Storage")]
    [InlineData("Jackdaw.Storage", "jackdaw")]
    [InlineData("Jackdaw.Storage", "System.Text.Json")]
    [InlineData("Jackdaw.Storage", "Microsoft.AspNetCore.Http")]
    [InlineData("Jackdaw.Client", "Jackdaw.Storage")]
    public void References_UpwardsOrForeign_Found(string assembly, string referenced) =>
        Assert.Single(LayerRules.References(assembly, ["System.Runtime", referenced]));

    [Fact]
    public void LuceneNames_OutsideItsProjects_Found()
    {
        const string named = "using Lucene.Net.Index;\n";
        Assert.Single(LayerRules.LuceneNames(Sample(named, "src/Server/A.cs")));
        Assert.Single(LayerRules.LuceneNames(Sample("string a = \"Lucene.Net.Util\";\n", "src/Search/A.cs")));
        Assert.Single(LayerRules.LuceneNames(Sample(named, "test/Search.Tests/A.cs")));
        Assert.Empty(LayerRules.LuceneNames(Sample("string a = \"using Lucene.Net.Util\";\n", "test/Server.Tests/A.cs")));
        Assert.Empty(LayerRules.LuceneNames(Sample("using Jackdaw.Search.Lucene;\n", "src/Server/A.cs")));
        Assert.Empty(LayerRules.LuceneNames(Sample(named, "src/Search.Lucene/Files/A.cs")));
    }

    [Fact]
    public void References_OfFiles_AreRead()
    {
        Assert.Contains("xunit.core", LayerRules.ReferencesOf(typeof(HouseRuleTests).Assembly.Location));
        SourceFile project = Sample(
            "<ProjectReference Include=\"../Storage/Storage.csproj\" />\n<ProjectReference Include=\"..\\Server\\Server.csproj\" />\n");
        Assert.Equal(["Jackdaw.Storage", "jackdaw"], LayerRules.ProjectReferencesOf(project));
    }

    [Theory]
    [InlineData("using Jackdaw.A.B;\nnamespace Jackdaw.A.C;\nclass C { }\n", "namespace Jackdaw.A.B;\nclass B { C.C c; }\n")]
    [InlineData("using Jackdaw.A.B;\nnamespace Jackdaw.A;\nclass Up { }\n", "namespace Jackdaw.A.B;\nclass B { Up u; }\n")]
    [InlineData("using static Jackdaw.A.B.B;\nnamespace Jackdaw.A.C;\nclass C { }\n", "using X = Jackdaw.A.C;\nnamespace Jackdaw.A.B;\nclass B { }\n")]
    public void Circles_OfNamespaces_Found(string one, string other)
    {
        bool isStatic = one.Contains("static", StringComparison.Ordinal);
        SourceFile[] sources = [Sample(isStatic ? one.Replace("static Jackdaw.A.B.B", "Jackdaw.A.B", StringComparison.Ordinal) : one), Sample(other)];
        Assert.Single(NamespaceRules.Circles(sources));
        Assert.Empty(NamespaceRules.Circles([sources[0]]));
        Assert.Empty(NamespaceRules.Circles([sources[1], Sample("namespace Jackdaw.A.C;\nclass C { }\n")]));
    }

    [Fact]
    public void Circles_OverThree_NameAllOfThem() => Assert.Equal(["Jackdaw.A", "Jackdaw.B", "Jackdaw.C"], Assert.Single(NamespaceRules.Circles(
    [
        Sample("using Jackdaw.B;\nnamespace Jackdaw.A;\nclass A { }\n"),
        Sample("using Jackdaw.C;\nnamespace Jackdaw.B;\nclass B { }\n"),
        Sample("using Jackdaw.A;\nnamespace Jackdaw.C;\nclass C { }\n"),
    ])));

    [Fact]
    public void LargeFolders_OverTheLimit_Found()
    {
        SourceFile[] files = [.. Enumerable.Range(0, NamespaceRules.FilesPerFolderMax + 1).Select(i => Sample("", $"src/Pal/F{i}.cs"))];
        Assert.Single(NamespaceRules.LargeFolders(files));
        Assert.Empty(NamespaceRules.LargeFolders(files[1..]));
    }

    [Fact]
    public void NamesOfTwoThings_InTwoNamespaces_Found()
    {
        SourceFile one = Sample("namespace Jackdaw.A;\nclass Same { class Inner { } }\n");
        Assert.Single(NamespaceRules.NamesOfTwoThings([one, Sample("namespace Jackdaw.B;\nclass Same { }\n")]));
        Assert.Empty(NamespaceRules.NamesOfTwoThings([one, Sample("namespace Jackdaw.B;\nclass Inner { }\n")]));
    }

    [Fact]
    public void Assertions_InCodeOfTheFolder_AreCounted()
    {
        SourceFile[] files =
        [
            Sample("Debug.Assert(a);\nInvariant.Check(b, \"Debug.Assert(\");\n// Debug.Assert(c);\nDebug.Fail(\"d\");\n", "src/Storage/A.cs"),
            Sample("Debug.Assert(a);\n", "src/Server/A.cs"),
        ];
        Assert.Equal(750, AssertionRules.PerThousandLines(files, "src/Storage"));
        Assert.Equal(0, AssertionRules.PerThousandLines([], "src/Storage"));
    }

    [Fact]
    public void Ratchet_NewGrownOrFixed_Fails()
    {
        var finding = new Finding("a.cs", 0, "long", 1200);
        Assert.Single(Ratchet.Compare([finding], new Dictionary<string, int>()));
        Assert.Single(Ratchet.Compare([finding], new Dictionary<string, int> { ["a.cs"] = 1100 }));
        Assert.Single(Ratchet.Compare([], new Dictionary<string, int> { ["a.cs"] = 1100 }));
        Assert.Single(Ratchet.Compare([finding], new Dictionary<string, int> { ["a.cs"] = 1300 }));
        Assert.Empty(Ratchet.Compare([finding], new Dictionary<string, int> { ["a.cs"] = 1200 }));
    }

    [Theory]
    [InlineData("is no", "// A file that is no\n    // journal.\n")]
    [InlineData("is none", "/// <summary>An answer that is none.</summary>\n")]
    [InlineData("of now", "string a = \"the page of now\";\n")]
    [InlineData("so many", "// Once for so many rows.\n")]
    [InlineData("the while", "// Whether the while is over.\n")]
    [InlineData("is told", "// The index is told.\n")]
    [InlineData("behind it", "// What comes behind it.\n")]
    [InlineData("whatever", "// Whatever comes.\n")]
    [InlineData("meanwhile", "// It is written meanwhile.\n")]
    [InlineData("of which", "// A file of which another one exists.\n")]
    [InlineData("who asks", "// It is the same; who asks checks it.\n")]
    [InlineData("as above", "/// <summary>As above, of a text.</summary>\n")]
    public void Idioms_InWhatIsRead_MayOnlyBecomeFewer(string name, string text)
    {
        SourceFile[] files = [Sample(text), Sample(text, "docs/decisions/0001-a.md"), Sample(text, "test/Pal.Tests/A.cs")];
        string found = Assert.Single(IdiomRules.Compare(files, new Dictionary<string, int>()));
        Assert.Contains("It is in:\n  src/Storage/Trees/Sample.cs:1: ", found, StringComparison.Ordinal);
        Assert.Empty(IdiomRules.Compare(files, new Dictionary<string, int> { [name] = 1 }));
        string fewer = Assert.Single(IdiomRules.Compare(files, new Dictionary<string, int> { [name] = 2 }));
        Assert.EndsWith("lower it to 1", fewer, StringComparison.Ordinal);
    }

    [Fact]
    public void Idioms_PlainEnglish_NotFound() =>
        Assert.Empty(IdiomRules.Compare(
            [Sample("// There is no file, it is no longer there, and there is none. The client, which asks, is the one who asks.\n")],
            new Dictionary<string, int>()));

    [Theory]
    [InlineData("A  a\n B  b\n (root)  c\n")]
    [InlineData("A  a\n B | (root)  b | c\n", "B uses (root), which is not on a lower line.")]
    [InlineData("B  b\n A  a\n (root)  c\n", "A uses B, which is not on a lower line.")]
    [InlineData("A  a\n (root)  c\n", "B is not drawn.")]
    [InlineData("A  a\n B  b\n (root)  c\n D  d\n", "D is drawn and does not exist.")]
    [InlineData("A  a\n B  b\n (root) | A  c | a\n", "A is drawn twice.")]
    [InlineData("A  ?\n B  b\n (root)  c\n", "A has no description: a line needs one for each of its names.")]
    public void Drawing_OfLayers_IsComparedWithTheSources(string drawing, params string[] problems)
    {
        SourceFile[] sources =
        [
            Sample("using Jackdaw.P.B;\nnamespace Jackdaw.P.A;\nclass A { }\n", "src/P/A/A.cs"),
            Sample("namespace Jackdaw.P.B;\nclass B { C c; }\n", "src/P/B/B.cs"),
            Sample("namespace Jackdaw.P;\nclass C { }\n", "src/P/C.cs"), Sample("namespace Jackdaw.Q;\nclass D { }\n", "src/Q/D.cs"),
        ];
        string[] found = [.. LayerDrawing.Compare(LayerDrawing.Read("In src/P:\n\n```\n " + drawing + "```\n"), sources)];
        Assert.Equal(problems.Select(problem => "src/P: " + problem), found.Take(problems.Length));
        Assert.Equal(problems.Length > 0, found.Length > problems.Length && found[^1].StartsWith("A right drawing of src/P:", StringComparison.Ordinal));
        if (problems.Length > 0)
        {
            string right = found[^1].Replace("A right drawing of src/P:", "In src/P:\n", StringComparison.Ordinal);
            Assert.DoesNotContain(LayerDrawing.Compare(LayerDrawing.Read(right), sources),
                problem => problem.Contains("drawn", StringComparison.Ordinal) || problem.Contains("lower", StringComparison.Ordinal));
        }

        Assert.Contains("There is no project src/R.", LayerDrawing.Compare(LayerDrawing.Read("In src/R:\n\n```\n A  a\n```\n"), sources));
        Assert.Contains("src/P: A is not drawn.", LayerDrawing.Compare([], sources));
    }
}
