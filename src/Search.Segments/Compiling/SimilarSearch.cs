using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Segments.Compiling;

/// <summary>Finds the conditions that stand for "more like this", which needs searches of its own.</summary>
internal interface ISimilarSearch
{
    SearchNode Read(SimilarNode node, CancellationToken cancellation);
}
