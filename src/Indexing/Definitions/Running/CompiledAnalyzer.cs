using System.Reflection;
using System.Runtime.Loader;
using Jackdaw.Indexing.Definitions.Compilation;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Search.Analysis;

namespace Jackdaw.Indexing.Definitions.Running;

/// <summary>An analyzer of a user, compiled and loaded. Any thread. Its code is unloaded when nobody uses it after <see cref="Dispose"/>.</summary>
internal sealed class CompiledAnalyzer : IDisposable
{
    private readonly AssemblyLoadContext _context;

    private CompiledAnalyzer(AnalyzerCode code, TextAnalyzer analyzer, AssemblyLoadContext context)
    {
        Code = code;
        Analyzer = analyzer;
        _context = context;
    }

    public AnalyzerCode Code { get; }

    public TextAnalyzer Analyzer { get; }

    /// <summary>Compiles an analyzer and tries it with a usual text.</summary>
    /// <exception cref="AnalyzerCompilationException">It cannot be compiled, uses something that is not allowed, or fails for a usual text.</exception>
    public static async Task<CompiledAnalyzer> CompileAsync(AnalyzerCode code, CancellationToken cancellation)
    {
        var texts = new IndexDefinition
        {
            Name = code.Name,
            Maps = [],
            Type = IndexType.Map,
            SourceType = IndexSourceType.Documents,
            AdditionalSources = new Dictionary<string, string> { [code.Name] = code.Code },
        };
        CompiledTexts compiled;
        try
        {
            compiled = await DefinitionCompiler.CompileAsync(texts, CodeLibrary.Analyzers, cancellation).ConfigureAwait(false);
        }
        catch (IndexCompilationException fault)
        {
            throw new AnalyzerCompilationException(InWordsOfAnalyzers(fault.Message), fault);
        }

        var context = new AssemblyLoadContext("analyzer " + code.Name, isCollectible: true);
        try
        {
            Type type = FindType(code, context.LoadFromStream(new MemoryStream(compiled.Assembly)));
            return new CompiledAnalyzer(code, CustomAnalyzer.Make(code.Name, type, new Guard(code.Name)), context);
        }
        catch (Exception fault) when (fault is not AnalyzerCompilationException)
        {
            context.Unload();
            Exception shown = fault is TargetInvocationException { InnerException: { } inner } ? inner : fault;
            throw new AnalyzerCompilationException($"Analyzer '{code.Name}' was compiled, and cannot be used: {shown.Message}", shown);
        }
        catch
        {
            context.Unload();
            throw;
        }
    }

    public void Dispose() => _context.Unload();

    private static Type FindType(AnalyzerCode code, Assembly assembly)
    {
        Type? type = assembly.GetTypes().FirstOrDefault(type => type.Name == code.Name);
        return type is not null && CustomAnalyzer.IsAnalyzer(type) ? type : throw new AnalyzerCompilationException(
            $"The code of analyzer '{code.Name}' has no class '{code.Name}' that derives from {CustomAnalyzer.BaseClass}: name it so.");
    }

    private static string InWordsOfAnalyzers(string message) => message
        .Replace("Failed to compile index", "Failed to compile analyzer", StringComparison.Ordinal)
        .Replace("in an index definition", "in an analyzer", StringComparison.Ordinal)
        .Replace("An index definition must", "An analyzer must", StringComparison.Ordinal)
        .Replace("index definitions can use", "analyzers can use", StringComparison.Ordinal);

    /// <summary>Each text has its own budget. Afterwards its document continues with the rest of the document's budget.</summary>
    private sealed class Guard(string name) : AnalysisGuard
    {
        /// <summary>The size of text for which a budget is made, because the real size is not known before the text is read. Bytes: more than usual
    /// texts have.</summary>
        private const int TextBytes = 4 << 20;

        [ThreadStatic]
        private static SavedBudget? s_outer;

        public override void Begin()
        {
            s_outer = ExecutionBudget.Save();
            ExecutionBudget.Start(TextBytes);
        }

        public override void Step() => ExecutionBudget.Statement();

        public override void End()
        {
            if (s_outer is { } outer)
            {
                ExecutionBudget.Restore(outer);
                s_outer = null;
            }
        }

        public override Exception Failed(Exception fault) => fault as MapFailedException
            ?? new MapFailedException(new InvalidOperationException($"The analyzer '{name}' failed: {fault.Message}", fault));
    }
}
