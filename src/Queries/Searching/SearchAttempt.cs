using System.Diagnostics;
using System.Text;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Store;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Settings;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Searching.Translation;
using Jackdaw.Search;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;

namespace Jackdaw.Queries.Searching;

/// <summary>Asks one state of an open index. On one thread, without waiting.</summary>
/// <param name="isStale">There are changes that the index has not read.</param>
/// <param name="ended">Also ends the search of later pages.</param>
internal sealed class SearchAttempt(
    CollectionQuery query, SearchPlan planned, StoredDatabase database, DatabaseIndex index, SearchIndexBuilder builder, bool isStale,
    CancellationToken ended)
{
    /// <summary>Etags of the last changes of the documents that the answer depends on, read before the question is asked: those of the
    /// index's collections, or that of the database when the query reads others too.</summary>
    public required IEnumerable<Etag> Changes { get; init; }

    public IndexAnswer Ask()
    {
        DateTime? lastQuery = index.Counters.LastQuery;
        index.NoteQuery();
        query.Deadline.Begin(ended);
        planned.Highlights?.Check(builder.Index.Fields);
        using Searcher searcher = builder.Index.BeginSearch();
        if (query.Trace is not null)
        {
            searcher.CountReads();
        }

        CheckFields(searcher);
        var answer = new IndexAnswer(index.Name, isStale, index.LastIndexing) { Version = VersionOf(searcher), LastQuery = lastQuery };
        return AnswerVersion.IsKept(query, isStale) && AnswerVersion.IsKnown(query.Request.IfNoneMatch, answer.Version)
            ? answer with { IsKnown = true }
            : query.Request.ShowsEntries ? ShowEntries(answer, searcher)
            : planned.Facets is { } facets ? CountFacets(answer, searcher, facets)
            : planned.Suggestions is { } suggestions ? Suggest(answer, searcher, suggestions)
            : Find(answer, searcher);
    }

    private IndexAnswer ShowEntries(IndexAnswer answer, Searcher searcher)
    {
        SearchResults found = EntryRows.Find(searcher, planned.Request, query.Deadline.Token);
        return Complete(answer, EntryRows.Write(searcher, found.Hits, query.Deadline.Token)) with { Total = found.Total };
    }

    private IndexAnswer CountFacets(IndexAnswer answer, Searcher searcher, IReadOnlyList<Facet> facets)
    {
        long began = Stopwatch.GetTimestamp();
        ReadCount before = searcher.Reads;
        List<byte[]> rows = FacetAnswers.Count(searcher, planned.Request.Query, facets, out long matching, query.Deadline.Token);
        string names = string.Join(", ", facets.Select(facet => facet.Name));
        Note("facets", names, Stopwatch.GetElapsedTime(began), searcher.Reads.Since(before), matching, rows.Count);
        return Complete(answer, rows) with { Total = matching };
    }

    private IndexAnswer Suggest(IndexAnswer answer, Searcher searcher, IReadOnlyList<Suggestion> suggestions)
    {
        if (index.Auto is null)
        {
            SuggestSelect.Check(suggestions, index.Name, builder.Fields);
        }

        long began = Stopwatch.GetTimestamp();
        ReadCount before = searcher.Reads;
        List<byte[]> rows = SuggestSelect.Find(searcher, suggestions, index.Auto, query.Deadline.Token);
        string names = string.Join(", ", suggestions.Select(one => one.Name));
        Note("suggestions", names, Stopwatch.GetElapsedTime(began), searcher.Reads.Since(before), searcher.EntryCount, rows.Count);
        return Complete(answer, rows) with { Total = suggestions.Count };
    }

    private void Note(string step, string detail, TimeSpan time, ReadCount reads, long rowsIn, int rowsOut) =>
        query.Trace?.Add(new TraceStep(step, detail, time, [])
        {
            RowsIn = rowsIn,
            RowsOut = rowsOut,
            Bytes = reads.Bytes,
            Pages = reads.Pages,
        });

    private static IndexAnswer Complete(IndexAnswer answer, List<byte[]> rows) => answer with
    {
        Keys = [.. rows.Select(_ => Array.Empty<byte>())],
        Stored = [.. rows.Select(row => new StoredEntry { Row = row })],
        IsReduced = true,
        IsComplete = true,
    };

    private IndexAnswer Find(IndexAnswer answer, Searcher searcher)
    {
        bool hasStored = index.Auto is not { GroupBy.Count: 0 };
        var found = new IndexHits(
            RequestOf(searcher), query.Syntax, query.Request, builder.HasReduce, hasStored, builder.HasRepeats(searcher), query.Deadline.Token)
        {
            WithExplanations = query.Explanations is not null,
            WithStored = hasStored && query.Explanations is { GroupKey: not null },
            WithHits = planned.Highlights is not null,
        };
        try
        {
            return Find(answer, searcher, found);
        }
        catch
        {
            found.Dispose(); // it may keep the entries of this state already
            throw;
        }
    }

    private IndexAnswer Find(IndexAnswer answer, Searcher searcher, IndexHits found)
    {
        HitPage first = found.First(searcher);
        if (found.Plan is { } plan)
        {
            query.Trace?.Add(TraceStep.Of(plan) with { Detail = index.Name });
        }

        if (found.Explained is { Entries: > 0 } explained)
        {
            Note("explanations", "", explained.Time, explained.Reads, explained.Entries, explained.Entries);
        }

        return answer with
        {
            Keys = first.Keys,
            Stored = first.Stored,
            Metadata = first.Metadata,
            Skipped = first.Skipped,
            Total = found.Total,
            IsReduced = builder.HasReduce,
            Explanations = first.Explanations,
            Highlights = planned.Highlights is { } highlights ? new HitHighlights(found, highlights, planned.Request.Query, query) : null,
            More = found,
        };
    }

    // A query without an order has the best first when the index boosts entries, as when the query boosts conditions; or neither.
    private SearchRequest RequestOf(Searcher searcher)
    {
        if (query.Syntax.OrderBy.Count > 0 || SearchOrder.HasMethod(query.Syntax.Where, "moreLikeThis"))
        {
            return planned.Request;
        }

        if (!builder.Settings.OrdersByBoosts)
        {
            return planned.Request with { Sort = [] };
        }

        return searcher.HasBoosts ? planned.Request with { Sort = [new SortKey(SortBy.Score)] } : planned.Request;
    }

    // What the index had when it was searched, and the last changes of the documents that are read afterwards. Those were taken before, so
    // that at worst a client asks again in vain.
    private long VersionOf(Searcher searcher)
    {
        VersionHash hash = AnswerVersion.Begin(database, query);
        hash.Add(Encoding.UTF8.GetBytes(index.Record.Folder));
        hash.Add(searcher.Transaction.TransactionId);
        hash.Add(isStale ? 1 : 0);
        foreach (Etag etag in planned.DocumentEtags.Concat(Changes))
        {
            hash.Add(etag);
        }

        return hash.ToNumber();
    }

    // A name that is no field finds nothing, which looks as if there were no such documents.
    private void CheckFields(Searcher searcher)
    {
        // Documents have fields that no index knows; rows of groups have not.
        IEnumerable<string> named = builder.HasReduce && query.Syntax.From.IsIndex && query.Explanations is { GroupKey: { } groupKey }
            ? planned.Fields.Append(groupKey)
            : planned.Fields;
        if (named.FirstOrDefault(name => !builder.MayHaveField(name) && !searcher.HasField(name)) is { } unknown)
        {
            string nearest = NearestName.Find(unknown, builder.KnownFields) is { } known ? $"; did you mean '{known}'?" : ".";
            throw new InvalidQueryException(
                $"Index '{index.Name}' has no field '{unknown}'{nearest} Its fields are {string.Join(", ", builder.KnownFields)}.");
        }
    }
}
