using System.Globalization;
using Jackdaw.Client.Http;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.Sessions;

/// <summary>What both kinds of sessions do without I/O.</summary>
internal abstract class SessionFace(SessionCore core) : IAdvancedSessionOperations, IDisposable
{
    protected SessionCore Core => core;

    public int NumberOfRequests => core.RequestCount;

    public int MaxNumberOfRequestsPerSession
    {
        get => core.RequestsMax;
        set => core.RequestsMax = value;
    }

    public bool UseOptimisticConcurrency
    {
        get => core.UsesOptimisticConcurrency;
        set => core.UsesOptimisticConcurrency = value;
    }

    public bool HasChanges => core.HasChanges;

    public bool HasChanged(object entity) => core.HasChanged(entity);

    public bool IsLoaded(string id) => core.Tracker.IsLoaded(id);

    public string? GetDocumentId(object entity) => core.Tracked(entity).Id;

    public MetadataDictionary GetMetadataFor(object entity) => core.Tracked(entity).Metadata;

    public string? GetChangeVectorFor(object entity) => core.Tracked(entity).ChangeVector;

    public DateTime? GetLastModifiedFor(object entity) => core.Tracked(entity).Metadata.GetString("@last-modified") is { } text
        ? DateTime.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind)
        : null;

    public void Evict(object entity) => core.Tracker.Evict(entity);

    public void Clear()
    {
        core.Tracker.Clear();
        core.Forget();
    }

    public void IgnoreChangesFor(object entity) => core.Tracked(entity).IsIgnored = true;

    public SessionAttachments Attachments => field ??= new SessionAttachments(core);

    public SessionPatches Patches => field ??= new SessionPatches(core);

    public SessionClusterTransaction ClusterTransaction => field ??= new SessionClusterTransaction(core);

    public void SetTransactionMode(TransactionMode mode) => core.IsClusterWide = mode == TransactionMode.ClusterWide;

    public RawQuery<T> RawQuery<T>(string rql) => new(core, rql);

    public void WaitForIndexesAfterSaveChanges(TimeSpan? timeout = null, bool throwOnTimeout = true, IReadOnlyList<string>? indexes = null) =>
        core.WaitForIndexes(timeout ?? TimeSpan.FromSeconds(15), throwOnTimeout, indexes ?? []);

    public SessionCounters CountersFor(string id) => new(core, id);

    public SessionCounters CountersFor(object entity) => new(
        core,
        core.Tracked(entity).Id ?? throw new InvalidOperationException("The id of this object is given by its save: save it before its counters are named."));

    public void Delete<T>(T entity)
        where T : notnull => core.Delete(entity);

    public void Delete(string id) => core.Delete(id, null);

    public void Delete(string id, string? expectedChangeVector) => core.Delete(id, expectedChangeVector);

    public IDocumentQueryable<T> Query<T>(string? indexName = null, string? collectionName = null) => LinqQuery.Create<T>(core, indexName, collectionName);

    public void Dispose()
    {
        // A session holds nothing that must be given back.
    }

    protected async ValueTask<bool> ExistsAsync(string id, bool isAsync, CancellationToken token)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        using SessionUse.Scope use = core.Use.Begin($"Exists(\"{id}\")");
        if (core.Tracker.IsLoaded(id))
        {
            return true;
        }

        core.CountRequest($"Exists({id})");
        var message = new RequestMessage { Method = HttpMethod.Head, Path = $"docs?id={Uri.EscapeDataString(id)}", IsRead = true };
        RequestAnswer answer = await core.Executor.SendAsync(message, isAsync, token).ConfigureAwait(false);
        return !answer.IsMissing;
    }
}
