using System.Globalization;
using Jackdaw.Client.Http;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Sessions.Core;
using Jackdaw.Client.Sessions.Events;
using Jackdaw.Client.Sessions.Tracking;

namespace Jackdaw.Client.Sessions;

/// <summary>What both kinds of sessions do without I/O.</summary>
internal abstract class SessionOperations : SessionEventSource, IAdvancedSessionOperations, IDisposable
{
    private readonly SessionCore _core;
    private EventHandler<SessionDisposingEventArgs>? _disposing;

    protected SessionOperations(SessionCore core, SessionHandlers handlers)
        : base(handlers)
    {
        _core = core;
        core.Notifier.Session = this;
    }

    protected SessionCore Core => _core;

    /// <summary>Raised when the session is disposed, once.</summary>
    public event EventHandler<SessionDisposingEventArgs>? OnSessionDisposing
    {
        add => _disposing += value;
        remove => _disposing -= value;
    }

    public int NumberOfRequests => _core.RequestCount;

    public int MaxNumberOfRequestsPerSession
    {
        get => _core.RequestsMax;
        set => _core.RequestsMax = value;
    }

    public bool UseOptimisticConcurrency
    {
        get => _core.UsesOptimisticConcurrency;
        set => _core.UsesOptimisticConcurrency = value;
    }

    public bool HasChanges => _core.HasChanges;

    public bool HasChanged(object entity) => _core.HasChanged(entity);

    public IReadOnlyDictionary<string, IReadOnlyList<DocumentsChanges>> WhatChanged() => _core.WhatChanged();

    public IReadOnlyList<DocumentsChanges> WhatChangedFor(object entity) => _core.WhatChangedFor(entity);

    public IReadOnlyDictionary<string, TrackedEntity> GetTrackedEntities() => _core.GetTrackedEntities();

    public bool IsLoaded(string id) => _core.Tracker.IsLoaded(id);

    public string? GetDocumentId(object entity) => _core.Tracked(entity).Id;

    public string IdOf<T>(object id) => _core.IdOf<T>(id);

    public MetadataDictionary GetMetadataFor(object entity) => _core.Tracked(entity).Metadata;

    public string? GetChangeVectorFor(object entity) => _core.Tracked(entity).ChangeVector;

    public DateTime? GetLastModifiedFor(object entity) => _core.Tracked(entity).Metadata.GetString("@last-modified") is { } text
        ? DateTime.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind)
        : null;

    public void Evict(object entity) => _core.Tracker.Evict(entity);

    public void Clear()
    {
        _core.Tracker.Clear();
        _core.Forget();
    }

    public void IgnoreChangesFor(object entity) => _core.Tracked(entity).IsIgnored = true;

    public SessionAttachments Attachments => field ??= new SessionAttachments(_core);

    public SessionPatches Patches => field ??= new SessionPatches(_core);

    public SessionRevisions Revisions => field ??= new SessionRevisions(_core);

    public SessionClusterTransaction ClusterTransaction => field ??= new SessionClusterTransaction(_core);

    public void SetTransactionMode(TransactionMode mode) => _core.IsClusterWide = mode == TransactionMode.ClusterWide;

    public RawQuery<T> RawQuery<T>(string rql) => new(_core, rql);

    public void WaitForIndexesAfterSaveChanges(TimeSpan? timeout = null, bool throwOnTimeout = true, IReadOnlyList<string>? indexes = null) =>
        _core.WaitForIndexes(timeout ?? TimeSpan.FromSeconds(15), throwOnTimeout, indexes ?? []);

    public void WaitForReplicationAfterSaveChanges(TimeSpan? timeout = null, bool throwOnTimeout = true, int replicas = 1, bool majority = false)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(replicas);
        _core.WaitForReplication(timeout ?? TimeSpan.FromSeconds(15), throwOnTimeout, majority ? null : replicas);
    }

    public SessionCounters CountersFor(string id) => new(_core, id);

    public SessionCounters CountersFor(object entity) => new(
        _core,
        _core.Tracked(entity).Id ?? throw new InvalidOperationException("The save gives this object its id: save it before you use its counters."));

    public void Delete<T>(T entity)
        where T : notnull => _core.Delete(entity);

    public void Delete(string id) => _core.Delete(id, null);

    public void Delete(string id, string? expectedChangeVector) => _core.Delete(id, expectedChangeVector);

    public IDocumentQueryable<T> Query<T>(string? indexName = null, string? collectionName = null) => LinqQuery.Create<T>(_core, indexName, collectionName);

    public void Dispose()
    {
        // A session holds nothing that must be returned. Handlers may still read it.
        EventHandler<SessionDisposingEventArgs>? handlers = _disposing;
        _disposing = null;
        handlers?.Invoke(this, new SessionDisposingEventArgs(this));
        _core.Use.End();
    }

    protected async ValueTask<bool> ExistsAsync(string id, bool isAsync, CancellationToken token)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        using SessionUse.Scope use = _core.Use.Begin($"Exists(\"{id}\")");
        if (_core.Tracker.IsLoaded(id))
        {
            return true;
        }

        _core.CountRequest($"Exists({id})");
        var message = new RequestMessage { Method = HttpMethod.Head, Path = $"docs?id={Uri.EscapeDataString(id)}", IsRead = true };
        RequestAnswer answer = await _core.Executor.SendAsync(message, isAsync, token).ConfigureAwait(false);
        return !answer.IsMissing;
    }
}
