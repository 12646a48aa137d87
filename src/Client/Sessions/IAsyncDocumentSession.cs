using System.Linq.Expressions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;

namespace Jackdaw.Client.Sessions;

/// <summary>A unit of work: documents are loaded, changed, stored and deleted as objects, and all changes are saved as one transaction.</summary>
/// <remarks>A session is cheap to open and belongs to one flow of work: two calls at the same time throw <see cref="ConcurrentSessionUseException"/>.</remarks>
public interface IAsyncDocumentSession : IDisposable, IAsyncDisposable
{
    /// <summary>What is needed more rarely.</summary>
    IAsyncAdvancedSessionOperations Advanced { get; }

    /// <summary>Loads a document; null when there is none. What the session knows needs no request.</summary>
    Task<T?> LoadAsync<T>(string? id, CancellationToken token = default);

    /// <summary>Loads several documents by one request.</summary>
    /// <returns>Each requested id, without regard to case, with null for documents that do not exist.</returns>
    Task<Dictionary<string, T?>> LoadAsync<T>(IEnumerable<string> ids, CancellationToken token = default);

    /// <summary>Loads a document with includes; null when there is none.</summary>
    Task<T?> LoadAsync<T>(string? id, Action<IncludeBuilder<T>> includes, CancellationToken token = default);

    /// <summary>Loads several documents with includes, by one request.</summary>
    Task<Dictionary<string, T?>> LoadAsync<T>(IEnumerable<string> ids, Action<IncludeBuilder<T>> includes, CancellationToken token = default);

    /// <summary>Includes the documents that a property of the loaded documents refers to.</summary>
    IAsyncLoaderWithInclude<T> Include<T>(Expression<Func<T, object?>> path);

    /// <summary>Like above, with a path such as <c>CompanyId</c> or <c>Lines[].Product</c>.</summary>
    IAsyncLoaderWithInclude<object> Include(string path);

    /// <summary>Lets the next save store an object as a document. Its id is the value of its id property, or a new id of its collection.</summary>
    Task StoreAsync(object entity, CancellationToken token = default);

    /// <summary>Like above, with this id. The server completes an id that ends with <c>/</c> or <c>|</c>.</summary>
    Task StoreAsync(object entity, string id, CancellationToken token = default);

    /// <summary>Like above, but the save fails unless the stored document has this version. If it is empty, the save fails if the document
    /// exists.</summary>
    Task StoreAsync(object entity, string? changeVector, string id, CancellationToken token = default);

    /// <summary>Lets the next save delete the document of an object.</summary>
    void Delete<T>(T entity)
        where T : notnull;

    /// <summary>Lets the next save delete a document.</summary>
    void Delete(string id);

    /// <summary>Like above, but the save fails unless the document has this version.</summary>
    void Delete(string id, string? expectedChangeVector);

    /// <summary>Saves all changes as one transaction, which is durable when the call returns. Nothing is sent when nothing has changed.</summary>
    /// <exception cref="ConcurrencyException">A document does not have the expected version. Nothing was saved, and the session is as
    /// before.</exception>
    Task SaveChangesAsync(CancellationToken token = default);

    /// <summary>Begins a query of the collection of a type.</summary>
    /// <param name="indexName">Index that is asked; null: the collection.</param>
    /// <param name="collectionName">Another collection than that of the type.</param>
    IDocumentQueryable<T> Query<T>(string? indexName = null, string? collectionName = null);

    /// <summary>Counters of a document.</summary>
    SessionCounters CountersFor(string id);

    /// <summary>Counters of the document of an object.</summary>
    SessionCounters CountersFor(object entity);
}

/// <summary>A load that includes what the documents refer to.</summary>
/// <typeparam name="T">Type whose paths are named.</typeparam>
public interface IAsyncLoaderWithInclude<T>
{
    /// <summary>One more path.</summary>
    IAsyncLoaderWithInclude<T> Include(Expression<Func<T, object?>> path);

    /// <summary>One more path.</summary>
    IAsyncLoaderWithInclude<T> Include(string path);

    /// <summary>Loads a document; null when there is none.</summary>
    Task<T?> LoadAsync(string id, CancellationToken token = default) => LoadAsync<T>(id, token);

    /// <summary>Loads several documents by one request.</summary>
    Task<Dictionary<string, T?>> LoadAsync(IEnumerable<string> ids, CancellationToken token = default) => LoadAsync<T>(ids, token);

    /// <summary>Loads a document of another type than the one whose paths are included; null when there is none.</summary>
    Task<TResult?> LoadAsync<TResult>(string id, CancellationToken token = default);

    /// <summary>Loads several documents, of another type than the one whose paths are included, by one request.</summary>
    Task<Dictionary<string, TResult?>> LoadAsync<TResult>(IEnumerable<string> ids, CancellationToken token = default);
}
