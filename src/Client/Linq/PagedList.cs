namespace Jackdaw.Client.Linq;

/// <summary>One page of the results of a query.</summary>
/// <typeparam name="T">Of the results.</typeparam>
/// <param name="Items">The results of the page.</param>
/// <param name="PageNumber">Number of the page; the first one is 1.</param>
/// <param name="PageSize">Results of a full page.</param>
/// <param name="TotalCount">All results.</param>
/// <param name="IsStale">Whether the index had not read everything that was written, so that results may be missing.</param>
public sealed record PagedList<T>(IReadOnlyList<T> Items, int PageNumber, int PageSize, long TotalCount, bool IsStale)
{
    /// <summary>Number of pages.</summary>
    public long PageCount => (TotalCount + PageSize - 1) / PageSize;

    /// <summary>Whether there is a page after this one.</summary>
    public bool HasNextPage => PageNumber < PageCount;

    /// <summary>Whether there is a page before this one.</summary>
    public bool HasPreviousPage => PageNumber > 1;
}
