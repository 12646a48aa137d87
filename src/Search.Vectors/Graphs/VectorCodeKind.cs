namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>What the codes of a graph are. The numbers are stored.</summary>
internal enum VectorCodeKind : byte
{
    /// <summary>Signed bytes, beside vectors of floats.</summary>
    Bytes = 1,

    /// <summary>One bit for each dimension, beside vectors of floats: when nodes with signed bytes would not fit in memory.</summary>
    Signs = 2,

    /// <summary>Signed bytes that are the vectors.</summary>
    Int8 = 3,

    /// <summary>Bits that are the vectors.</summary>
    Binary = 4,
}
