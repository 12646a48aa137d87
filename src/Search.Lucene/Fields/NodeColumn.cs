using System.Runtime.InteropServices;
using Jackdaw.Search.Queries;
using Lucene.Net.Documents;
using Lucene.Net.Index;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>The nodes that the entries of one segment have in a field of vectors. Only the thread that made it uses it.</summary>
/// <remarks>Most entries have one node: it is a number of a column, which is read without allocating. The nodes of an entry with several are bytes of a second
/// column, four for each, little-endian.</remarks>
internal sealed class NodeColumn
{
    /// <summary>The number of an entry that has several nodes. One that has none has 0, another one its node plus 1.</summary>
    private const long Several = -1;

    private readonly NumericDocValues? _numbers;
    private readonly BinaryDocValues? _lists;
    private readonly BytesRef _bytes = new();
    private uint _single;

    public NodeColumn(AtomicReader segment, string field)
    {
        _numbers = segment.GetNumericDocValues(IndexTerms.Nodes(field));
        _lists = segment.GetBinaryDocValues(IndexTerms.NodeLists(field));
    }

    /// <summary>Adds the nodes of an entry to its document.</summary>
    /// <param name="nodes">One or more, each once.</param>
    public static void Add(Document document, string field, List<uint> nodes)
    {
        document.Add(new NumericDocValuesField(IndexTerms.Nodes(field), nodes.Count == 1 ? nodes[0] + 1L : Several));
        if (nodes.Count > 1)
        {
            byte[] bytes = MemoryMarshal.AsBytes(CollectionsMarshal.AsSpan(nodes)).ToArray();
            document.Add(new BinaryDocValuesField(IndexTerms.NodeLists(field), new BytesRef(bytes)));
        }
    }

    /// <summary>The nodes of an entry; valid until the next one is read.</summary>
    public ReadOnlySpan<uint> Read(int doc)
    {
        long number = _numbers?.Get(doc) ?? 0;
        if (number != Several)
        {
            _single = (uint)(number - 1);
            return number == 0 ? [] : new ReadOnlySpan<uint>(ref _single);
        }

        _lists!.Get(doc, _bytes);
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
