namespace Jackdaw.Search.Vectors;

/// <summary>Bounds of vectors and graphs.</summary>
public static class VectorLimits
{
    /// <summary>The most numbers of a vector. A code of so many bytes still fits a page.</summary>
    public const int DimensionsMax = Entries.Embedding.DimensionsMax;

    /// <summary>The most vectors that the entries of one id may have in a field.</summary>
    public const int VectorsPerDocumentMax = 1000;

    /// <summary>The most neighbours on upper levels. More gain nothing, and a node with its neighbours must fit a page.</summary>
    public const int EdgesMax = 256;

    /// <summary>The most candidates of an insertion or a search.</summary>
    public const int CandidatesMax = 65_536;

    /// <summary>The neighbours of a new vector when nothing else is given.</summary>
    public const int DefaultEdges = 16;

    /// <summary>The candidates from which neighbours are chosen when nothing else is given.</summary>
    public const int DefaultCandidatesForIndexing = 100;

    /// <summary>The highest level. With 16 edges a level has a sixteenth of the nodes below it, so that 2 billion nodes have eight.</summary>
    internal const int LevelMax = 15;
}
