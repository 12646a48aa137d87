using System.Runtime.CompilerServices;
using Jackdaw.Search.Vectors.Codes;
using Jackdaw.Storage;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>A graph as one transaction sees it: its records in memory. Several threads may read at the same time.</summary>
internal sealed unsafe class GraphView
{
    private GraphHeader _header;

    public GraphView(VectorGraph graph)
    {
        Graph = graph;
        Layout = graph.Layout;
        Nodes = new ColumnView(Layout.NodeSize, isStream: false);
        Uppers = new ColumnView(Layout.UpperSize, isStream: false);
        Vectors = new ColumnView(Layout.VectorSize, isStream: true);
        Codes = new ColumnView(Layout.CodeSize, isStream: false);
    }

    public VectorGraph Graph { get; }

    public GraphLayout Layout { get; }

    public ref GraphHeader Header => ref _header;

    public ColumnView Nodes { get; }

    public ColumnView Uppers { get; }

    public ColumnView Vectors { get; }

    public ColumnView Codes { get; }

    /// <summary>Begins with a snapshot.</summary>
    /// <param name="isSameState">Whether it sees the same state as the one before.</param>
    public void Begin(TreeCatalog trees, PageReader pages, in GraphHeader header, bool isSameState = false)
    {
        _header = header;
        Nodes.Begin(pages, Graph.Find(trees, pages, 0), isSameState);
        Uppers.Begin(pages, Graph.Find(trees, pages, 1), isSameState);
        Vectors.Begin(pages, Graph.Find(trees, pages, 2), isSameState);
        Codes.Begin(pages, Graph.Find(trees, pages, 3), isSameState);
    }

    /// <summary>Begins with a write transaction.</summary>
    public void BeginWrite(TreeCatalog trees, PageWriter pages, in GraphHeader header)
    {
        _header = header;
        Nodes.Begin(pages, Graph.Create(trees, pages, 0));
        Uppers.Begin(pages, Graph.Create(trees, pages, 1));
        Vectors.Begin(pages, Graph.Create(trees, pages, 2));
        Codes.Begin(pages, Graph.Create(trees, pages, 3));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public sbyte* Code(uint node) => (sbyte*)Codes.At(node);

    public NodeFlags Flags(uint node) => (NodeFlags)Nodes.At(node)[GraphLayout.FlagsOffset];

    public int Level(uint node) => Nodes.At(node)[GraphLayout.LevelOffset];

    public uint Users(uint node) => Unsafe.ReadUnaligned<uint>(Nodes.At(node) + GraphLayout.UsersOffset);

    /// <summary>The neighbours of a node on a level that it has.</summary>
    /// <exception cref="CorruptionException">There are more than the record can have.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint* Neighbours(uint node, int level, out int count)
    {
        byte* record = Nodes.At(node);
        if (level == 0)
        {
            count = Unsafe.ReadUnaligned<ushort>(record + GraphLayout.CountOffset);
            if (count > Layout.LowestEdges)
            {
                throw Damaged(node);
            }

            return (uint*)(record + GraphLayout.NeighboursOffset);
        }

        return UpperNeighbours(record, node, level, out count);
    }

    /// <summary>The neighbours of a node on a level that it has, checked.</summary>
    public ReadOnlySpan<uint> Neighbours(uint node, int level = 0)
    {
        var neighbours = new ReadOnlySpan<uint>(Neighbours(node, level, out int count), count);
        foreach (uint neighbour in neighbours)
        {
            if (neighbour >= _header.Nodes)
            {
                throw Damaged(node);
            }
        }

        return neighbours;
    }

    /// <summary>1 minus the cosine of a vector of length 1 and that of a node, as their codes have it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public float CodeDistance(sbyte* code, uint node) => 1 - Int8Code.Cosine(code, Code(node), Layout.CodeLength);

    /// <summary>1 minus the cosine of the vectors of two nodes.</summary>
    public float VectorDistance(uint a, uint b)
    {
        long offset = (long)a * Layout.VectorSize;
        long other = (long)b * Layout.VectorSize;
        float sum = 0;
        for (int left = Layout.Dimensions; left > 0;)
        {
            float* first = (float*)Vectors.At(offset, out int leftOfFirst);
            float* second = (float*)Vectors.At(other, out int leftOfSecond);
            int count = Math.Min(left, Math.Min(leftOfFirst, leftOfSecond) / sizeof(float));
            sum += VectorKernels.Dot(first, second, count);
            left -= count;
            offset += count * sizeof(float);
            other += count * sizeof(float);
        }

        return 1 - sum;
    }

    /// <summary>The cosine of a vector of length 1 and that of a node.</summary>
    public float Cosine(float* vector, uint node)
    {
        long offset = (long)node * Layout.VectorSize;
        float sum = 0;
        for (int done = 0; done < Layout.Dimensions;)
        {
            float* stored = (float*)Vectors.At(offset, out int left);
            int count = Math.Min(left / sizeof(float), Layout.Dimensions - done);
            sum += VectorKernels.Dot(vector + done, stored, count);
            done += count;
            offset += count * sizeof(float);
        }

        return sum;
    }

    public void CopyVector(uint node, Span<float> vector)
    {
        long offset = (long)node * Layout.VectorSize;
        for (int done = 0; done < Layout.Dimensions;)
        {
            float* stored = (float*)Vectors.At(offset, out int left);
            int count = Math.Min(left / sizeof(float), Layout.Dimensions - done);
            new ReadOnlySpan<float>(stored, count).CopyTo(vector[done..]);
            done += count;
            offset += count * sizeof(float);
        }
    }

    /// <summary>Whether a node has exactly these numbers.</summary>
    public bool HasVector(uint node, ReadOnlySpan<float> vector)
    {
        long offset = (long)node * Layout.VectorSize;
        for (int done = 0; done < Layout.Dimensions;)
        {
            float* stored = (float*)Vectors.At(offset, out int left);
            int count = Math.Min(left / sizeof(float), Layout.Dimensions - done);
            if (!new ReadOnlySpan<float>(stored, count).SequenceEqual(vector.Slice(done, count)))
            {
                return false;
            }

            done += count;
            offset += count * sizeof(float);
        }

        return true;
    }

    public CorruptionException Damaged(uint node) =>
        new($"The graph of the vectors of field '{Graph.Field}' is damaged at node {node}: delete the index, so that it is built again.");

    private uint* UpperNeighbours(byte* record, uint node, int level, out int count)
    {
        uint number = Unsafe.ReadUnaligned<uint>(record + GraphLayout.FirstUpperOffset) + (uint)level - 1;
        if (level > record[GraphLayout.LevelOffset] || number >= _header.UpperRecords)
        {
            throw Damaged(node);
        }

        byte* upper = Uppers.At(number);
        uint stored = Unsafe.ReadUnaligned<uint>(upper);
        if (stored > (uint)Layout.Edges)
        {
            throw Damaged(node);
        }

        count = (int)stored;
        return (uint*)(upper + GraphLayout.UpperNeighboursOffset);
    }
}
