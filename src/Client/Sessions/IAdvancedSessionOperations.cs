using Jackdaw.Client.DocumentQueries;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Sessions.Events;
using Jackdaw.Client.Sessions.Tracking;

namespace Jackdaw.Client.Sessions;

/// <summary>What both kinds of sessions offer for rarer needs.</summary>
public interface IAdvancedSessionOperations : ISessionEvents
{
    /// <summary>Requests that the session has sent.</summary>
    int NumberOfRequests { get; }

    /// <summary>Requests that it may send; one more throws <see cref="TooManyRequestsInSessionException"/>.</summary>
    int MaxNumberOfRequestsPerSession { get; set; }

    /// <summary>Whether each changed document must still have the version that the session has read, and each new document must not
    /// exist.</summary>
    bool UseOptimisticConcurrency { get; set; }

    /// <summary>Whether a save would send anything.</summary>
    bool HasChanges { get; }

    /// <summary>Whether an object differs from what was read or saved.</summary>
    bool HasChanged(object entity);

    /// <summary>What a save would do, by the ids of documents.</summary>
    IReadOnlyDictionary<string, IReadOnlyList<DocumentsChanges>> WhatChanged();

    /// <summary>What a save would change of the document of an object; empty for nothing.</summary>
    IReadOnlyList<DocumentsChanges> WhatChangedFor(object entity);

    /// <summary>Documents that the session has as objects or will delete, by their ids.</summary>
    IReadOnlyDictionary<string, TrackedEntity> GetTrackedEntities();

    /// <summary>Raised when the session is disposed, once.</summary>
    event EventHandler<SessionDisposingEventArgs>? OnSessionDisposing;

    /// <summary>Whether a document is in the session.</summary>
    bool IsLoaded(string id);

    /// <summary>The id of an object; null when the server will give it with the save.</summary>
    string? GetDocumentId(object entity);

    /// <summary>The id of the document of a class that has an id of another type than text: <c>orders/7</c> for 7.</summary>
    /// <exception cref="ArgumentException">It is not of a type of ids.</exception>
    string IdOf<T>(object id);

    /// <summary>The metadata of an object; changes are saved.</summary>
    MetadataDictionary GetMetadataFor(object entity);

    /// <summary>The version of an object that was read or saved; null for a new one.</summary>
    string? GetChangeVectorFor(object entity);

    /// <summary>When the document of an object was written; null for a new one.</summary>
    DateTime? GetLastModifiedFor(object entity);

    /// <summary>Makes the session forget an object with its changes.</summary>
    void Evict(object entity);

    /// <summary>Makes the session forget everything.</summary>
    void Clear();

    /// <summary>Says that changes of an object are not saved.</summary>
    void IgnoreChangesFor(object entity);

    /// <summary>Attachments of documents.</summary>
    SessionAttachments Attachments { get; }

    /// <summary>Changes of documents that are not loaded.</summary>
    SessionPatches Patches { get; }

    /// <summary>Versions of documents that the server has kept.</summary>
    SessionRevisions Revisions { get; }

    /// <summary>Compare exchange values of a cluster-wide session.</summary>
    SessionClusterTransaction ClusterTransaction { get; }

    /// <summary>Sets whether saves are transactions of one server or of the cluster from now on.</summary>
    /// <exception cref="InvalidOperationException">The session has compare exchange values to save.</exception>
    void SetTransactionMode(TransactionMode mode);

    /// <summary>Begins a query in RQL.</summary>
    RawQuery<T> RawQuery<T>(string rql);

    /// <summary>Lets the next save wait until other servers have it, too.</summary>
    /// <param name="timeout">Null: 15 seconds.</param>
    /// <param name="throwOnTimeout">If false, the save returns without an error after the time. It is done in any case.</param>
    /// <param name="replicas">Number of other servers.</param>
    /// <param name="majority">Whether most servers of the database must have it, instead of <paramref name="replicas"/>.</param>
    void WaitForReplicationAfterSaveChanges(TimeSpan? timeout = null, bool throwOnTimeout = true, int replicas = 1, bool majority = false);

    /// <summary>Lets the next save wait until indexes have read it.</summary>
    /// <param name="timeout">Null: 15 seconds.</param>
    /// <param name="throwOnTimeout">If false, the save returns without an error after the time.</param>
    /// <param name="indexes">Null for all indexes of the collections that are written.</param>
    void WaitForIndexesAfterSaveChanges(TimeSpan? timeout = null, bool throwOnTimeout = true, IReadOnlyList<string>? indexes = null);
}

/// <summary>What an asynchronous session offers for rarer needs.</summary>
public interface IAsyncAdvancedSessionOperations : IAdvancedSessionOperations
{
    /// <summary>Begins a query that is put together call by call.</summary>
    /// <param name="indexName">Index that is asked; null: the collection.</param>
    /// <param name="collectionName">Another collection than that of the type.</param>
    IAsyncDocumentQuery<T> AsyncDocumentQuery<T>(string? indexName = null, string? collectionName = null);

    /// <summary>Loads that are sent together when the first of their values is needed.</summary>
    AsyncLazySessionOperations Lazily { get; }

    /// <summary>Sends the waiting lazy operations.</summary>
    AsyncEagerSessionOperations Eagerly { get; }

