using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Indexing.Records;
using Jackdaw.Search.Analysis;

namespace Jackdaw.Indexing.Catalog;

/// <summary>Analyzers that users write.</summary>
internal sealed partial class DatabaseIndexes
{
    /// <summary>Analyzers of one database: each that is used takes an assembly.</summary>
    public const int AnalyzersMax = 200;

    public DatabaseAnalyzers Analyzers => _host.Analyzers;

    /// <summary>Stores analyzers, or replaces those with their names; indexes that use a changed one are built again.</summary>
    /// <exception cref="AnalyzerCompilationException">One cannot be compiled; nothing was changed.</exception>
    /// <exception cref="IndexException">A name cannot be used, or there are too many; nothing was changed.</exception>
    public async Task PutAnalyzersAsync(IReadOnlyList<AnalyzerCode> analyzers, CancellationToken cancellationToken)
    {
        foreach (AnalyzerCode code in analyzers)
        {
            if (code.Name.Length is 0 or > NameLengthMax || TextAnalyzers.TryGet(code.Name, out _))
            {
                throw new IndexException(IndexFault.InvalidDefinition, code.Name.Length == 0
                    ? "An analyzer has no name: give that of its class in 'Name'."
                    : $"An analyzer cannot have the name '{code.Name[..Math.Min(code.Name.Length, 60)]}': the server has one of that name, or it is too long.");
            }

            (await CompiledAnalyzer.CompileAsync(code, cancellationToken).ConfigureAwait(false)).Dispose();
        }

        string[] changed;
        await EnterAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            IReadOnlyList<AnalyzerCode> old = Analyzers.List();
            if (old.Concat(analyzers).DistinctBy(code => code.Name.ToLowerInvariant()).Count() > AnalyzersMax)
            {
                throw new IndexException(IndexFault.TooMany, $"The database would have more than {AnalyzersMax} analyzers; delete some that are not used.");
            }

            changed = [.. analyzers.Where(code => old.Any(other =>
                other.Name.Equals(code.Name, StringComparison.OrdinalIgnoreCase) && other.Code != code.Code)).Select(code => code.Name)];
            await WriteAnalyzersAsync(new WriteAnalyzersCommand([], analyzers)).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }

        foreach (string index in changed.SelectMany(UsersOf).Distinct().ToArray())
        {
            await ResetAsync(index, isSideBySide: false, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Deletes an analyzer. False: there is none of that name.</summary>
    /// <exception cref="IndexException">An index uses it.</exception>
    public async Task<bool> DeleteAnalyzerAsync(string name, CancellationToken cancellationToken)
    {
        await EnterAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (UsersOf(name).FirstOrDefault() is { } index)
            {
                throw new IndexException(IndexFault.NotNow,
                    $"Index '{index}' uses the analyzer '{name}'; put a definition without it first, or delete the index.");
            }

            bool isThere = Analyzers.List().Any(code => code.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
            if (isThere)
            {
                await WriteAnalyzersAsync(new WriteAnalyzersCommand([name], [])).ConfigureAwait(false);
            }

            return isThere;
        }
        finally
        {
            _gate.Release();
        }
    }

    private IEnumerable<string> UsersOf(string analyzer) => _indexes.Values.Where(index => !index.Record.IsAuto).Where(index =>
    {
        IndexDefinition definition = IndexDefinitions.Read(index.Record);
        return FieldSettings.Uses(definition, _host.Settings.Over(definition.Configuration, out _), analyzer);
    }).Select(index => index.Name);

    private async Task WriteAnalyzersAsync(WriteAnalyzersCommand command)
    {
        WriteOutcome outcome = await _host.Database.WriteAsync(new WriteBatch { Commands = new DocumentCommand[] { command } }, CancellationToken.None)
            .ConfigureAwait(false);
        if (outcome.Status != WriteStatus.Applied)
        {
            throw new IndexException(IndexFault.Unavailable,
                $"The analyzers could not be stored ({outcome.Status}), and nothing was changed; try again in a moment.");
        }
    }
}
