using System.Collections.Frozen;
using System.Collections.Immutable;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Indexing.Records;
using Jackdaw.Indexing.Running;
using Jackdaw.Indexing.Settings;
using Jackdaw.Indexing.Sources;

namespace Jackdaw.Indexing.Catalog;

/// <summary>Which indexes a database has: finds them, creates, changes, replaces and deletes them. Any thread.</summary>
/// <remarks>
/// 1. The records in the storage of the documents decide which indexes there are; open indexes and their folders follow.
/// 2. The gate lets one change run at a time. It guards the records together with the published set of open indexes, and what
///    <see cref="OutputOwners"/>, <see cref="IndexReactions"/> and <see cref="SourceFollower"/> say that it guards. It is the outermost lock:
///    nobody waits for it who holds another one.
/// 3. Finding an index takes no lock: the set is immutable, and a change publishes another one.
/// </remarks>
internal sealed class IndexCatalog
{
    /// <summary>Indexes of one database; each has a storage with its own files.</summary>
    public const int IndexesMax = 1000;

    /// <summary>Longest name. Characters.</summary>
    public const int NameLengthMax = 256;

    private readonly IndexHost _host;
    private readonly IIndexFactory _factory;
    private readonly OutputOwners _outputs;
    private readonly SemaphoreSlim _gate = new(1);
    private volatile FrozenDictionary<string, DatabaseIndex> _indexes = FrozenDictionary<string, DatabaseIndex>.Empty; // written under the gate
    private volatile bool _isPaused;

    public IndexCatalog(IndexHost host, IIndexFactory factory, OutputOwners outputs)
    {
        _host = host;
        _factory = factory;
        _outputs = outputs;
        _outputs.Cleaned += Changed.Raise;
    }

    /// <summary>Raised when clients are to be notified: what happened is durable and can be seen. Handlers are short; any thread.</summary>
    public event Action<IndexChange>? IndexChanged;

    /// <summary>Raised when an index has written a batch, was paused, or cannot go on. Handlers are short; any thread.</summary>
    public event Action<DatabaseIndex, IndexEvent>? Happened;

    /// <summary>Raised when an index was added, swapped, changed or removed, has written a batch, or has stopped.</summary>
    public ChangeSignal Changed { get; } = new();

    /// <summary>All indexes, ordered by name.</summary>
    public IEnumerable<DatabaseIndex> All => Current.OrderBy(index => index.Name, StringComparer.OrdinalIgnoreCase);

    /// <summary>All indexes, in no particular order.</summary>
    public ImmutableArray<DatabaseIndex> Current => _indexes.Values;

    public int Count => _indexes.Count;

    /// <summary>The settings of the database.</summary>
    public IndexingSettings Settings => _host.Settings;

    /// <summary>Whether all indexes are paused, including those that are added later.</summary>
    public bool IsPaused => _isPaused;

    /// <summary>Finds an index by its name, in any casing.</summary>
    public DatabaseIndex? Find(string name) => _indexes.GetValueOrDefault(name);

    /// <summary>The index with a name, in any casing.</summary>
    /// <exception cref="IndexException">There is none; the message suggests the most similar name.</exception>
    public DatabaseIndex Require(string name) => Find(name) ?? throw Missing(name);

    /// <summary>The refusal of a name that no index has; it suggests the most similar name.</summary>
    public IndexException Missing(string name) => new(
        IndexFault.Missing,
        name.Length <= NameLengthMax && NearestName.Find(name, _indexes.Keys) is { } nearest
            ? $"There is no index '{name}' in this database; the nearest name is '{nearest}'."
            : $"There is no index '{name}' in this database; GET /indexes?namesOnly=true lists those that there are.");

    /// <summary>Pauses all indexes, or lets them continue. This lasts until the database is opened again.</summary>
    public void Pause(bool isPaused)
    {
        _isPaused = isPaused;
        foreach (DatabaseIndex index in Current)
        {
            index.IsPaused = isPaused;
        }
    }

    /// <summary>Makes the indexes of the stored records; they are not started yet. Called once, before everything else.</summary>
    public void Open(IEnumerable<IndexRecord> records) => Publish(records.Select(Make));

    /// <summary>Waits for the running change, after which no other begins.</summary>
    public Task EndChangesAsync() => _gate.WaitAsync(CancellationToken.None);

