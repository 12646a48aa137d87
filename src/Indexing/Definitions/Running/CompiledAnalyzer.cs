using System.Runtime.Loader;
using Jackdaw.Indexing.Definitions.Compilation;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Search.Analysis;

namespace Jackdaw.Indexing.Definitions.Running;

/// <summary>An analyzer of a user, compiled and loaded. Any thread. Its code is unloaded when nobody uses it after <see cref="Dispose"/>.</summary>
internal sealed class CompiledAnalyzer : ICompiledCode
{
    private readonly AssemblyLoadContext _context;

    private CompiledAnalyzer(UserCode code, TextAnalyzer analyzer, AssemblyLoadContext context)
    {
        Code = code;
        Analyzer = analyzer;
        _context = context;
    }

    public UserCode Code { get; }

    public TextAnalyzer Analyzer { get; }

    /// <summary>Compiles an analyzer and tries it with a usual text.</summary>
    /// <exception cref="AnalyzerCompilationException">It cannot be compiled, uses something that is not allowed, or fails for a usual text.</exception>
    public static Task<CompiledAnalyzer> CompileAsync(UserCode code, CancellationToken cancellation) => LoadedCode.CompileAsync(
        code, CodeLibrary.Analyzers, "analyzer", $"derives from {CustomAnalyzer.BaseClass}", CustomAnalyzer.IsAnalyzer,
        loaded => new CompiledAnalyzer(code, CustomAnalyzer.Make(code.Name, loaded.Type, new Guard(code.Name), code.Code), loaded.Context),
        (message, inner) => new AnalyzerCompilationException(CustomAnalyzer.AddAdvice(code.Code, message), inner), cancellation);

    public void Dispose() => _context.Unload();

    /// <summary>Each text has its own budget. Afterwards its document continues with the rest of the document's budget.</summary>
    private sealed class Guard(string name) : AnalysisGuard
    {
        /// <summary>The size of text for which a budget is made, because the real size is not known before the text is read. Bytes: more than
        /// usual texts have.</summary>
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
