using System.IO.Hashing;
using System.Runtime.InteropServices;
using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>One number for everything that is stored of a graph: graphs with the same one are equal.</summary>
internal static class GraphFingerprint
{
    public static unsafe ulong Of(ReadTransaction read, string field)
    {
        if (!VectorGraph.TryReadHeader(read.Trees, field, out GraphHeader header))
        {
            return 0;
        }

        var view = new GraphView(new VectorGraph(field, header));
        view.Begin(read.Trees, read, header);
        var hash = new XxHash3();
        hash.Append(MemoryMarshal.AsBytes(new ReadOnlySpan<GraphHeader>(in header)));
        float[] vector = new float[header.Dimensions];
        for (uint node = 0; node < header.Nodes; node++)
        {
            hash.Append(new ReadOnlySpan<byte>(view.Nodes.At(node), view.Layout.NodeSize));
            hash.Append(new ReadOnlySpan<byte>(view.Code(node), view.Layout.Code.Size));
            view.CopyVector(node, vector);
            hash.Append(MemoryMarshal.AsBytes(vector.AsSpan()));
        }

        for (uint upper = 0; upper < header.UpperRecords; upper++)
        {
            hash.Append(new ReadOnlySpan<byte>(view.Uppers.At(upper), view.Layout.UpperSize));
        }

        return hash.GetCurrentHashAsUInt64();
    }
}
