using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Segments.Compiling;

/// <summary>Finds the entries with an id.</summary>
/// <param name="Id">UTF-8.</param>
internal sealed record IdNode(ReadOnlyMemory<byte> Id) : SearchNode;
