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

    /// <summary>Like <see cref="LoadAsync{T}"/>, but blocks until it is loaded.</summary>
    /// <param name="id">The value that the id property of <typeparamref name="T"/> has.</param>
    public static T? Load<T>(this IDocumentSession session, object id)
    {
        ArgumentNullException.ThrowIfNull(session);
        return session.Load<T>(session.Advanced.IdOf<T>(id));
    }

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
}
