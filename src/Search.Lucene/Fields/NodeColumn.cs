using System.Runtime.InteropServices;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>The nodes that the entries of one segment have in a field of vectors: four bytes each, little-endian. Only the thread that made it uses
/// it.</summary>
internal sealed class NodeColumn
{
    private readonly BinaryDocValues? _column;
    private readonly BytesRef _bytes = new();

    public NodeColumn(AtomicReader segment, string field) => _column = segment.GetBinaryDocValues(IndexTerms.Nodes(field));

    public static byte[] Write(List<uint> nodes) => MemoryMarshal.AsBytes(CollectionsMarshal.AsSpan(nodes)).ToArray();

    /// <summary>The nodes of an entry; valid until the next one is read.</summary>
    public ReadOnlySpan<uint> Read(int doc)
    {
        if (_column is null)
        {
            return [];
        }

        _column.Get(doc, _bytes);
        return MemoryMarshal.Cast<byte, uint>(_bytes.Bytes.AsSpan(_bytes.Offset, _bytes.Length));
    }

    /// <summary>The greatest score of the nodes of an entry.</summary>
    /// <returns>False when none has a score.</returns>
    public bool TryScore(int doc, NodeScores scores, out float best)
    {
        best = float.NegativeInfinity;
        bool isFound = false;
        foreach (uint node in Read(doc))
        {
            if (scores.TryGet(node, out float score))
            {
                isFound = true;
                best = Math.Max(best, score);
            }
        }

        return isFound;
    }
}
