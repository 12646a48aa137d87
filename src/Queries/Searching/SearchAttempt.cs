using System.Diagnostics;
using System.Text;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Identity;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Settings;
using Jackdaw.Json.Paths;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Searching.Translation;
using Jackdaw.Search;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Vectors;

namespace Jackdaw.Queries.Searching;

/// <summary>Asks one state of an open index, on one thread and without waiting.</summary>
/// <param name="run">The search that makes this attempt.</param>
/// <param name="search">The plan in the terms of the search engine.</param>
internal sealed class SearchAttempt(SearchRun run, SearchPlan search, DatabaseIndex index, IndexBuilder builder)
{
    private SearchRequest _request = search.Request;

    /// <summary>There are changes that the index has not read.</summary>
    public required bool IsStale { get; init; }

    /// <summary>Etags of the last changes of the documents on which the answer depends, read before the index is asked: the last changes
    /// in the collections of the index, or the last change of the database when the query also reads other documents.</summary>
    public required IReadOnlyList<Etag> Changes { get; init; }

    public IndexAnswer Ask()
    {
        DateTime? lastQuery = index.Counters.LastQuery;
        index.NoteQuery();
        search.Highlights?.Check(builder.Index.Fields);
        using Searcher searcher = builder.Index.BeginSearch();
        if (run.Trace is not null)
        {
            searcher.CountReads();
        }

        CheckFields(searcher);
        var answer = new IndexAnswer(index.Name, IsStale, index.LastIndexing) { Version = VersionOf(searcher), LastQuery = lastQuery };
        return AnswerVersion.MayBeCached(run.Plan, IsStale) && AnswerVersion.IsKnown(run.Plan.Request.IfNoneMatch, answer.Version)
            ? answer with { IsKnown = true }
            : Ask(answer, searcher);
    }

    private IndexAnswer Ask(IndexAnswer answer, Searcher searcher)
    {
        if (search.AsksForVectors)
        {
            _request = _request with { Query = new IndexVectors(index.Name, builder, searcher, run.Deadline.Token).Complete(_request.Query) };
        }

        return run.Plan.Request.ShowsEntries ? ShowEntries(answer, searcher)
            : search.Facets is { } facets ? CountFacets(answer, searcher, facets)
            : search.Suggestions is { } suggestions ? Suggest(answer, searcher, suggestions)
            : Find(answer, searcher);
    }

    private bool HasRows => builder.HasReduce || (builder.HasItemRows && !run.Plan.Request.ChangesDocuments);

    private IndexAnswer ShowEntries(IndexAnswer answer, Searcher searcher)
    {
        SearchResults found = EntryRows.Find(searcher, _request with { Query = Resolve(searcher) }, run.Deadline.Token);
        return Complete(answer, EntryRows.Write(searcher, found.Hits, run.Deadline.Token)) with { Total = found.Total };
    }

    private IndexAnswer CountFacets(IndexAnswer answer, Searcher searcher, IReadOnlyList<Facet> facets)
    {
        long began = Stopwatch.GetTimestamp();
        ReadCount before = searcher.Reads;
        List<(DocumentPath Path, string Value)>? named = run.Plan.Includes.DocumentPaths.Count > 0 ? [] : null;
        List<byte[]> rows = FacetAnswers.Count(searcher, Resolve(searcher), facets, out long matching, run.Deadline.Token, named: named);
        string names = string.Join(", ", facets.Select(facet => facet.Name));
        Note("facets", names, Stopwatch.GetElapsedTime(began), searcher.Reads.Since(before), matching, rows.Count);
        return Complete(answer, rows) with { Total = matching, Named = named ?? [] };
    }

    // The condition for answers that look at all entries.
    private SearchNode Resolve(Searcher searcher)
    {
        var resolving = new VectorSearch(builder.Index, _request.Query, long.MaxValue);
        resolving.Resolve(searcher, run.Deadline.Token);
        return resolving.Resolved;
    }

    private IndexAnswer Suggest(IndexAnswer answer, Searcher searcher, IReadOnlyList<Suggestion> suggestions)
    {
        if (index.Auto is null)
        {
            SuggestionAnswers.Check(suggestions, index.Name, builder.Fields);
        }

        long began = Stopwatch.GetTimestamp();
        ReadCount before = searcher.Reads;
        List<byte[]> rows = SuggestionAnswers.Find(searcher, suggestions, index.Auto, run.Deadline.Token);
        string names = string.Join(", ", suggestions.Select(one => one.Name));
        Note("suggestions", names, Stopwatch.GetElapsedTime(began), searcher.Reads.Since(before), searcher.EntryCount, rows.Count);
        return Complete(answer, rows) with { Total = suggestions.Count };
    }