    /// <summary>Documents whose ids begin with a text, one by one in the order of their ids, without a limit of their number. They are not
    /// tracked.</summary>
    /// <param name="startsWith">Empty: all documents, the newest first.</param>
    /// <param name="matches">Patterns for the rest of the id, with <c>*</c> and <c>?</c>, and <c>|</c> between them; null: any.</param>
    /// <param name="startAfter">The id after which they begin; null: at the first.</param>
    IAsyncEnumerable<StreamResult<T>> StreamAsync<T>(
        string startsWith, string? matches = null, int start = 0, int pageSize = int.MaxValue, string? startAfter = null, CancellationToken token = default);

    /// <summary>Results of a query, one by one, in one request and without a limit of their number. They are not tracked.</summary>
    /// <param name="query">A query of any session of the database.</param>
    IAsyncEnumerable<StreamResult<T>> StreamAsync<T>(IQueryable<T> query, CancellationToken token = default);

    /// <inheritdoc cref="StreamAsync{T}(IQueryable{T}, CancellationToken)"/>
    IAsyncEnumerable<StreamResult<T>> StreamAsync<T>(RawQuery<T> query, CancellationToken token = default);

    /// <summary>Copies documents as the server sends them: JSON with their metadata, in a list <c>Results</c>. They are not held in
    /// memory.</summary>
    Task LoadIntoStreamAsync(IEnumerable<string> ids, Stream output, CancellationToken token = default);

    /// <summary>Copies documents whose ids begin with a text, as the server sends them: JSON with their metadata, in a list <c>Results</c>.</summary>
    Task LoadStartingWithIntoStreamAsync(
        string prefix, Stream output, string? matches = null, int start = 0, int pageSize = 25, CancellationToken token = default);

    /// <summary>Loads a document if its version is not the one that the caller has.</summary>
    /// <param name="changeVector">The version that the caller has. It is not checked when the document is in the session, which needs no
    /// request.</param>
    /// <returns>Without an object and with the same version, nothing has changed. Without an object and a version, the document does not
    /// exist.</returns>
    Task<(T? Entity, string? ChangeVector)> ConditionalLoadAsync<T>(string id, string changeVector, CancellationToken token = default);

    /// <summary>Whether a document is there.</summary>
    Task<bool> ExistsAsync(string id, CancellationToken token = default);

    /// <summary>Reads the document of an object again; the object gets the stored values.</summary>
    /// <exception cref="DocumentDoesNotExistException">The document no longer exists.</exception>
    Task RefreshAsync(object entity, CancellationToken token = default);

    /// <summary>Loads documents whose ids begin with a text, in the order of their ids.</summary>
    /// <param name="matches">Patterns for the rest of the id, with <c>*</c> and <c>?</c>, and <c>|</c> between them; null: any.</param>
    Task<List<T>> LoadStartingWithAsync<T>(string prefix, string? matches = null, int start = 0, int pageSize = 25, CancellationToken token = default);
}

/// <summary>What a synchronous session offers for rarer needs.</summary>
public interface ISyncAdvancedSessionOperations : IAdvancedSessionOperations
{
    /// <summary>Begins a query that is put together call by call.</summary>
    /// <param name="indexName">Index that is asked; null: the collection.</param>
    /// <param name="collectionName">Another collection than that of the type.</param>
    IDocumentQuery<T> DocumentQuery<T>(string? indexName = null, string? collectionName = null);

    /// <summary>Loads that are sent together when the first of their values is needed.</summary>
    LazySessionOperations Lazily { get; }

    /// <summary>Sends the waiting lazy operations.</summary>
    EagerSessionOperations Eagerly { get; }

    /// <inheritdoc cref="IAsyncAdvancedSessionOperations.StreamAsync{T}(string, string, int, int, string, CancellationToken)"/>
    IEnumerable<StreamResult<T>> Stream<T>(
        string startsWith, string? matches = null, int start = 0, int pageSize = int.MaxValue, string? startAfter = null);

    /// <inheritdoc cref="IAsyncAdvancedSessionOperations.StreamAsync{T}(IQueryable{T}, CancellationToken)"/>
    IEnumerable<StreamResult<T>> Stream<T>(IQueryable<T> query);

    /// <inheritdoc cref="IAsyncAdvancedSessionOperations.StreamAsync{T}(IQueryable{T}, CancellationToken)"/>
    IEnumerable<StreamResult<T>> Stream<T>(RawQuery<T> query);

    /// <inheritdoc cref="IAsyncAdvancedSessionOperations.LoadIntoStreamAsync"/>
    void LoadIntoStream(IEnumerable<string> ids, Stream output);

    /// <inheritdoc cref="IAsyncAdvancedSessionOperations.LoadStartingWithIntoStreamAsync"/>
    void LoadStartingWithIntoStream(string prefix, Stream output, string? matches = null, int start = 0, int pageSize = 25);

    /// <inheritdoc cref="IAsyncAdvancedSessionOperations.ConditionalLoadAsync{T}"/>
    (T? Entity, string? ChangeVector) ConditionalLoad<T>(string id, string changeVector);

    /// <summary>Whether a document is there.</summary>
    bool Exists(string id);

    /// <summary>Reads the document of an object again; the object gets the stored values.</summary>
    void Refresh(object entity);

    /// <summary>Loads documents whose ids begin with a text, in the order of their ids.</summary>
    /// <param name="matches">Patterns for the rest of the id, with <c>*</c> and <c>?</c>, and <c>|</c> between them; null: any.</param>
    List<T> LoadStartingWith<T>(string prefix, string? matches = null, int start = 0, int pageSize = 25);
}
