using Jackdaw.Search.Vectors.Codes;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>The query of a node's vector, with which walks look for others near it. One thread.</summary>
internal sealed unsafe class WalkQuery
{
    private float[] _vector = [];
    private byte[] _query = [];

    /// <summary>The query of a node. Valid until the next one, and while the page of the node's code is.</summary>
    public byte* Of(GraphView view, uint node)
    {
        VectorCode code = view.Layout.Code;
        if (code.IsQuery)
        {
            return view.Code(node);
        }

        if (_query.Length != code.QuerySize)
        {
            _query = GC.AllocateUninitializedArray<byte>(code.QuerySize, pinned: true);
        }

        fixed (byte* query = _query)
        {
            code.EncodeQuery(VectorOf(view, node), query);
            return query; // The array is pinned.
        }
    }

    /// <summary>The vector of a node. Valid until the next one.</summary>
    public float* VectorOf(GraphView view, uint node)
    {
        if (_vector.Length != view.Layout.Dimensions)
        {
            _vector = GC.AllocateUninitializedArray<float>(view.Layout.Dimensions, pinned: true);
        }

        view.CopyVector(node, _vector);
        fixed (float* vector = _vector)
        {
            return vector; // The array is pinned.
        }
    }
}
