using System.Collections.Frozen;
using System.Text;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Tombstones;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Indexing.Running;
using Jackdaw.Indexing.Settings;
using Jackdaw.Indexing.Sources;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Indexing;

/// <summary>All indexes of one open database. Any thread.</summary>
/// <remarks>
/// 1. The record in the documents' storage is the truth; the folder of an index follows. A folder without a record is removed when the
///    database is opened.
/// 2. Changes run one after the other under one gate; finding an index takes no lock.
/// 3. A damaged index is set aside and built again in another folder; documents are served meanwhile.
/// </remarks>
internal sealed partial class DatabaseIndexes : DatabasePart, ITombstoneHolder
{
    /// <summary>How often indexes whose collections are quiet write that they have passed what others wrote, so that tombstones can go.</summary>
    private static readonly TimeSpan s_passingPeriod = TimeSpan.FromMinutes(1);

    /// <summary>How long putting a definition waits for what others read.</summary>
    private static readonly TimeSpan s_sourcesPatience = TimeSpan.FromSeconds(15);

    private readonly IndexHost _host;
    private readonly IIndexFactory _factory;
    private readonly SemaphoreSlim _gate = new(1); // held by whoever changes indexes
    private volatile FrozenDictionary<string, DatabaseIndex> _indexes = FrozenDictionary<string, DatabaseIndex>.Empty;
    private volatile bool _isPaused;
    private CancellationToken _stop;
    private ChangeSubscription? _changes;
    private Task _following = Task.CompletedTask;
    private ITimer? _passing;

    public DatabaseIndexes(IndexHost host, IIndexFactory factory)
    {
        _host = host;
        _factory = factory;
    }

    public override string Name => "indexes";

    /// <summary>Raised when an index was added, swapped or removed, has written a batch, or has stopped.</summary>
    public ChangeSignal Changed { get; } = new();

    /// <summary>Ordered by name.</summary>
    public IEnumerable<DatabaseIndex> All => _indexes.Values.OrderBy(index => index.Name, StringComparer.OrdinalIgnoreCase);

    /// <inheritdoc/>
    /// <remarks>Indexes that do not work for long need none: if they miss a deletion, they are built again.</remarks>
    Etag ITombstoneHolder.PassedEtag => new(_indexes.Values.Where(index => index.Record.State is IndexState.Normal && index.Fault is null)
        .Select(index => (index.Builder?.Progress.KnownDeletions ?? Etag.None).Value).DefaultIfEmpty(long.MaxValue).Min());

    /// <summary>Finds an index by its name, in any casing.</summary>
    public DatabaseIndex? Find(string name) => _indexes.GetValueOrDefault(name);

    /// <summary>The index of a name in any casing.</summary>
    /// <exception cref="IndexException">There is none; the message names the nearest.</exception>
    public DatabaseIndex Require(string name) => Find(name) ?? throw Missing(name);

    /// <summary>Settings of the database.</summary>
    public IndexingSettings Settings => _host.Settings;

    /// <summary>Whether all indexes are paused, those too that are added later.</summary>
    public bool IsPaused => _isPaused;

    /// <summary>Pauses all indexes, or has them go on. Until the database is opened again.</summary>
    public void Pause(bool isPaused)
    {
        _isPaused = isPaused;
        foreach (DatabaseIndex index in _indexes.Values)
        {
            index.IsPaused = isPaused;
        }
    }

    /// <summary>The index that a query names; one that rests is woken.</summary>
    /// <exception cref="IndexException">There is none, or its definition cannot be compiled, or it has failed too often.</exception>
    public async ValueTask<DatabaseIndex> FindForQueryAsync(string name, CancellationToken cancellationToken)
    {
        DatabaseIndex index = Require(name);
        if (index.Fault is { } fault)
        {
            throw new IndexException(IndexFault.Unusable, $"Index '{index.Name}' cannot be used until its definition is put again: {fault}");
        }

        if (index.HasFailed)
        {
            throw Failed(index);
        }

        await WakeAsync(index, cancellationToken).ConfigureAwait(false);
        return index;
    }

    public override ValueTask OpenAsync(CancellationToken stop)
    {
        _stop = stop;
        using (DocumentReadScope read = _host.Database.BeginRead())
        {
            List<IndexRecord> records = IndexRecordTable.ReadAll(read.Transaction);
            RemoveOrphans(records);
            Publish(records.Where(record => record.LeftOutputs is null).Select(MakeIndex));
            Clean(records.Where(record => record.LeftOutputs is not null));
        }

        _host.Database.TombstoneHolders.Add(this);
        FollowIfNeeded();
        _passing = _host.Time.CreateTimer(_ => _ = OnMinuteAsync(), null, s_passingPeriod, s_passingPeriod);

        // One that rests is opened when a query wakes it.
        foreach (DatabaseIndex index in _indexes.Values.Where(index => index.Record.State != IndexState.Idle))
        {
            index.Start();
        }

        return ValueTask.CompletedTask;
    }

