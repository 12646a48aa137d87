using System.Linq.Expressions;
using Jackdaw.Client.Linq;

namespace Jackdaw.Client.Sessions;

/// <summary>A session whose calls block until they are done, for programs that are not asynchronous. Otherwise it is like
/// <see cref="IAsyncDocumentSession"/>.</summary>
public interface IDocumentSession : IDisposable
{
    /// <summary>What is needed more rarely.</summary>
    ISyncAdvancedSessionOperations Advanced { get; }

    /// <inheritdoc cref="IAsyncDocumentSession.LoadAsync{T}(string?, CancellationToken)"/>
    T? Load<T>(string? id);

    /// <inheritdoc cref="IAsyncDocumentSession.LoadAsync{T}(IEnumerable{string}, CancellationToken)"/>
    Dictionary<string, T?> Load<T>(IEnumerable<string> ids);

    /// <inheritdoc cref="IAsyncDocumentSession.LoadAsync{T}(string?, Action{IncludeBuilder{T}}, CancellationToken)"/>
    T? Load<T>(string? id, Action<IncludeBuilder<T>> includes);

    /// <inheritdoc cref="IAsyncDocumentSession.LoadAsync{T}(IEnumerable{string}, Action{IncludeBuilder{T}}, CancellationToken)"/>
    Dictionary<string, T?> Load<T>(IEnumerable<string> ids, Action<IncludeBuilder<T>> includes);

    /// <inheritdoc cref="IAsyncDocumentSession.Include{T}"/>
    ILoaderWithInclude<T> Include<T>(Expression<Func<T, object?>> path);

    /// <inheritdoc cref="IAsyncDocumentSession.Include(string)"/>
    ILoaderWithInclude<object> Include(string path);

    /// <inheritdoc cref="IAsyncDocumentSession.StoreAsync(object, CancellationToken)"/>
    void Store(object entity);

    /// <inheritdoc cref="IAsyncDocumentSession.StoreAsync(object, string, CancellationToken)"/>
    void Store(object entity, string id);

    /// <inheritdoc cref="IAsyncDocumentSession.StoreAsync(object, string, string, CancellationToken)"/>
    void Store(object entity, string? changeVector, string id);

    /// <inheritdoc cref="IAsyncDocumentSession.Delete{T}(T)"/>
    void Delete<T>(T entity)
        where T : notnull;

    /// <inheritdoc cref="IAsyncDocumentSession.Delete(string)"/>
    void Delete(string id);

    /// <inheritdoc cref="IAsyncDocumentSession.Delete(string, string)"/>
    void Delete(string id, string? expectedChangeVector);

    /// <inheritdoc cref="IAsyncDocumentSession.SaveChangesAsync"/>
    void SaveChanges();

    /// <inheritdoc cref="IAsyncDocumentSession.Query{T}"/>
    IDocumentQueryable<T> Query<T>(string? indexName = null, string? collectionName = null);

    /// <summary>Counters of a document.</summary>
    SessionCounters CountersFor(string id);

    /// <summary>Counters of the document of an object.</summary>
    SessionCounters CountersFor(object entity);
}

/// <summary>A load that includes what the documents refer to.</summary>
/// <typeparam name="T">Type whose paths are named.</typeparam>
public interface ILoaderWithInclude<T>
{
    /// <summary>One more path.</summary>
    ILoaderWithInclude<T> Include(Expression<Func<T, object?>> path);

    /// <summary>One more path.</summary>
    ILoaderWithInclude<T> Include(string path);

    /// <summary>Loads a document; null when there is none.</summary>
    T? Load(string id) => Load<T>(id);

    /// <summary>Loads several documents by one request.</summary>
    Dictionary<string, T?> Load(IEnumerable<string> ids) => Load<T>(ids);

    /// <summary>Loads a document of another type than the one whose paths are included; null when there is none.</summary>
    TResult? Load<TResult>(string id);

    /// <summary>Loads several documents, of another type than the one whose paths are included, by one request.</summary>
    Dictionary<string, TResult?> Load<TResult>(IEnumerable<string> ids);
}
