using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Indexing.Records;
using Jackdaw.Search.Analysis;

namespace Jackdaw.Indexing.Catalog;

/// <summary>The analyzers that users wrote for one database: lists, stores and deletes them. Any thread.</summary>
/// <remarks>The records in the storage of the documents are the only state. They are written by changes of the index catalog, so that it is
/// certain which indexes use an analyzer.</remarks>
internal sealed class AnalyzerCatalog(IndexHost host, IndexCatalog catalog)
{
    private readonly StoredCode _stored = new(host, CodeTable.Analyzers);

    /// <summary>All analyzers, ordered by name.</summary>
    public IReadOnlyList<UserCode> List() => _stored.List();

    /// <summary>Stores analyzers, or replaces those with the same names. Indexes that use a changed analyzer are built again, also when it hides that of the
    /// server from now on, or when it was missing.</summary>
    /// <exception cref="AnalyzerCompilationException">An analyzer cannot be compiled; nothing was changed.</exception>
    /// <exception cref="IndexException">A name cannot be used, or there are too many analyzers; nothing was changed.</exception>
    public async Task PutAsync(IReadOnlyList<UserCode> analyzers, CancellationToken cancellationToken)
    {
        await CheckAsync(analyzers, cancellationToken).ConfigureAwait(false);
        string[] changed;
        using (await catalog.BeginChangeAsync(cancellationToken).ConfigureAwait(false))
        {
            changed = CodeTable.ListChanged(name => CodeTable.Analyzers.Find(host.Database, name), analyzers);
            await _stored.WriteAsync(analyzers).ConfigureAwait(false);
        }

        await ResetUsersAsync(changed, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>The names of all analyzers that definitions can use beside those of the program: those of the database and of the server.</summary>
    public string[] ListNames() => [.. CodeTable.Analyzers.ListNames(host.Database)];

    /// <summary>Whether the analyzers can be used, in any database.</summary>
    /// <exception cref="AnalyzerCompilationException">One of them cannot be compiled.</exception>
    /// <exception cref="IndexException">A name cannot be used.</exception>
    public static async Task CheckAsync(IReadOnlyList<UserCode> analyzers, CancellationToken cancellationToken)
    {
        foreach (UserCode code in analyzers)
        {
            CheckName(code.Name);
            (await CompiledAnalyzer.CompileAsync(code, cancellationToken).ConfigureAwait(false)).Dispose();
        }
    }

    /// <summary>Builds the indexes again that use one of the analyzers, because their code has changed.</summary>
    public async Task ResetUsersAsync(IEnumerable<string> analyzers, CancellationToken cancellationToken)
    {
        foreach (string index in analyzers.SelectMany(UsersOf).Distinct().ToArray())
        {
            await catalog.ResetAsync(index, isSideBySide: false, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Whether the database has an analyzer of its own with a name, which hides that of the server.</summary>
    public bool HasOwn(string name) => _stored.Has(name);

    /// <summary>Deletes an analyzer. Returns false if there is no analyzer with this name.</summary>
    /// <exception cref="IndexException">An index uses it.</exception>
    public async Task<bool> DeleteAsync(string name, CancellationToken cancellationToken)
    {
        using CatalogChange change = await catalog.BeginChangeAsync(cancellationToken).ConfigureAwait(false);
        if (UsersOf(name).FirstOrDefault() is { } index)
        {
            throw new IndexException(IndexFault.NotNow,
                $"Index '{index}' uses the analyzer '{name}'; put a definition without it first, or delete the index.");
        }

        return await _stored.DeleteAsync(name).ConfigureAwait(false);
    }

    private static void CheckName(string name)
    {
        if (name.Length is 0 or > IndexCatalog.NameLengthMax || TextAnalyzers.TryGet(name, out _))
        {
            throw new IndexException(IndexFault.InvalidDefinition, name.Length == 0
                ? "An analyzer has no name: give that of its class in 'Name'."
                : $"An analyzer cannot have the name '{name[..Math.Min(name.Length, 60)]}': the server has one of that name, or it is too long.");
        }
    }

    /// <summary>The names of the indexes that use an analyzer.</summary>
    public IEnumerable<string> UsersOf(string analyzer) => catalog.Current.Where(index => !index.Record.IsAuto).Where(index =>
    {
        IndexDefinition definition = IndexDefinitions.Read(index.Record);
        return FieldSettings.Uses(definition, host.Settings.Over(definition.Configuration, out _), analyzer);
    }).Select(index => index.Name);
}