    public override async ValueTask CloseAsync()
    {
        await _gate.WaitAsync(CancellationToken.None).ConfigureAwait(false); // stays taken: no change begins any more
        _changes?.Dispose();
        await _following.ConfigureAwait(false);
        await _cleaning.ConfigureAwait(false);
        if (_passing is { } passing)
        {
            await passing.DisposeAsync().ConfigureAwait(false);
        }

        await Task.WhenAll(_indexes.Values.Select(index => index.CloseAsync())).ConfigureAwait(false);
        _host.Analyzers.Dispose();
        _host.Database.TombstoneHolders.Remove(this);
    }

    /// <summary>The refusal of an index that has failed too often.</summary>
    public static IndexException Failed(DatabaseIndex index) => new(IndexFault.Unusable,
        $"Index '{index.Name}' has failed for so many documents that it stopped; GET /indexes/errors?name=... says why. "
        + "Mend its definition, or reset it.");

    /// <summary>Whether putting a definition would change anything.</summary>
    public bool WouldChange(IndexDefinition wanted) => Find(wanted.Name) is not { } existing
        || IndexDefinitionComparison.Compare(
            IndexDefinitions.Read(existing.Record), wanted with { State = wanted.State ?? existing.Record.State }) != DefinitionChange.None;

    /// <summary>The mistake of a name that no index has: it names the nearest.</summary>
    public IndexException Missing(string name) => new(
        IndexFault.Missing,
        name.Length <= NameLengthMax && NearestName.Find(name, _indexes.Keys) is { } nearest
            ? $"There is no index '{name}' in this database; the nearest name is '{nearest}'."
            : $"There is no index '{name}' in this database; GET /indexes?namesOnly=true lists those that there are.");

    // While there is no index nobody follows the changes: recording them costs each write a little. Caller holds the gate, or opens.
    private void FollowIfNeeded()
    {
        if (_changes is null && _indexes.Count > 0)
        {
            _changes = _host.Database.Changes.Subscribe();
            _following = FollowAsync(_changes, _stop);
        }
    }

    private async Task OnMinuteAsync()
    {
        SignalAll();
        await RestUnaskedAsync().ConfigureAwait(false);
    }

    private void SignalAll()
    {
        foreach (DatabaseIndex index in _indexes.Values)
        {
            index.Signal();
        }
    }

    private DatabaseIndex MakeIndex(IndexRecord record)
    {
        var index = new DatabaseIndex(_host, record, OpenBuilder);
        index.Happened += OnEvent;
        return index;
    }

    private IndexBuilder OpenBuilder(DatabaseIndex index) => _factory.Open(_host, index.Record, index.Failures);

    private void Publish(IEnumerable<DatabaseIndex> indexes)
    {
        _indexes = indexes.ToFrozenDictionary(index => index.Name, StringComparer.OrdinalIgnoreCase);
        Changed.Raise();
    }

    // Wakes the indexes whose sources were written to.
    private async Task FollowAsync(ChangeSubscription changes, CancellationToken stop)
    {
        try
        {
            while (true)
            {
                FeedItem item = await changes.ReadAsync(stop).ConfigureAwait(false);
                if (item.Kind == FeedItemKind.End)
                {
                    return;
                }

                Wake(item);
            }
        }
        catch (OperationCanceledException)
        {
            // The database is being closed.
        }
    }

    private void Wake(FeedItem item)
    {
        HashSet<SourceChange>? written = item.Kind == FeedItemKind.Gap ? null : ChangesOf(item);
        foreach (DatabaseIndex index in _indexes.Values)
        {
            if (written is null || index.Builder is not { } builder || written.Any(builder.Sources.AreConcernedBy))
            {
                index.Signal();
            }
        }
    }

    // Each kind of change in each collection once.
    private static HashSet<SourceChange> ChangesOf(FeedItem item)
    {
        var written = new HashSet<SourceChange>();
        foreach (Change change in item)
        {
            written.Add(new SourceChange(change.Kind, Encoding.UTF8.GetString(change.Collection), change.IsOfExtension ? change.Extension : -1));
        }

        return written;
    }

    private void RemoveOrphans(List<IndexRecord> records)
    {
        var known = records.Select(record => record.Folder).ToHashSet(StringComparer.Ordinal);
        foreach (string folder in _host.Storage.Platform.ListDirectory(_host.Folder).Where(folder => !known.Contains(folder)))
        {
            TryDelete(folder);
        }
    }

    private void TryDelete(string folder)
    {
        try
        {
            _host.Storage.Platform.DeleteDirectory(_host.Folder + "/" + folder);
        }
        catch (IOException failure)
        {
            _host.Logger.LogWarning("The files of an index that is gone could not be removed and stay until the database is opened again: {Reason}",
                failure.Message.ReplaceLineEndings(" "));
        }
    }
}
