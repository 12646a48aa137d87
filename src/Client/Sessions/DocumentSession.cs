using System.Linq.Expressions;
using Jackdaw.Client.DocumentQueries;
using Jackdaw.Client.Http;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions.Core;
using Jackdaw.Client.Sessions.Events;

namespace Jackdaw.Client.Sessions;

internal sealed class DocumentSession(SessionCore core, SessionHandlers handlers) : SessionOperations(core, handlers),
    IDocumentSession, ISyncAdvancedSessionOperations
{
    public ISyncAdvancedSessionOperations Advanced => this;

    public LazySessionOperations Lazily => field ??= new LazySessionOperations(Core);

    public EagerSessionOperations Eagerly => field ??= new EagerSessionOperations(Core);

    public T? Load<T>(string? id) => Completed.Result(Core.LoadAsync<T>(id, [], isAsync: false, default));

    public Dictionary<string, T?> Load<T>(IEnumerable<string> ids) => Completed.Result(Core.LoadAsync<T>(ids, [], isAsync: false, default));

    public T? Load<T>(string? id, Action<IncludeBuilder<T>> includes) =>
        Completed.Result(Core.LoadAsync<T>(id, IncludeBuilder<T>.ParametersOf(Core, includes), isAsync: false, default));

    public Dictionary<string, T?> Load<T>(IEnumerable<string> ids, Action<IncludeBuilder<T>> includes) =>
        Completed.Result(Core.LoadAsync<T>(ids, IncludeBuilder<T>.ParametersOf(Core, includes), isAsync: false, default));

    public ILoaderWithInclude<T> Include<T>(Expression<Func<T, object?>> path) => new Loader<T>(Core).Include(path);

    public ILoaderWithInclude<object> Include(string path) => new Loader<object>(Core).Include(path);

    public void Store(object entity) => Completed.Result(Core.StoreAsync(entity, null, null, isAsync: false, default));

    public void Store(object entity, string id) => Completed.Result(Core.StoreAsync(entity, id, null, isAsync: false, default));

    public void Store(object entity, string? changeVector, string id) => Completed.Result(Core.StoreAsync(entity, id, changeVector, isAsync: false, default));

    public void Store<T>(IEnumerable<T> entities)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(entities);
        foreach (T entity in entities)
        {
            Store(entity);
        }
    }

    public void SaveChanges() => Completed.Result(Core.SaveAsync(isAsync: false, default));

    public IDocumentQuery<T> DocumentQuery<T>(string? indexName = null, string? collectionName = null) =>
        Query<T>(indexName, collectionName).ToDocumentQuery();

    public IEnumerable<StreamResult<T>> Stream<T>(
        string startsWith, string? matches = null, int start = 0, int pageSize = int.MaxValue, string? startAfter = null)
    {
        ArgumentNullException.ThrowIfNull(startsWith);
        return SessionStreams.Read<T>(Core, new DocumentStream(startsWith, matches, start, pageSize, startAfter));
    }

    public IEnumerable<StreamResult<T>> Stream<T>(IQueryable<T> query) => SessionStreams.Read<T>(Core, DocumentQueryable.ToIndexQuery(query));

    public IEnumerable<StreamResult<T>> Stream<T>(RawQuery<T> query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return SessionStreams.Read<T>(Core, query.Make());
    }

    public void LoadIntoStream(IEnumerable<string> ids, Stream output) => Completed.Result(Core.CopyAsync(ids, output, isAsync: false, default));

    public void LoadStartingWithIntoStream(string prefix, Stream output, string? matches = null, int start = 0, int pageSize = 25) =>
        Completed.Result(Core.CopyAsync(prefix, matches, start, pageSize, output, isAsync: false, default));

    public (T? Entity, string? ChangeVector) ConditionalLoad<T>(string id, string changeVector) =>
        Completed.Result(Core.ConditionalLoadAsync<T>(id, changeVector, isAsync: false, default));

    public bool Exists(string id) => Completed.Result(ExistsAsync(id, isAsync: false, default));

    public void Refresh(object entity) => Completed.Result(Core.RefreshAsync(entity, isAsync: false, default));

    public List<T> LoadStartingWith<T>(string prefix, string? matches = null, int start = 0, int pageSize = 25) =>
        Completed.Result(Core.LoadStartingWithAsync<T>(prefix, matches, start, pageSize, isAsync: false, default));

    private sealed class Loader<T>(SessionCore core) : ILoaderWithInclude<T>
    {
        private readonly List<string> _includes = [];

        public ILoaderWithInclude<T> Include(Expression<Func<T, object?>> path) => Include(IncludePath.Of(path, core));

        public ILoaderWithInclude<T> Include(string path)
        {
            _includes.Add(IncludePath.ParameterOf(path));
            return this;
        }

        public TResult? Load<TResult>(string id) => Completed.Result(core.LoadAsync<TResult>(id, _includes, isAsync: false, default));

        public Dictionary<string, TResult?> Load<TResult>(IEnumerable<string> ids) =>
            Completed.Result(core.LoadAsync<TResult>(ids, _includes, isAsync: false, default));
    }
}
