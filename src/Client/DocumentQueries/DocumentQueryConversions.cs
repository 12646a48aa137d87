using Jackdaw.Client.Linq;

namespace Jackdaw.Client.DocumentQueries;

/// <summary>Makes document queries from LINQ queries. <see cref="IDocumentQueryBase{T, TSelf}.ToQueryable"/> is the way back.</summary>
public static class DocumentQueryConversions
{
    /// <summary>A document query that continues a LINQ query: the conditions of the LINQ query come first. The LINQ query is not changed.</summary>
    /// <exception cref="ArgumentException">The query is not a query of a session.</exception>
    public static IDocumentQuery<T> ToDocumentQuery<T>(this IQueryable<T> query) => new DocumentQuery<T>(StateOf(query));

    /// <inheritdoc cref="ToDocumentQuery{T}"/>
    public static IAsyncDocumentQuery<T> ToAsyncDocumentQuery<T>(this IQueryable<T> query) => new AsyncDocumentQuery<T>(StateOf(query));

    private static DocumentQueryState StateOf<T>(IQueryable<T> query)
    {
        LinqQuery<T> own = DocumentQueryable.Of(query);
        return new DocumentQueryState(own.DocumentProvider, own.Expression);
    }
}
