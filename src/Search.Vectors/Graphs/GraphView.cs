using System.Runtime.CompilerServices;
using Jackdaw.Search.Vectors.Codes;
using Jackdaw.Storage;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>A graph as one transaction sees it: its records in memory. Several threads may read at the same time.</summary>
internal sealed unsafe class GraphView
{
    private readonly int _int8Length; // 0: codes of another kind
    private GraphHeader _header;

    public GraphView(VectorGraph graph)
    {
        Graph = graph;
        Layout = graph.Layout;
        _int8Length = (Layout.Code as Int8Code)?.Length ?? 0;
        Nodes = new ColumnView(Layout.NodeSize, isStream: false);
        Uppers = new ColumnView(Layout.UpperSize, isStream: false);
        Vectors = new ColumnView(Layout.VectorSize, isStream: true);
        Codes = new ColumnView(Layout.Code.Size, isStream: false);
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
        Nodes.Begin(pages, Graph.Find(trees, pages, GraphColumn.Nodes), isSameState);
        Uppers.Begin(pages, Graph.Find(trees, pages, GraphColumn.Upper), isSameState);
        Codes.Begin(pages, Graph.Find(trees, pages, GraphColumn.Codes), isSameState);
        if (Layout.HasVectors)
        {
            Vectors.Begin(pages, Graph.Find(trees, pages, GraphColumn.Vectors), isSameState);
        }

        CheckSizes();
    }

    /// <summary>Begins with a write transaction.</summary>
    public void BeginWrite(TreeCatalog trees, PageWriter pages, in GraphHeader header)
    {
        _header = header;
        Nodes.Begin(pages, Graph.Create(trees, pages, GraphColumn.Nodes));
        Uppers.Begin(pages, Graph.Create(trees, pages, GraphColumn.Upper));
        Codes.Begin(pages, Graph.Create(trees, pages, GraphColumn.Codes));
        if (Layout.HasVectors)
        {
            Vectors.Begin(pages, Graph.Create(trees, pages, GraphColumn.Vectors));
        }

        CheckSizes();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* Code(uint node) => Codes.At(node);

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

    /// <summary>1 minus the cosine of a query and the vector of a node, as their codes have it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public float CodeDistance(byte* query, uint node) =>
        _int8Length > 0 ? 1 - Int8Code.Cosine(query, Code(node), _int8Length) : Layout.Code.Distance(query, Code(node));

    /// <summary>1 minus the cosine of the vectors of two nodes, as their codes have it.</summary>
    /// <param name="code">That of the one node.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public float DistanceBetween(byte* code, uint node) =>
        _int8Length > 0 ? 1 - Int8Code.Cosine(code, Code(node), _int8Length) : Layout.Code.DistanceBetween(code, Code(node));

    /// <summary>1 minus the cosine of the vectors of two nodes.</summary>
    /// <remarks>That is half their squared distance, as their length is 1. So it is exact for vectors that hardly differ, where the cosine is rounded to 1.
    /// </remarks>
    public float VectorDistance(uint a, uint b)
    {
        if (!Layout.HasVectors)
        {
            return DistanceBetween(Code(a), b);
        }

        long offset = (long)a * Layout.VectorSize;
        long other = (long)b * Layout.VectorSize;
        float sum = 0;
        for (int left = Layout.Dimensions; left > 0;)
        {
            float* first = (float*)Vectors.At(offset, out int leftOfFirst);
            float* second = (float*)Vectors.At(other, out int leftOfSecond);
            int count = Math.Min(left, Math.Min(leftOfFirst, leftOfSecond) / sizeof(float));
            sum += VectorKernels.SquaredDistance(first, second, count);
            left -= count;
            offset += count * sizeof(float);
            other += count * sizeof(float);
        }

        return sum / 2;
    }

    /// <summary>1 minus the cosine of a vector and that of a node.</summary>
    /// <param name="vector">As <see cref="CopyVector"/> gives it.</param>
    /// <param name="query">The query of the same vector.</param>
    public float VectorDistance(float* vector, byte* query, uint node)
    {
        if (!Layout.HasVectors)
        {
            return CodeDistance(query, node);
        }

        long offset = (long)node * Layout.VectorSize;
        float sum = 0;
        for (int done = 0; done < Layout.Dimensions;)
        {
            float* stored = (float*)Vectors.At(offset, out int left);
            int count = Math.Min(left / sizeof(float), Layout.Dimensions - done);
            sum += VectorKernels.SquaredDistance(vector + done, stored, count);
            done += count;
            offset += count * sizeof(float);
        }

        return sum / 2;
    }

    /// <summary>The vector of a node: of length 1, or as it was given if codes are exact.</summary>
    public void CopyVector(uint node, Span<float> vector)
    {
        if (!Layout.HasVectors)
        {
            fixed (float* numbers = vector)
            {
                Layout.Code.Decode(Code(node), numbers);
            }

            return;
        }

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

    /// <summary>Adds the pages with the vector of a node.</summary>
    public void AddVectorPages(uint node, List<PageNumber> pages)
    {
        long offset = (long)node * Layout.VectorSize;
        long last = (offset + Layout.VectorSize - 1) / Page.BodySize;
        for (long page = offset / Page.BodySize; page <= last; page++)
        {
            pages.Add(Vectors.PageAt(page));
        }
    }

    public CorruptionException Damaged(uint node) =>
        new($"The graph of the vectors of field '{Graph.Field}' is damaged at node {node}: delete the index, so that it is built again.");

    // From here on a number below those of the header is in its column.
    private void CheckSizes()
    {
        if (!Nodes.Holds(_header.Nodes) || !Codes.Holds(_header.Nodes) || !Uppers.Holds(_header.UpperRecords)
            || (Layout.HasVectors && !Vectors.Holds(_header.Nodes)))
        {
            throw new CorruptionException($"The graph of the vectors of field '{Graph.Field}' has {_header.Nodes:N0} nodes by its header, but its columns end "
                + "before: delete the index, so that it is built again.");
        }
    }

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
