using System.Reflection;
using System.Runtime.InteropServices;
using Jackdaw.Client.Tests.Analyzers;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Jackdaw.Client.Tests.Documentation;

/// <summary>A block of a page as a program: with the usings and classes of the page's first block, the page's setup, and names for a store and a
/// session.</summary>
internal sealed class ExampleCode
{
    private const string Namespace = "Jackdaw.Examples";

    private const string ImplicitUsings = """
        global using System; global using System.Collections.Generic; global using System.IO; global using System.Linq;
        global using System.Net.Http; global using System.Threading; global using System.Threading.Tasks;
        """;

    /// <summary>Usings that a block does not need, lambdas of <c>// => throws</c> that await nothing, usings of the page and of the block.</summary>
    private static readonly string[] s_quiet = ["CS8019", "CS1998", "CS0105"];

    private static readonly MetadataReference[] s_references =
    [
        .. AnalyzedCode.References, MetadataReference.CreateFromFile(typeof(ExampleRun).Assembly.Location),
    ];

    private readonly List<string> _usings = [];
    private readonly List<string> _types = [];
    private readonly Dictionary<int, string> _expected = [];
    private readonly CodeBlock _block;

    /// <exception cref="FormatException">A comment states a value of nothing.</exception>
    public ExampleCode(CodeBlock block, IReadOnlyList<CodeBlock> page)
    {
        _block = block;
        CodeBlock? setup = page.FirstOrDefault(other => other.Mark == CodeBlock.Setup);
        if (page[0] != block)
        {
            Add(page[0]);
        }

        string before = setup is null || setup == block ? "" : Add(setup);
        _expected.Clear();
        string statements = Add(block);
        Source = $$"""
            {{string.Concat(_usings)}}
            namespace {{Namespace}};
            {{string.Concat(_types)}}
            {{Class("Setup", before)}}
            {{Class("Example", statements)}}
            """;
    }

    /// <summary>What lines of the block state, by their numbers in the page.</summary>
    public IReadOnlyDictionary<int, string> Expected => _expected;

    public string Source { get; }

    /// <summary>Compiles it.</summary>
    /// <returns>What runs the setup, and what runs the block.</returns>
    public (Func<ExampleRun, Task> Setup, Func<ExampleRun, Task> Example) Compile()
    {
        var options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable);
        Compilation compilation = CSharpCompilation.Create(
            $"Example-{Path.GetFileNameWithoutExtension(_block.Page)}-{_block.Line}",
            [CSharpSyntaxTree.ParseText(Source, path: _block.Page), CSharpSyntaxTree.ParseText(ImplicitUsings)],
            s_references,
            options);
        if (Source.Contains("JsonSerializerContext", StringComparison.Ordinal))
        {
            CSharpGeneratorDriver.Create(JsonGenerator()).RunGeneratorsAndUpdateCompilation(compilation, out compilation, out _);
        }

        string[] problems =
        [
            .. compilation.GetDiagnostics().Where(one => one.Severity >= DiagnosticSeverity.Warning && !s_quiet.Contains(one.Id)).Select(one =>
                $"{PlaceOf(one.Location.GetMappedLineSpan())}: {one.Id}: {one.GetMessage(null)}"),
        ];
        Assert.True(problems.Length == 0, string.Join(Environment.NewLine, problems));
        using var image = new MemoryStream();
        Assert.True(compilation.Emit(image).Success);
        Assembly assembly = Assembly.Load(image.ToArray());
        return (MethodOf(assembly, "Setup"), MethodOf(assembly, "Example"));
    }

    // What the SDK runs for each program: it fills contexts of System.Text.Json.
    private static ISourceGenerator JsonGenerator()
    {
        string runtime = RuntimeEnvironment.GetRuntimeDirectory(); // dotnet/shared/Microsoft.NETCore.App/10.0.0/
        string packs = Path.GetFullPath(Path.Combine(runtime, "..", "..", "..", "packs", "Microsoft.NETCore.App.Ref"));
        string file = Directory.GetFiles(packs, "System.Text.Json.SourceGeneration.dll", SearchOption.AllDirectories).Order(StringComparer.Ordinal).Last();
        Type type = Assembly.LoadFrom(file).GetType("System.Text.Json.SourceGeneration.JsonSourceGenerator", throwOnError: true)!;
        return ((IIncrementalGenerator)Activator.CreateInstance(type)!).AsSourceGenerator();
    }

    private static string PlaceOf(FileLinePositionSpan place) => $"{place.Path}:{place.StartLinePosition.Line + 1}";

    private static Func<ExampleRun, Task> MethodOf(Assembly assembly, string type) => run =>
    {
        object made = Activator.CreateInstance(assembly.GetType($"{Namespace}.{type}_", throwOnError: true)!, run)!;
        return made.GetType().GetMethod("RunAsync")!.CreateDelegate<Func<Task>>(made)();
    };

    // The two names are members, so that an example may have variables of the same names.
    private static string Class(string name, string statements) => $$"""
        public sealed class {{name}}_(Jackdaw.Client.Tests.Documentation.ExampleRun run_)
        {
            public readonly Jackdaw.Client.DocumentStore store = run_.Store;
            public readonly Jackdaw.Client.Sessions.IAsyncDocumentSession session = run_.Session;
            public readonly string[] args = [];

            public async Task RunAsync()
            {
        {{statements}}
        #line default
                await Task.CompletedTask;
            }
        }
        """;

    /// <summary>Adds the usings and types of a block.</summary>
    /// <returns>Its statements.</returns>
    private string Add(CodeBlock block)
    {
        SyntaxTree tree = CSharpSyntaxTree.ParseText(block.Text);
        CompilationUnitSyntax root = tree.GetCompilationUnitRoot();
        StatedValues values = StatedValues.Of(block, tree);
        string Part(SyntaxNode node)
        {
            int line = block.Line + tree.GetLineSpan(node.FullSpan).StartLinePosition.Line;
            return $"\n#line {line} \"{block.Page}\"\n{values.Rewrite(node.FullSpan.Start, node.FullSpan.End)}";
        }

        _usings.AddRange(root.Usings.Select(Part));
        _types.AddRange(root.Members.Where(member => member is not GlobalStatementSyntax).Select(Part));
        foreach ((int line, string stated) in values.Expected)
        {
            _expected[line] = stated;
        }

        return string.Concat(root.Members.OfType<GlobalStatementSyntax>().Select(Part));
    }
}
