using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;

namespace Jackdaw.Search.Vectors;

/// <summary>One search that may have conditions on vectors, over all its pages. It finds the nearest vectors once, and asks the engine for their entries.
/// One thread at a time.</summary>
public sealed class VectorSearch
{
    /// <param name="query">The condition; it need not have conditions on vectors.</param>
    /// <param name="wanted">The number of hits that all pages together can have; <see cref="long.MaxValue"/> for all.</param>
    public VectorSearch(VectorSearchIndex index, SearchNode query, long wanted)
    {
        _ = index;
        _ = wanted;
        Resolved = query;
    }

    /// <summary>The condition without <see cref="VectorNode"/>s, for the other questions to the engine. It is the condition as given until the first search.
    /// </summary>
    public SearchNode Resolved { get; private set; }

    /// <summary>Searches a page.</summary>
    /// <param name="request">Its query is that of this search.</param>
    /// <exception cref="InvalidSearchException">A vector has other dimensions than the field.</exception>
    public SearchResults Search(Searcher searcher, SearchRequest request, CancellationToken cancellationToken) =>
        searcher.Search(request with { Query = Resolved }, cancellationToken);

    /// <summary>Finds all vectors that match, for answers that count entries, such as facets.</summary>
    /// <exception cref="InvalidSearchException">A vector has other dimensions than the field.</exception>
    public void Resolve(Searcher searcher, CancellationToken cancellationToken)
    {
    }
}
