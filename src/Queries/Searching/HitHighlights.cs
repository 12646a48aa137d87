using System.Diagnostics;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Searching.Translation;
using Jackdaw.Search;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;

namespace Jackdaw.Queries.Searching;

/// <summary>Highlights the entries that become rows of an answer: which those are is known behind filters and repeated rows.</summary>
internal sealed class HitHighlights(IndexHits found, HighlightIncludes includes, SearchNode node, CollectionQuery query) : IFoundHighlights
{
    /// <summary>Rows with pieces; those behind them have none. Each has its texts read and split into words again.</summary>
    private const int RowsMax = 1024;

    private readonly List<SearchHit> _hits = [];

    public void Add(int position)
    {
        if (_hits.Count < RowsMax)
        {
            _hits.Add(found.PageHits[position]);
        }
    }

    public byte[] Write()
    {
        long began = Stopwatch.GetTimestamp();
        using Searcher searcher = found.BeginSearch();
        if (query.Trace is not null)
        {
            searcher.CountReads();
        }

        byte[] pieces = includes.Write(searcher, node, _hits, query.Deadline.Token);
        query.Trace?.Add(new TraceStep("highlights", "", Stopwatch.GetElapsedTime(began), [])
        {
            RowsIn = _hits.Count,
            RowsOut = _hits.Count,
            Bytes = searcher.Reads.Bytes,
            Pages = searcher.Reads.Pages,
        });
        return pieces;
    }
}
