using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Tombstones;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Comparison;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing.Catalog;

/// <summary>The indexes of one open database: opens and closes what they consist of. Any thread.</summary>
/// <remarks>
/// <code>
/// AutoIndexes, AnalyzerCatalog, SorterCatalog, IndexWaits, IndexReactions, SourceFollower, EngineMoves --use--> IndexCatalog --uses--> OutputOwners
/// </code>
/// None of those on the left uses another one. The one lock that they share is the gate of the catalog.
/// </remarks>
internal sealed class DatabaseIndexes : DatabasePart, ITombstoneHolder
{
    /// <summary>How often indexes whose collections are quiet write that they have passed what was written elsewhere, so that tombstones can be
    /// removed, and how often unused auto indexes are looked for.</summary>
    private static readonly TimeSpan s_maintenancePeriod = TimeSpan.FromMinutes(1);

    private readonly IndexHost _host;
    private readonly OutputOwners _outputs;
    private readonly SourceFollower _follower;
    private ITimer? _maintenance;

    public DatabaseIndexes(IndexHost host, IIndexFactory factory)
    {
        _host = host;
        _outputs = new OutputOwners(host);
        Catalog = new IndexCatalog(host, factory, _outputs);
        Auto = new AutoIndexes(host, Catalog);
        Waits = new IndexWaits(host, Catalog);
        Analyzers = new AnalyzerCatalog(host, Catalog);
        Sorters = new SorterCatalog(host, Catalog);
        Moves = new EngineMoves(host, Catalog, factory);
        Comparisons = new EngineComparisons(host, factory);
        _follower = new SourceFollower(host, Catalog);
        Catalog.IndexChanged += OnIndexChanged;
        Catalog.Happened += Auto.OnEvent;
        Catalog.Happened += new IndexReactions(host, Catalog).OnEvent;
    }

    public override string Name => "indexes";

    /// <summary>Which indexes there are.</summary>
    public IndexCatalog Catalog { get; }

    /// <summary>What queries need.</summary>
    public AutoIndexes Auto { get; }

    /// <summary>Waits until indexes have read what was written.</summary>
    public IndexWaits Waits { get; }

    /// <summary>The analyzers that users wrote.</summary>
    public AnalyzerCatalog Analyzers { get; }

    /// <summary>The sorters that users wrote.</summary>
    public SorterCatalog Sorters { get; }

    /// <summary>Moves indexes to another search engine.</summary>
    public EngineMoves Moves { get; }

    /// <summary>Builds a definition with each search engine.</summary>
    public EngineComparisons Comparisons { get; }

    /// <summary>Whether documents of deleted indexes are still being deleted.</summary>
    public bool IsCleaning => _outputs.IsCleaning;

    /// <summary>What all indexes have done since the database was opened.</summary>
    public IndexingWork Work => _host.Work;

    /// <summary>Bytes that were written for them since then.</summary>
    public WrittenBytes Written => _host.Work.ReadWritten(Catalog.Current);

    /// <inheritdoc/>
    /// <remarks>Indexes that do not work for long need no tombstones: if they miss a deletion, they are built again.</remarks>
    Etag ITombstoneHolder.PassedEtag => new(Catalog.Current.Where(index => index.Record.State is IndexState.Normal && index.Fault is null)
        .Select(index => (index.Builder?.Progress.KnownDeletions ?? Etag.None).Value).DefaultIfEmpty(long.MaxValue).Min());

    public override async ValueTask OpenAsync(CancellationToken stop)
    {
        _host.Closing = stop;
        using (DocumentReadScope read = _host.Database.BeginRead())
        {
            List<IndexRecord> records = IndexRecordTable.ReadAll(read.Transaction);
            new IndexFolders(_host).DeleteOthers(records);
            Catalog.Open(records.Where(record => record.LeftOutputs is null));
            _outputs.Clean(records.Where(record => record.LeftOutputs is not null));
        }

        foreach (DatabaseIndex outdated in Catalog.Current.Where(index => index.Auto is { IsOutdated: true }))
        {
            await Catalog.DeleteAsync(outdated.Name, stop).ConfigureAwait(false); // The next query makes it again.
        }

        _host.Database.TombstoneHolders.Add(this);
        _follower.StartIfNeeded();
        _maintenance = _host.Time.CreateTimer(_ => _ = MaintainAsync(), null, s_maintenancePeriod, s_maintenancePeriod);

        // An idle index is opened when a query wakes it.
        foreach (DatabaseIndex index in Catalog.Current.Where(index => index.Record.State != IndexState.Idle))
        {
            index.Start();
        }

        Moves.Resume();
    }

    public override async ValueTask CloseAsync()
    {
        await Moves.WaitForEndAsync().ConfigureAwait(false);
        await Comparisons.EndAsync().ConfigureAwait(false);
        await Catalog.EndChangesAsync().ConfigureAwait(false);
        await _follower.StopAsync().ConfigureAwait(false);
        await _outputs.WaitForCleaningAsync().ConfigureAwait(false);
        if (_maintenance is { } maintenance)
        {
            await maintenance.DisposeAsync().ConfigureAwait(false);
        }

        await Catalog.CloseAsync().ConfigureAwait(false);
        _host.Analyzers.Dispose();
        _host.Sorters.Dispose();
        _host.Database.TombstoneHolders.Remove(this);
    }

    // Before a new index is started, so that it misses no change.
    private void OnIndexChanged(IndexChange change)
    {
        if (change.Kind == IndexChangeKind.IndexAdded)
        {
            _follower.StartIfNeeded();
        }
    }

    private Task MaintainAsync()
    {
        foreach (DatabaseIndex index in Catalog.Current)
        {
            index.Signal();
        }

        return Auto.CleanUpAsync();
    }
}
