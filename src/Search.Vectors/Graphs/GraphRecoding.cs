using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>Writes a code of one bit for each dimension beside that of signed bytes, in steps. With the last step it takes its place.</summary>
/// <remarks>Batches may come between two steps. They write both codes of a node that has both. It is for one transaction.</remarks>
internal sealed unsafe class GraphRecoding
{
    private const uint NodesPerStep = 2000;

    /// <summary>With fewer dimensions one bit for each says too little.</summary>
    private const int DimensionsMin = 256;

    private readonly GraphView _view;
    private readonly TreeCatalog _trees;
    private readonly PageWriter _pages;
    private readonly VectorGraph _next;
    private readonly ColumnView _codes;

    public GraphRecoding(GraphView view, TreeCatalog trees, PageWriter pages)
    {
        _view = view;
        _trees = trees;
        _pages = pages;
        GraphHeader next = view.Header;
        next.CodeKind = VectorCodeKind.Signs;
        _next = new VectorGraph(view.Graph.Field, next);
        _codes = new ColumnView(_next.Layout.Code.Size, isStream: false);
        _codes.Begin(pages, _next.Create(trees, pages, GraphColumn.Codes));
        if (!_codes.Holds(view.Header.Recoded))
        {
            throw view.Damaged(view.Header.Recoded);
        }
    }

    /// <summary>Whether the walked records of a graph take more memory than they may, or a recoding has begun.</summary>
    /// <param name="memory">Bytes.</param>
    public static bool IsDue(in GraphHeader header, GraphLayout layout, long memory) =>
        header.CodeKind == VectorCodeKind.Bytes
        && (header.Recoded > 0 || (header.Dimensions >= DimensionsMin && header.Nodes * (long)layout.WalkedSize > memory));

    /// <summary>Writes the next code of a node.</summary>
    /// <param name="vector">The vector of the node.</param>
    public void Write(uint node, float* vector) => _next.Layout.Code.Encode(vector, _codes.Writable(node));

    /// <summary>Does a step. The transaction of the last one writes nothing else.</summary>
    public void Step()
    {
        ref GraphHeader header = ref _view.Header;
        uint end = (uint)Math.Min(header.Nodes, (long)header.Recoded + NodesPerStep);
        _codes.Grow(end);
        float[] numbers = new float[header.Dimensions];
        fixed (float* vector = numbers)
        {
            for (; header.Recoded < end; header.Recoded++)
            {
                _view.CopyVector(header.Recoded, numbers);
                Write(header.Recoded, vector);
            }
        }

        if (header.Recoded == header.Nodes)
        {
            _view.Graph.Drop(_trees, _pages, GraphColumn.Codes);
            (header.CodeKind, header.Recoded) = (VectorCodeKind.Signs, 0);
        }
    }
}
