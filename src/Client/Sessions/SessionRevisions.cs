using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.Sessions;

/// <summary>Versions of documents that the server has kept. Their objects have their metadata in the session, and are never saved.</summary>
public sealed class SessionRevisions
{
    private readonly SessionCore _core;

    internal SessionRevisions(SessionCore core) => _core = core;

    /// <summary>Revisions of a document, the newest first. For a deleted document the newest one is its deletion, an object without
    /// values.</summary>
    public Task<List<T>> GetForAsync<T>(string id, int start = 0, int pageSize = 25, CancellationToken token = default) =>
        _core.GetRevisionsAsync<T>(id, start, pageSize, isAsync: true, token).AsTask();

    /// <summary>Metadata of revisions of a document, the newest first.</summary>
    public Task<List<MetadataDictionary>> GetMetadataForAsync(string id, int start = 0, int pageSize = 25, CancellationToken token = default) =>
        _core.GetRevisionsMetadataAsync(id, start, pageSize, isAsync: true, token).AsTask();

    /// <summary>A revision by its change vector; null when there is none.</summary>
    public async Task<T?> GetAsync<T>(string changeVector, CancellationToken token = default) =>
        (await _core.GetRevisionsAsync<T>(One(changeVector), isAsync: true, token).ConfigureAwait(false))[changeVector];

    /// <summary>Revisions by their change vectors; null for those that do not exist.</summary>
    public Task<Dictionary<string, T?>> GetAsync<T>(IEnumerable<string> changeVectors, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(changeVectors);
        return _core.GetRevisionsAsync<T>(changeVectors, isAsync: true, token).AsTask();
    }

    /// <summary>The revision that was current at a time: the newest one that is not later. Null when there is none.</summary>
    public Task<T?> GetAsync<T>(string id, DateTime before, CancellationToken token = default) =>
        _core.GetRevisionAsync<T>(id, before, isAsync: true, token).AsTask();

    /// <summary>How many revisions of a document there are.</summary>
    public Task<long> GetCountForAsync(string id, CancellationToken token = default) => _core.CountRevisionsAsync(id, isAsync: true, token).AsTask();

    /// <inheritdoc cref="GetForAsync{T}"/>
    public List<T> GetFor<T>(string id, int start = 0, int pageSize = 25) =>
        Completed.Result(_core.GetRevisionsAsync<T>(id, start, pageSize, isAsync: false, default));

    /// <inheritdoc cref="GetMetadataForAsync"/>
    public List<MetadataDictionary> GetMetadataFor(string id, int start = 0, int pageSize = 25) =>
        Completed.Result(_core.GetRevisionsMetadataAsync(id, start, pageSize, isAsync: false, default));

    /// <inheritdoc cref="GetAsync{T}(string, CancellationToken)"/>
    public T? Get<T>(string changeVector) => Completed.Result(_core.GetRevisionsAsync<T>(One(changeVector), isAsync: false, default))[changeVector];

    /// <inheritdoc cref="GetAsync{T}(IEnumerable{string}, CancellationToken)"/>
    public Dictionary<string, T?> Get<T>(IEnumerable<string> changeVectors)
    {
        ArgumentNullException.ThrowIfNull(changeVectors);
        return Completed.Result(_core.GetRevisionsAsync<T>(changeVectors, isAsync: false, default));
    }

    /// <inheritdoc cref="GetAsync{T}(string, DateTime, CancellationToken)"/>
    public T? Get<T>(string id, DateTime before) => Completed.Result(_core.GetRevisionAsync<T>(id, before, isAsync: false, default));

    /// <inheritdoc cref="GetCountForAsync"/>
    public long GetCountFor(string id) => Completed.Result(_core.CountRevisionsAsync(id, isAsync: false, default));

    /// <summary>Lets the next save keep a revision of the stored document of an object, even if no configuration asks for revisions.</summary>
    public void ForceRevisionCreationFor<T>(T entity, ForceRevisionStrategy strategy = ForceRevisionStrategy.Before)
        where T : class
    {
        if (strategy == ForceRevisionStrategy.Before)
        {
            _core.ForceRevision((object)entity);
        }
    }

    /// <summary>Like above; the save fails when the document does not exist.</summary>
    public void ForceRevisionCreationFor(string id, ForceRevisionStrategy strategy = ForceRevisionStrategy.Before)
    {
        if (strategy == ForceRevisionStrategy.Before)
        {
            _core.ForceRevision(id);
        }
    }

    private static string[] One(string changeVector)
    {
        ArgumentException.ThrowIfNullOrEmpty(changeVector);
        return [changeVector];
    }
}

/// <summary>Which version becomes a revision.</summary>
public enum ForceRevisionStrategy
{
    /// <summary>None.</summary>
    None,

    /// <summary>The document as it is before the save.</summary>
    Before,
}
