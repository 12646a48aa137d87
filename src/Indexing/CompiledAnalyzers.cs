using Jackdaw.Documents.Database;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Records;
using Jackdaw.Search.Analysis;

namespace Jackdaw.Indexing;

/// <summary>The analyzers that users wrote for one database, compiled when an index first needs them. Any thread.</summary>
internal sealed class CompiledAnalyzers(DocumentDatabase database) : IDisposable
{
    private readonly Lock _lock = new(); // guards the compiled analyzers, so that each is compiled once; no other lock is taken inside
    private readonly Dictionary<string, CompiledAnalyzer> _compiled = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>The analyzer with a name, in any casing; null if there is none.</summary>
    /// <exception cref="IndexDefinitionException">Its code cannot be compiled any more.</exception>
    public TextAnalyzer? Find(string name)
    {
        AnalyzerCode? code;
        using (DocumentReadScope read = database.BeginRead())
        {
            code = AnalyzerTable.Find(read.Transaction, name);
        }

        if (code is null)
        {
            return null;
        }

        lock (_lock)
        {
            if (_compiled.TryGetValue(name, out CompiledAnalyzer? known) && known.Code == code)
            {
                return known.Analyzer;
            }

            try
            {
                // A thread of the workers, which has nothing else to do until the analyzer is compiled.
                CompiledAnalyzer compiled = CompiledAnalyzer.CompileAsync(code, CancellationToken.None).GetAwaiter().GetResult();
                known?.Dispose();
                _compiled[name] = compiled;
                return compiled.Analyzer;
            }
            catch (AnalyzerCompilationException fault)
            {
                throw new IndexDefinitionException(fault.Message);
            }
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            foreach (CompiledAnalyzer analyzer in _compiled.Values)
            {
                analyzer.Dispose();
            }

            _compiled.Clear();
        }
    }
}
