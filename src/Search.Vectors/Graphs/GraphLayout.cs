using Jackdaw.Search.Vectors.Codes;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>The sizes of the records of one graph. Immutable.</summary>
/// <remarks>
/// <code>
/// column   record
/// nodes    first upper record u32, neighbours u16, level u8, flags u8, users u32, then the neighbours of the lowest level, each u32
/// upper    one per node and level above the lowest, those of a node in a row: count u32, then the neighbours, each u32
/// vectors  the numbers of a vector of length 1, each a float; a record may go on in the next page. None if codes are exact
/// codes    see <see cref="Int8Code"/>, <see cref="SignCode"/> and <see cref="BinaryCode"/>
/// </code>
/// The users of a free node are the next free node, plus 1.
/// </remarks>
internal sealed class GraphLayout(int dimensions, int edges, VectorCode code)
{
    public const int FirstUpperOffset = 0;
    public const int CountOffset = 4;
    public const int LevelOffset = 6;
    public const int FlagsOffset = 7;
    public const int UsersOffset = 8;
    public const int NeighboursOffset = 12;
    public const int UpperNeighboursOffset = 4;

    /// <summary>Neighbours of a node above the lowest level.</summary>
    public int Edges => edges;

    /// <summary>Neighbours of a node on the lowest level.</summary>
    public int LowestEdges => 2 * edges;

    public int Dimensions => dimensions;

    public int NodeSize => NeighboursOffset + (2 * edges * sizeof(uint));

    public int UpperSize => UpperNeighboursOffset + (edges * sizeof(uint));

    public int VectorSize => dimensions * sizeof(float);

    public VectorCode Code => code;

    /// <summary>Whether vectors are kept beside their codes.</summary>
    public bool HasVectors => !code.IsExact;

    /// <summary>The bytes of a node that walks read.</summary>
    public int WalkedSize => NodeSize + code.Size;

    /// <summary>Writes a vector as the graph keeps it: only its direction if its numbers are floats.</summary>
    /// <param name="given">Finite numbers, not all 0.</param>
    public void Write(ReadOnlySpan<float> given, Span<float> kept)
    {
        if (HasVectors)
        {
            UnitVector.Write(given, kept);
        }
        else
        {
            for (int i = 0; i < given.Length; i++)
            {
                kept[i] = given[i] + 0f; // not -0, which a code does not keep
            }
        }
    }

    public int EdgesOf(int level) => level == 0 ? LowestEdges : Edges;
}

/// <summary>States of a node.</summary>
[Flags]
internal enum NodeFlags : byte
{
    None = 0,

    /// <summary>No entry has the node; walks go through it and leave it out.</summary>
    Dead = 1,

    /// <summary>No node has it as a neighbour; it waits for another vector.</summary>
    Free = 2,
}
