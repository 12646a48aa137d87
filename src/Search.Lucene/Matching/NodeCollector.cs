using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Collects the nodes of the entries that a query finds.</summary>
internal sealed class NodeCollector(string field, NodeSet nodes, CancellationToken cancellation) : ICollector
{
    /// <summary>The number of entries between two checks of the token. A power of two.</summary>
    private const int LookInterval = 1024;

    private NodeColumn? _column;

    /// <summary>The entries that were found.</summary>
    public long Entries { get; private set; }

    public bool AcceptsDocsOutOfOrder => true;

    public void SetScorer(Scorer scorer)
    {
        // Scores do not matter.
    }

    public void SetNextReader(AtomicReaderContext context)
    {
        cancellation.ThrowIfCancellationRequested();
        _column = new NodeColumn(context.AtomicReader, field);
    }

    public void Collect(int doc)
    {
        if ((Entries++ & (LookInterval - 1)) == 0)
        {
            cancellation.ThrowIfCancellationRequested();
        }

        foreach (uint node in _column!.Read(doc))
        {
            nodes.Add(node);
        }
    }
}
