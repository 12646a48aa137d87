namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>Bounds of vectors and graphs.</summary>
internal static class GraphLimits
{
    /// <summary>The most numbers of a vector. A code with as many bytes still fits a page.</summary>
    public const int DimensionsMax = Entries.Embedding.DimensionsMax;

    /// <summary>The most neighbours on upper levels. More gain nothing, and a node with its neighbours must fit a page.</summary>
    public const int EdgesMax = Entries.VectorSettings.EdgesMax;

    /// <summary>The neighbours of a new vector when nothing else is given.</summary>
    public const int DefaultEdges = 16;

    /// <summary>The candidates from which neighbours are chosen when nothing else is given.</summary>
    public const int DefaultCandidatesForIndexing = 100;

    /// <summary>The highest level. With 16 edges a level has a sixteenth of the nodes below it, so that 2 billion nodes have eight.</summary>
    public const int LevelMax = 15;

    /// <summary>The bytes of a graph that may be expected to stay in memory: half of what the process may use. The limit of a container counts.</summary>
    public static long Memory { get; } = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 2;
}
