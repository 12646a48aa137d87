using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.Sessions;

/// <summary>Loads that are sent together, as one request, when the first of their values is needed. What the session knows needs no
/// request.</summary>
/// <remarks>When one of them fails, its value throws the error, which names the call; the others have their values. When the request as a whole
/// failed, the next value sends it again.</remarks>
public sealed class LazySessionOperations
{
    private readonly SessionCore _core;

    internal LazySessionOperations(SessionCore core) => _core = core;

    /// <summary>Loads a document; null when there is none.</summary>
    public Lazy<T?> Load<T>(string? id) => Of(_core, _core.LoadLazily<T>(id, []));

    /// <summary>Loads several documents; null for those that do not exist.</summary>
    public Lazy<Dictionary<string, T?>> Load<T>(IEnumerable<string> ids) => Of(_core, _core.LoadLazily<T>(ids, []));

    /// <summary>Loads documents whose ids begin with a text, in the order of their ids.</summary>
    /// <param name="matches">Patterns for the rest of the id, with <c>*</c> and <c>?</c>, and <c>|</c> between them; null for any.</param>
    public Lazy<List<T>> LoadStartingWith<T>(string prefix, string? matches = null, int start = 0, int pageSize = 25) =>
        Of(_core, _core.LoadStartingWithLazily<T>(prefix, matches, start, pageSize));

    /// <summary>Includes the documents that a property of the loaded documents refers to.</summary>
    public LazyLoaderWithInclude<T> Include<T>(Expression<Func<T, object?>> path) => new LazyLoaderWithInclude<T>(_core).Include(path);

    /// <summary>Like above, with a path such as <c>CompanyId</c> or <c>Lines[].Product</c>.</summary>
    public LazyLoaderWithInclude<object> Include(string path) => new LazyLoaderWithInclude<object>(_core).Include(path);

    [UnconditionalSuppressMessage("Trimming", "IL2091", Justification = "Values come from the answer, and never from the constructor of their type.")]
    internal static Lazy<T> Of<T>(SessionCore core, LazyRead<T> read) =>
        new(() => Completed.Result(core.ValueAsync(read, isAsync: false, default)), LazyThreadSafetyMode.PublicationOnly);
}

/// <summary>A lazy load that includes what the documents refer to.</summary>
/// <typeparam name="T">Type whose paths are named.</typeparam>
public sealed class LazyLoaderWithInclude<T>
{
    private readonly SessionCore _core;
    private readonly List<string> _includes = [];

    internal LazyLoaderWithInclude(SessionCore core) => _core = core;

    /// <summary>One more path.</summary>
    public LazyLoaderWithInclude<T> Include(Expression<Func<T, object?>> path) => Include(IncludePath.Of(path, _core));

    /// <summary>One more path.</summary>
    public LazyLoaderWithInclude<T> Include(string path)
    {
        _includes.Add(IncludePath.ParameterOf(path));
        return this;
    }

    /// <summary>Loads a document; null when there is none.</summary>
    public Lazy<T?> Load(string? id) => Load<T>(id);

    /// <inheritdoc cref="Load(string)"/>
    public Lazy<TResult?> Load<TResult>(string? id) => LazySessionOperations.Of(_core, _core.LoadLazily<TResult>(id, [.. _includes]));

    /// <summary>Loads several documents; null for those that do not exist.</summary>
    public Lazy<Dictionary<string, TResult?>> Load<TResult>(IEnumerable<string> ids) =>
        LazySessionOperations.Of(_core, _core.LoadLazily<TResult>(ids, [.. _includes]));
}

/// <summary>Lazy operations that are needed now.</summary>
public sealed class EagerSessionOperations
{
    private readonly SessionCore _core;

    internal EagerSessionOperations(SessionCore core) => _core = core;

    /// <summary>Sends all lazy operations that wait, as one request, and blocks until it is answered.</summary>
    /// <exception cref="Exceptions.DocumentDatabaseException">One of them has failed, which the message names; the others have their
    /// values.</exception>
    public void ExecuteAllPendingLazyOperations() => Completed.Result(_core.ExecuteLazyAsync(isAsync: false, default));
}