    /// <summary>Closes all indexes, after the changes have ended.</summary>
    public Task CloseAsync() => Task.WhenAll(Current.Select(index => index.CloseAsync()));

    /// <summary>Begins a change when the changes before it have ended. The caller disposes it.</summary>
    /// <exception cref="IndexException">The database is being closed.</exception>
    public async Task<CatalogChange> BeginChangeAsync(CancellationToken cancellationToken)
    {
        if (_host.Closing.IsCancellationRequested)
        {
            throw Closing();
        }

        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _host.Closing);
        try
        {
            await _gate.WaitAsync(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_host.Closing.IsCancellationRequested)
        {
            throw Closing();
        }

        return new CatalogChange(this, _host, _factory, _outputs, _gate);
    }

    /// <summary>Checks a definition, so that its author learns at once what is wrong with it.</summary>
    /// <param name="analyzers">Names of the analyzers that users wrote.</param>
    /// <returns>What the definition reads.</returns>
    /// <exception cref="IndexDefinitionException">The definition cannot be used.</exception>
    public async Task<IndexSources> CheckAsync(IndexDefinition definition, IReadOnlyList<string> analyzers, CancellationToken cancellationToken)
    {
        using IndexMapping mapping = await _factory.CompileAsync(definition, analyzers, cancellationToken).ConfigureAwait(false);
        return mapping.Sources;
    }

    /// <inheritdoc cref="IIndexFactory.CompileAsync"/>
    public Task<IndexMapping> CompileAsync(IndexDefinition definition, IReadOnlyList<string> analyzers, CancellationToken cancellationToken) =>
        _factory.CompileAsync(definition, analyzers, cancellationToken);

    /// <summary>Creates an index, or replaces the definition of the index with its name.</summary>
    /// <param name="wanted">The definition. It was checked, so it compiles.</param>
    /// <param name="sources">What it reads.</param>
    /// <exception cref="IndexException">The index is locked, there are too many, or the name is too long.</exception>
    public async Task PutAsync(IndexDefinition wanted, IndexSources sources, CancellationToken cancellationToken)
    {
        if (wanted.Name.Length > NameLengthMax)
        {
            throw new IndexException(IndexFault.InvalidDefinition,
                $"The name '{wanted.Name[..40]}...' has {wanted.Name.Length} characters; names of indexes have at most {NameLengthMax}.");
        }

        using CatalogChange change = await BeginChangeAsync(cancellationToken).ConfigureAwait(false);
        await OutputOwners.CheckAsync(wanted, sources, Current, cancellationToken).ConfigureAwait(false);
        if (Find(wanted.Name) is { } existing)
        {
            var replacement = new DefinitionReplacement(change, existing, Find(IndexRecord.ReplacementPrefix + existing.Name));
            await replacement.PutAsync(wanted, _host.Time.GetUtcNow()).ConfigureAwait(false);
        }
        else
        {
            await change.AddAsync(IndexDefinitions.ToRecord(wanted, _host.Time.GetUtcNow())).ConfigureAwait(false);
        }
    }

    /// <summary>Whether putting a definition would change anything.</summary>
    public bool WouldChange(IndexDefinition wanted) => Find(wanted.Name) is not { } existing
        || IndexDefinitionComparison.Compare(
            IndexDefinitions.Read(existing.Record), wanted with { State = wanted.State ?? existing.Record.State }) != DefinitionChange.None;

    /// <summary>Deletes an index and its replacement. Returns false if there is no index with this name.</summary>
    public async Task<bool> DeleteAsync(string name, CancellationToken cancellationToken)
    {
        using CatalogChange change = await BeginChangeAsync(cancellationToken).ConfigureAwait(false);
        if (Find(name) is not { } index)
        {
            return false;
        }

        await change.RemoveAsync(Find(IndexRecord.ReplacementPrefix + index.Name)).ConfigureAwait(false);
        await change.RemoveAsync(index).ConfigureAwait(false);
        return true;
    }

    /// <summary>Changes settings of indexes and of their replacements, in one transaction. Only settings that need no rebuild.</summary>
    /// <exception cref="IndexException">One of the indexes does not exist; nothing was changed.</exception>
    public async Task ChangeAsync(IReadOnlyList<string> names, Func<IndexRecord, IndexRecord> change, CancellationToken cancellationToken)
    {
        using CatalogChange begun = await BeginChangeAsync(cancellationToken).ConfigureAwait(false);
        await begun.UpdateAsync([.. names.Select(Require).SelectMany(WithReplacement).Distinct()], change).ConfigureAwait(false);
    }

