using System.Collections.Concurrent;
using Jackdaw.Client.Indexes;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;

namespace Jackdaw.Client;

/// <summary>Queries of indexes by the classes that define them.</summary>
public static class IndexQueries
{
    // A definition is made only once, to get its name, because its expressions take time.
    private static readonly ConcurrentDictionary<Type, string> s_names = new();

    /// <summary>A query of an index: <c>session.Query&lt;User, Users_ByName&gt;()</c>.</summary>
    /// <typeparam name="T">A type whose properties are the fields: those of the documents, or of results of a reduce.</typeparam>
    /// <typeparam name="TIndex">The class that defines the index.</typeparam>
    public static IDocumentQueryable<T> Query<T, TIndex>(this IAsyncDocumentSession session) where TIndex : IAbstractIndexCreationTask, new()
    {
        ArgumentNullException.ThrowIfNull(session);
        return session.Query<T>(NameOf<TIndex>());
    }

    /// <inheritdoc cref="Query{T, TIndex}(IAsyncDocumentSession)"/>
    public static IDocumentQueryable<T> Query<T, TIndex>(this IDocumentSession session) where TIndex : IAbstractIndexCreationTask, new()
    {
        ArgumentNullException.ThrowIfNull(session);
        return session.Query<T>(NameOf<TIndex>());
    }

    private static string NameOf<TIndex>() where TIndex : IAbstractIndexCreationTask, new() =>
        s_names.GetOrAdd(typeof(TIndex), static _ => new TIndex().IndexName);
}
