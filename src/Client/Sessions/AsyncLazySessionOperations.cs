using System.Linq.Expressions;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.Sessions;

/// <summary>Loads that are sent together, as one request, when the first of their values is needed. What the session knows needs no
/// request.</summary>
/// <remarks>When one of them fails, its value throws the error, which names the call; the others have their values. A failed task stays failed:
/// begin a new one.</remarks>
public sealed class AsyncLazySessionOperations
{
    private readonly SessionCore _core;

    internal AsyncLazySessionOperations(SessionCore core) => _core = core;

    /// <summary>Loads a document; null when there is none.</summary>
    public Lazy<Task<T?>> LoadAsync<T>(string? id, CancellationToken token = default) => Of(_core, _core.LoadLazily<T>(id, []), token);

    /// <summary>Loads several documents; null for those that do not exist.</summary>
    public Lazy<Task<Dictionary<string, T?>>> LoadAsync<T>(IEnumerable<string> ids, CancellationToken token = default) =>
        Of(_core, _core.LoadLazily<T>(ids, []), token);

    /// <summary>Loads documents whose ids begin with a text, in the order of their ids.</summary>
    /// <param name="matches">Patterns for the rest of the id, with <c>*</c> and <c>?</c>, and <c>|</c> between them; null for any.</param>
    public Lazy<Task<List<T>>> LoadStartingWithAsync<T>(
        string prefix, string? matches = null, int start = 0, int pageSize = 25, CancellationToken token = default) =>
        Of(_core, _core.LoadStartingWithLazily<T>(prefix, matches, start, pageSize), token);

    /// <summary>Includes the documents that a property of the loaded documents refers to.</summary>
    public AsyncLazyLoaderWithInclude<T> Include<T>(Expression<Func<T, object?>> path) => new AsyncLazyLoaderWithInclude<T>(_core).Include(path);

    /// <summary>Like above, with a path such as <c>CompanyId</c> or <c>Lines[].Product</c>.</summary>
    public AsyncLazyLoaderWithInclude<object> Include(string path) => new AsyncLazyLoaderWithInclude<object>(_core).Include(path);

    internal static Lazy<Task<T>> Of<T>(SessionCore core, LazyRead<T> read, CancellationToken token) =>
        new(() => core.ValueAsync(read, isAsync: true, token).AsTask());
}

/// <summary>A lazy load that includes what the documents refer to.</summary>
/// <typeparam name="T">Type whose paths are named.</typeparam>
public sealed class AsyncLazyLoaderWithInclude<T>
{
    private readonly SessionCore _core;
    private readonly List<string> _includes = [];

    internal AsyncLazyLoaderWithInclude(SessionCore core) => _core = core;

    /// <summary>One more path.</summary>
    public AsyncLazyLoaderWithInclude<T> Include(Expression<Func<T, object?>> path) => Include(IncludePath.Of(path, _core));

    /// <summary>One more path.</summary>
    public AsyncLazyLoaderWithInclude<T> Include(string path)
    {
        _includes.Add(IncludePath.ParameterOf(path));
        return this;
    }

    /// <summary>Loads a document; null when there is none.</summary>
    public Lazy<Task<T?>> LoadAsync(string? id, CancellationToken token = default) => LoadAsync<T>(id, token);

    /// <inheritdoc cref="LoadAsync(string, CancellationToken)"/>
    public Lazy<Task<TResult?>> LoadAsync<TResult>(string? id, CancellationToken token = default) =>
        AsyncLazySessionOperations.Of(_core, _core.LoadLazily<TResult>(id, [.. _includes]), token);

    /// <summary>Loads several documents; null for those that do not exist.</summary>
    public Lazy<Task<Dictionary<string, TResult?>>> LoadAsync<TResult>(IEnumerable<string> ids, CancellationToken token = default) =>
        AsyncLazySessionOperations.Of(_core, _core.LoadLazily<TResult>(ids, [.. _includes]), token);
}

/// <summary>Lazy operations that are needed now.</summary>
public sealed class AsyncEagerSessionOperations
{
    private readonly SessionCore _core;

    internal AsyncEagerSessionOperations(SessionCore core) => _core = core;

    /// <summary>Sends all lazy operations that wait, as one request.</summary>
    /// <exception cref="Exceptions.DocumentDatabaseException">One of them has failed, which the message names; the others have their
    /// values.</exception>
    public Task ExecuteAllPendingLazyOperationsAsync(CancellationToken token = default) => _core.ExecuteLazyAsync(isAsync: true, token).AsTask();
}