    /// <summary>Lets an index work again that was idle.</summary>
    public async Task WakeAsync(DatabaseIndex index, CancellationToken cancellationToken)
    {
        if (index.Record.State == IndexState.Idle)
        {
            await ChangeAsync([index.Name], record => record with { State = IndexState.Normal }, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Builds an index again from nothing.</summary>
    /// <param name="isSideBySide">The old entries answer until the new ones have caught up.</param>
    /// <exception cref="IndexException">The index does not exist.</exception>
    public async Task ResetAsync(string name, bool isSideBySide, CancellationToken cancellationToken)
    {
        using CatalogChange change = await BeginChangeAsync(cancellationToken).ConfigureAwait(false);
        DatabaseIndex index = Require(name);
        IndexRecord anew = index.Record with { CreatedTicks = _host.Time.GetUtcNow().UtcTicks, State = IndexState.Normal };

        // An auto index has no replacement: queries would take it for another index.
        if (isSideBySide && index.Record.Replaces is null && index.Auto is null)
        {
            // If there is a replacement already, its definition is the one that is wanted.
            string replacement = IndexRecord.ReplacementPrefix + index.Name;
            DatabaseIndex? pending = Find(replacement);
            IndexRecord wanted = pending is null ? anew : pending.Record with { CreatedTicks = anew.CreatedTicks, State = anew.State };
            await change.AddAsync(wanted with { Name = replacement }, pending).ConfigureAwait(false);
        }
        else
        {
            await change.AddAsync(anew, index).ConfigureAwait(false);
        }
    }

    /// <summary>Puts a replacement in the place of its index, whether it has caught up or not.</summary>
    /// <exception cref="IndexException">The index has no replacement.</exception>
    public async Task ReplaceAsync(string name, CancellationToken cancellationToken)
    {
        using CatalogChange change = await BeginChangeAsync(cancellationToken).ConfigureAwait(false);
        Require(name);
        DatabaseIndex replacement = Find(IndexRecord.ReplacementPrefix + name) ?? throw new IndexException(IndexFault.NotNow,
            $"Index '{name}' has no replacement: it is being replaced only while a changed definition is built.");
        await change.SwapAsync(replacement).ConfigureAwait(false);
    }

    /// <summary>An index that is not in the catalog yet. For <see cref="CatalogChange"/>.</summary>
    internal DatabaseIndex Make(IndexRecord record)
    {
        var index = new DatabaseIndex(_host, record, opened => _factory.Open(_host, opened.Record, opened.Failures));
        index.Happened += OnEvent;
        return index;
    }

    /// <summary>Replaces the set of indexes. For <see cref="CatalogChange"/>.</summary>
    internal void Publish(IEnumerable<DatabaseIndex> indexes)
    {
        _indexes = indexes.ToFrozenDictionary(index => index.Name, StringComparer.OrdinalIgnoreCase);
        Changed.Raise();
    }

    /// <summary>Notifies clients. For <see cref="CatalogChange"/>.</summary>
    internal void Announce(IndexChangeKind kind, string name) => IndexChanged?.Invoke(new IndexChange(kind, name));

    /// <summary>Closes an index that is not in the catalog any more. For <see cref="CatalogChange"/>.</summary>
    internal Task CloseAsync(DatabaseIndex removed)
    {
        removed.Happened -= OnEvent;
        return removed.CloseAsync();
    }

    private static IndexException Closing() => new(IndexFault.Unavailable, "The database is being closed; try again in a moment.");

    private IEnumerable<DatabaseIndex> WithReplacement(DatabaseIndex index) =>
        Find(IndexRecord.ReplacementPrefix + index.Name) is { } replacement ? [index, replacement] : [index];

    private void OnEvent(DatabaseIndex index, IndexEvent happened)
    {
        Changed.Raise();
        switch (happened)
        {
            case IndexEvent.BatchWritten:
                Announce(IndexChangeKind.BatchCompleted, index.Name);
                break;
            case IndexEvent.Paused:
                Announce(IndexChangeKind.IndexPaused, index.Name);
                break;
        }

        Happened?.Invoke(index, happened);
    }
}
