namespace Jackdaw.Client.Sessions;

/// <summary>Calls with ids that are not texts: GUIDs, numbers, and types that wrap one of them.</summary>
public static class TypedIdExtensions
{
    /// <summary>Loads a document; null when there is none.</summary>
    /// <param name="id">The value that the id property of <typeparamref name="T"/> has.</param>
    public static Task<T?> LoadAsync<T>(this IAsyncDocumentSession session, object id, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(session);
        return session.LoadAsync<T>(session.Advanced.IdOf<T>(id), token);
    }

    /// <summary>Loads a document, and blocks until it is loaded; null when there is none.</summary>
    /// <param name="id">The value that the id property of <typeparamref name="T"/> has.</param>
    public static T? Load<T>(this IDocumentSession session, object id)
    {
        ArgumentNullException.ThrowIfNull(session);
        return session.Load<T>(session.Advanced.IdOf<T>(id));
    }

    /// <summary>Loads several documents by one request.</summary>
    /// <param name="ids">Values of the id property of <typeparamref name="T"/>.</param>
    /// <returns>Each requested id, with null for documents that do not exist.</returns>
    public static Task<Dictionary<Guid, T?>> LoadAsync<T>(this IAsyncDocumentSession session, IEnumerable<Guid> ids, CancellationToken token = default) =>
        LoadAllAsync<T, Guid>(session, ids, token);

    /// <inheritdoc cref="LoadAsync{T}(IAsyncDocumentSession, IEnumerable{Guid}, CancellationToken)"/>
    public static Task<Dictionary<int, T?>> LoadAsync<T>(this IAsyncDocumentSession session, IEnumerable<int> ids, CancellationToken token = default) =>
        LoadAllAsync<T, int>(session, ids, token);

    /// <inheritdoc cref="LoadAsync{T}(IAsyncDocumentSession, IEnumerable{Guid}, CancellationToken)"/>
    public static Task<Dictionary<long, T?>> LoadAsync<T>(this IAsyncDocumentSession session, IEnumerable<long> ids, CancellationToken token = default) =>
        LoadAllAsync<T, long>(session, ids, token);

    /// <summary>Loads several documents by one request, and blocks until they are loaded.</summary>
    /// <param name="ids">Values of the id property of <typeparamref name="T"/>.</param>
    /// <returns>Each requested id, with null for documents that do not exist.</returns>
    public static Dictionary<Guid, T?> Load<T>(this IDocumentSession session, IEnumerable<Guid> ids) => LoadAll<T, Guid>(session, ids);

    /// <inheritdoc cref="Load{T}(IDocumentSession, IEnumerable{Guid})"/>
    public static Dictionary<int, T?> Load<T>(this IDocumentSession session, IEnumerable<int> ids) => LoadAll<T, int>(session, ids);

    /// <inheritdoc cref="Load{T}(IDocumentSession, IEnumerable{Guid})"/>
    public static Dictionary<long, T?> Load<T>(this IDocumentSession session, IEnumerable<long> ids) => LoadAll<T, long>(session, ids);

    /// <summary>Lets the next save delete a document.</summary>
    /// <typeparam name="T">Class of the document.</typeparam>
    /// <param name="id">The value that the id property of <typeparamref name="T"/> has.</param>
    public static void Delete<T>(this IAsyncDocumentSession session, object id)
    {
        ArgumentNullException.ThrowIfNull(session);
        session.Delete(session.Advanced.IdOf<T>(id));
    }

    /// <inheritdoc cref="Delete{T}(IAsyncDocumentSession, object)"/>
    public static void Delete<T>(this IDocumentSession session, object id)
    {
        ArgumentNullException.ThrowIfNull(session);
        session.Delete(session.Advanced.IdOf<T>(id));
    }

    private static async Task<Dictionary<TId, T?>> LoadAllAsync<T, TId>(IAsyncDocumentSession session, IEnumerable<TId> ids, CancellationToken token)
        where TId : notnull
    {
        ArgumentNullException.ThrowIfNull(session);
        TId[] all = [.. ids.Distinct()];
        Dictionary<string, T?> found = await session.LoadAsync<T>(all.Select(id => session.Advanced.IdOf<T>(id)), token).ConfigureAwait(false);
        return all.ToDictionary(id => id, id => found[session.Advanced.IdOf<T>(id)]);
    }

    private static Dictionary<TId, T?> LoadAll<T, TId>(IDocumentSession session, IEnumerable<TId> ids)
        where TId : notnull
    {
        ArgumentNullException.ThrowIfNull(session);
        TId[] all = [.. ids.Distinct()];
        Dictionary<string, T?> found = session.Load<T>(all.Select(id => session.Advanced.IdOf<T>(id)));
        return all.ToDictionary(id => id, id => found[session.Advanced.IdOf<T>(id)]);
    }
}
