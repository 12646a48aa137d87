using Jackdaw.Documents.Database;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Records;
using Jackdaw.Search.Analysis;

namespace Jackdaw.Indexing;

/// <summary>The analyzers that users wrote for one database or for the server. Any thread.</summary>
internal sealed class CompiledAnalyzers(DocumentDatabase database) : IDisposable
{
    private readonly CompiledCodes<CompiledAnalyzer> _codes = new(database, CodeTable.Analyzers, CompiledAnalyzer.CompileAsync);

    /// <summary>The analyzer with a name, in any casing; null if there is none.</summary>
    /// <exception cref="IndexDefinitionException">Its code cannot be compiled any more.</exception>
    public TextAnalyzer? Find(string name)
    {
        try
        {
            return _codes.Find(name)?.Analyzer;
        }
        catch (AnalyzerCompilationException fault)
        {
            throw new IndexDefinitionException(fault.Message);
        }
    }

    public void Dispose() => _codes.Dispose();
}
