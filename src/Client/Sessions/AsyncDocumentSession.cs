using System.Linq.Expressions;
using Jackdaw.Client.DocumentQueries;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions.Core;
using Jackdaw.Client.Sessions.Events;

namespace Jackdaw.Client.Sessions;

internal sealed class AsyncDocumentSession(SessionCore core, SessionHandlers handlers) : SessionOperations(core, handlers),
    IAsyncDocumentSession, IAsyncAdvancedSessionOperations
{
    public IAsyncAdvancedSessionOperations Advanced => this;

    public AsyncLazySessionOperations Lazily => field ??= new AsyncLazySessionOperations(Core);

    public AsyncEagerSessionOperations Eagerly => field ??= new AsyncEagerSessionOperations(Core);

    public Task<T?> LoadAsync<T>(string? id, CancellationToken token = default) => Core.LoadAsync<T>(id, [], isAsync: true, token).AsTask();

    public Task<Dictionary<string, T?>> LoadAsync<T>(IEnumerable<string> ids, CancellationToken token = default) =>
        Core.LoadAsync<T>(ids, [], isAsync: true, token).AsTask();

    public Task<T?> LoadAsync<T>(string? id, Action<IncludeBuilder<T>> includes, CancellationToken token = default) =>
        Core.LoadAsync<T>(id, IncludeBuilder<T>.ParametersOf(Core, includes), isAsync: true, token).AsTask();

    public Task<Dictionary<string, T?>> LoadAsync<T>(IEnumerable<string> ids, Action<IncludeBuilder<T>> includes, CancellationToken token = default) =>
        Core.LoadAsync<T>(ids, IncludeBuilder<T>.ParametersOf(Core, includes), isAsync: true, token).AsTask();

    public IAsyncLoaderWithInclude<T> Include<T>(Expression<Func<T, object?>> path) => new Loader<T>(Core).Include(path);

    public IAsyncLoaderWithInclude<object> Include(string path) => new Loader<object>(Core).Include(path);

    public Task StoreAsync(object entity, CancellationToken token = default) => Core.StoreAsync(entity, null, null, isAsync: true, token).AsTask();

    public Task StoreAsync(object entity, string id, CancellationToken token = default) => Core.StoreAsync(entity, id, null, isAsync: true, token).AsTask();

    public Task StoreAsync(object entity, string? changeVector, string id, CancellationToken token = default) =>
        Core.StoreAsync(entity, id, changeVector, isAsync: true, token).AsTask();

    public async Task StoreAsync<T>(IEnumerable<T> entities, CancellationToken token = default)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(entities);
        foreach (T entity in entities)
        {
            await Core.StoreAsync(entity, null, null, isAsync: true, token).ConfigureAwait(false);
        }
    }

    public Task SaveChangesAsync(CancellationToken token = default) => Core.SaveAsync(isAsync: true, token).AsTask();

    public IAsyncDocumentQuery<T> AsyncDocumentQuery<T>(string? indexName = null, string? collectionName = null) =>
        Query<T>(indexName, collectionName).ToAsyncDocumentQuery();

    public IAsyncEnumerable<StreamResult<T>> StreamAsync<T>(
        string startsWith, string? matches = null, int start = 0, int pageSize = int.MaxValue, string? startAfter = null, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(startsWith);
        return SessionStreams.ReadAsync<T>(Core, new DocumentStream(startsWith, matches, start, pageSize, startAfter), token);
    }

    public IAsyncEnumerable<StreamResult<T>> StreamAsync<T>(IQueryable<T> query, CancellationToken token = default) =>
        SessionStreams.ReadAsync<T>(Core, DocumentQueryable.ToIndexQuery(query), token);

    public IAsyncEnumerable<StreamResult<T>> StreamAsync<T>(RawQuery<T> query, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(query);
        return SessionStreams.ReadAsync<T>(Core, query.Make(), token);
    }

    public Task LoadIntoStreamAsync(IEnumerable<string> ids, Stream output, CancellationToken token = default) =>
        Core.CopyAsync(ids, output, isAsync: true, token).AsTask();

    public Task LoadStartingWithIntoStreamAsync(
        string prefix, Stream output, string? matches = null, int start = 0, int pageSize = 25, CancellationToken token = default) =>
        Core.CopyAsync(prefix, matches, start, pageSize, output, isAsync: true, token).AsTask();

    public Task<(T? Entity, string? ChangeVector)> ConditionalLoadAsync<T>(string id, string changeVector, CancellationToken token = default) =>
        Core.ConditionalLoadAsync<T>(id, changeVector, isAsync: true, token).AsTask();

    public Task<bool> ExistsAsync(string id, CancellationToken token = default) => ExistsAsync(id, isAsync: true, token).AsTask();

    public Task RefreshAsync(object entity, CancellationToken token = default) => Core.RefreshAsync(entity, isAsync: true, token).AsTask();

    public Task<List<T>> LoadStartingWithAsync<T>(
        string prefix, string? matches = null, int start = 0, int pageSize = 25, CancellationToken token = default) =>
        Core.LoadStartingWithAsync<T>(prefix, matches, start, pageSize, isAsync: true, token).AsTask();

    public ValueTask DisposeAsync()
    {
        Dispose();
        return default;
    }

    private sealed class Loader<T>(SessionCore core) : IAsyncLoaderWithInclude<T>
    {
        private readonly List<string> _includes = [];

        public IAsyncLoaderWithInclude<T> Include(Expression<Func<T, object?>> path) => Include(IncludePath.Of(path, core));

        public IAsyncLoaderWithInclude<T> Include(string path)
        {
            _includes.Add(IncludePath.ParameterOf(path));
            return this;
        }

        public Task<TResult?> LoadAsync<TResult>(string id, CancellationToken token = default) =>
            core.LoadAsync<TResult>(id, _includes, isAsync: true, token).AsTask();

        public Task<Dictionary<string, TResult?>> LoadAsync<TResult>(IEnumerable<string> ids, CancellationToken token = default) =>
            core.LoadAsync<TResult>(ids, _includes, isAsync: true, token).AsTask();
    }
}
