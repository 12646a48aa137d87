using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions;

/// <summary>What sessions of both kinds offer beside the usual.</summary>
public interface IAdvancedSessionOperations
{
    /// <summary>Requests that the session has sent.</summary>
    int NumberOfRequests { get; }

    /// <summary>Requests that it may send; one more throws <see cref="TooManyRequestsInSessionException"/>.</summary>
    int MaxNumberOfRequestsPerSession { get; set; }

    /// <summary>Each changed document must have the version that the session has read, and each new one must not be there.</summary>
    bool UseOptimisticConcurrency { get; set; }

    /// <summary>Whether a save would send anything.</summary>
    bool HasChanges { get; }

    /// <summary>Whether an object differs from what was read or saved.</summary>
    bool HasChanged(object entity);

    /// <summary>Whether a document is in the session.</summary>
    bool IsLoaded(string id);

    /// <summary>The id of an object; null when the server will give it with the save.</summary>
    string? GetDocumentId(object entity);

    /// <summary>The metadata of an object; changes are saved.</summary>
    MetadataDictionary GetMetadataFor(object entity);

    /// <summary>The version of an object that was read or saved; null for a new one.</summary>
    string? GetChangeVectorFor(object entity);

    /// <summary>When the document of an object was written; null for a new one.</summary>
    DateTime? GetLastModifiedFor(object entity);

    /// <summary>The session forgets an object with its changes.</summary>
    void Evict(object entity);

    /// <summary>The session forgets everything.</summary>
    void Clear();

    /// <summary>Changes of an object are not saved.</summary>
    void IgnoreChangesFor(object entity);

    /// <summary>Attachments of documents.</summary>
    SessionAttachments Attachments { get; }

    /// <summary>Changes of documents that are not loaded.</summary>
    SessionPatches Patches { get; }

    /// <summary>Compare exchange values of a cluster-wide session.</summary>
    SessionClusterTransaction ClusterTransaction { get; }

    /// <summary>Where saves are transactions, from now on.</summary>
    /// <exception cref="InvalidOperationException">The session has compare exchange values to save.</exception>
    void SetTransactionMode(TransactionMode mode);

    /// <summary>Begins a query in RQL.</summary>
    RawQuery<T> RawQuery<T>(string rql);

    /// <summary>The next save waits until indexes have read it.</summary>
    /// <param name="timeout">Null: 15 seconds.</param>
    /// <param name="throwOnTimeout">Otherwise the save returns after the time without an error.</param>
    /// <param name="indexes">Null: all of the collections that are written.</param>
    void WaitForIndexesAfterSaveChanges(TimeSpan? timeout = null, bool throwOnTimeout = true, IReadOnlyList<string>? indexes = null);
}

/// <summary>What an asynchronous session offers beside the usual.</summary>
public interface IAsyncAdvancedSessionOperations : IAdvancedSessionOperations
{
    /// <summary>Loads that are sent together when the first of their values is needed.</summary>
    AsyncLazySessionOperations Lazily { get; }

    /// <summary>Sends what waits to be sent together.</summary>
    AsyncEagerSessionOperations Eagerly { get; }

    /// <summary>Whether a document is there.</summary>
    Task<bool> ExistsAsync(string id, CancellationToken token = default);

    /// <summary>Reads the document of an object again; the object gets the stored values.</summary>
    /// <exception cref="DocumentDoesNotExistException">It is not there any more.</exception>
    Task RefreshAsync(object entity, CancellationToken token = default);

    /// <summary>Loads documents whose ids begin with a text, in the order of their ids.</summary>
    /// <param name="matches">Patterns for the rest of the id, with <c>*</c> and <c>?</c>, and <c>|</c> between them; null: any.</param>
    Task<List<T>> LoadStartingWithAsync<T>(string prefix, string? matches = null, int start = 0, int pageSize = 25, CancellationToken token = default);
}

/// <summary>What a synchronous session offers beside the usual.</summary>
public interface ISyncAdvancedSessionOperations : IAdvancedSessionOperations
{
    /// <summary>Loads that are sent together when the first of their values is needed.</summary>
    LazySessionOperations Lazily { get; }

    /// <summary>Sends what waits to be sent together.</summary>
    EagerSessionOperations Eagerly { get; }

    /// <summary>Whether a document is there.</summary>
    bool Exists(string id);

    /// <summary>Reads the document of an object again; the object gets the stored values.</summary>
    void Refresh(object entity);

    /// <summary>Loads documents whose ids begin with a text, in the order of their ids.</summary>
    /// <param name="matches">Patterns for the rest of the id, with <c>*</c> and <c>?</c>, and <c>|</c> between them; null: any.</param>
    List<T> LoadStartingWith<T>(string prefix, string? matches = null, int start = 0, int pageSize = 25);
}
