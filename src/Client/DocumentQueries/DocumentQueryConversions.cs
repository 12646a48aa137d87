using Jackdaw.Client.Linq;

namespace Jackdaw.Client.DocumentQueries;

/// <summary>LINQ queries as document queries; <see cref="IDocumentQueryBase{T, TSelf}.ToQueryable"/> is the way back.</summary>
public static class DocumentQueryConversions
{
    /// <summary>A document query that goes on from a LINQ query: its conditions stand before those that are called. The LINQ query stays as it is.</summary>
    /// <exception cref="ArgumentException">It is no query of a session.</exception>
    public static IDocumentQuery<T> ToDocumentQuery<T>(this IQueryable<T> query) => new DocumentQuery<T>(StateOf(query));

    /// <inheritdoc cref="ToDocumentQuery{T}"/>
    public static IAsyncDocumentQuery<T> ToAsyncDocumentQuery<T>(this IQueryable<T> query) => new AsyncDocumentQuery<T>(StateOf(query));

    private static DocumentQueryState StateOf<T>(IQueryable<T> query)
    {
        LinqQuery<T> own = DocumentQueryable.Of(query);
        return new DocumentQueryState(own.DocumentProvider, own.Expression);
    }
}
