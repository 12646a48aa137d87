using System.Diagnostics;
using System.Text;
using Jackdaw.Queries.Searching.Translation;
using Jackdaw.Search;
using Jackdaw.Search.Results;

namespace Jackdaw.Queries.Searching;

/// <summary>Highlights pieces of the texts of entries, for those entries that become rows of the answer. Filters and repeated rows decide
/// later which entries do.</summary>
internal sealed class HitHighlights(IndexHits hits, HighlightIncludes includes, QueryTrace? trace, QueryDeadline deadline)
{
    /// <summary>The most rows with highlighted pieces. The texts of each row are read and split into words again.</summary>
    private const int RowsMax = 1024;

    private readonly List<HighlightedRow> _rows = [];

    /// <summary>A hit of the current page produced a row.</summary>
    /// <param name="position">The index of the hit among the keys of the page.</param>
    /// <param name="id">The id of the row's document as it is stored; empty for the row of a group.</param>
    public void Add(int position, ReadOnlySpan<byte> id)
    {
        if (_rows.Count < RowsMax)
        {
            SearchHit hit = hits.PageHits[position];
            _rows.Add(new HighlightedRow(Encoding.UTF8.GetString(id.IsEmpty ? hit.Id.Span : id), hit.Ordinal));
        }
    }

    /// <summary>A JSON object with the pieces of all rows that were added.</summary>
    public byte[] Write()
    {
        long began = Stopwatch.GetTimestamp();
        using Searcher searcher = hits.BeginSearch();
        if (trace is not null)
        {
            searcher.CountReads();
        }

        byte[] pieces = includes.Write(searcher, hits.Condition, _rows, deadline.Token);
        trace?.Add(new TraceStep("highlights", "", Stopwatch.GetElapsedTime(began), [])
        {
            RowsIn = _rows.Count,
            RowsOut = _rows.Count,
            Bytes = searcher.Reads.Bytes,
            Pages = searcher.Reads.Pages,
        });
        return pieces;
    }
}