    private void Note(string step, string detail, TimeSpan time, ReadCount reads, long rowsIn, int rowsOut) =>
        run.Trace?.Add(new TraceStep(step, detail, time, [])
        {
            RowsIn = rowsIn,
            RowsOut = rowsOut,
            Bytes = reads.Bytes,
            Pages = reads.Pages,
        });

    private static IndexAnswer Complete(IndexAnswer answer, List<byte[]> rows) => answer with
    {
        FirstPage = HitPage.Empty with
        {
            Keys = [.. rows.Select(_ => Array.Empty<byte>())],
            Stored = [.. rows.Select(row => new StoredEntry { Row = row })],
        },
        HasRows = true,
        IsComplete = true,
    };

    private IndexAnswer Find(IndexAnswer answer, Searcher searcher)
    {
        bool hasStored = index.Auto is not { GroupBy.Count: 0 };
        var hits = new IndexHits(builder.Index, RequestOf(searcher), run.Plan, HasRows, hasStored, builder.HasRepeats(searcher), run.Deadline.Token)
        {
            AreGroups = builder.HasReduce,
            WithExplanations = run.Plan.Explanations is not null,
            WithStored = hasStored && run.Plan.Explanations is { GroupKey: not null },
            WithHits = search.Highlights is not null,
        };
        try
        {
            return Find(answer, searcher, hits);
        }
        catch
        {
            hits.Dispose(); // It may hold the entries of this state of the index already.
            throw;
        }
    }

    private IndexAnswer Find(IndexAnswer answer, Searcher searcher, IndexHits hits)
    {
        HitPage first = hits.First(searcher);
        if (hits.Plan is { } plan)
        {
            run.Trace?.Add(TraceStep.Of(plan) with { Detail = index.Name });
        }

        if (hits.Explained is { Entries: > 0 } explained)
        {
            Note("explanations", "", explained.Time, explained.Reads, explained.Entries, explained.Entries);
        }

        return answer with
        {
            FirstPage = first,
            Total = hits.Total,
            HasRows = HasRows,
            Highlights = search.Highlights is { } highlights
                ? new HitHighlights(hits, highlights, run.Trace, run.Deadline)
                : null,
            Hits = hits,
        };
    }

    // A query without an order gets the best hits first when it boosts conditions or when the index boosts entries.
    private SearchRequest RequestOf(Searcher searcher)
    {
        if (run.Plan.Syntax.OrderBy.Count > 0 || SearchOrder.IsRanked(run.Plan.Syntax.Where))
        {
            return _request;
        }

        if (!builder.Settings.OrdersByBoosts)
        {
            return _request with { Sort = [] };
        }

        return searcher.HasBoosts ? _request with { Sort = [new SortKey(SortBy.Score)] } : _request;
    }

    // The state of the index that is searched, and the last changes of the documents that are read afterwards. Their etags were read
    // before, so that at worst a client asks again in vain.
    private long VersionOf(Searcher searcher)
    {
        VersionHash hash = AnswerVersion.Begin(run.Database, run.Plan);
        hash.Add(Encoding.UTF8.GetBytes(index.Record.Folder));
        hash.Add(searcher.Transaction.TransactionId);
        hash.Add(IsStale ? 1 : 0);
        foreach (long version in search.SorterVersions)
        {
            hash.Add(version);
        }

        foreach (Etag etag in search.DocumentEtags)
        {
            hash.Add(etag);
        }

        foreach (Etag etag in Changes)
        {
            hash.Add(etag);
        }

        return hash.ToNumber();
    }

    // A wrong name of a field would find nothing, which looks as if there were no such documents.
    private void CheckFields(Searcher searcher)
    {
        // Documents may have fields that no index knows, but rows of groups have the fields of the index only.
        foreach (string name in search.Fields)
        {
            CheckField(searcher, name);
        }

        if (builder.HasReduce && run.Plan.Syntax.From.IsIndex && run.Plan.Explanations is { GroupKey: { } groupKey })
        {
            CheckField(searcher, groupKey);
        }
    }

    private void CheckField(Searcher searcher, string name)
    {
        if (!builder.MayHaveField(name) && !searcher.HasField(name))
        {
            string nearest = NearestName.Find(name, builder.KnownFields) is { } known ? $"; did you mean '{known}'?" : ".";
            throw new InvalidQueryException(
                $"Index '{index.Name}' has no field '{name}'{nearest} Its fields are {string.Join(", ", builder.KnownFields)}.");
        }
    }
}
