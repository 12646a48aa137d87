using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Jackdaw.Search;
using Jackdaw.Search.Queries;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Identity;
using Jackdaw.Server.Documents.Storage;
using Jackdaw.Server.Documents.Store;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Indexing;
using Jackdaw.Server.Indexing.Building;
using Jackdaw.Server.Indexing.Definitions.Model;
using Jackdaw.Server.Queries.Evaluation;
using Jackdaw.Server.Queries.Execution;
using Jackdaw.Server.Queries.Language;
using Jackdaw.Server.Queries.Planning;
using Jackdaw.Storage;

namespace Jackdaw.Server.Queries.Indexed;

/// <summary>Finds the documents of a query in the index that it names, or in the auto index that answers it.</summary>
internal static class IndexedQuery
{
    /// <summary>How long a query waits for an index that was made for it.</summary>
    public static readonly TimeSpan FirstPatience = TimeSpan.FromSeconds(15);

    /// <summary>How often a query begins anew when its index is replaced meanwhile.</summary>
    private const int AttemptsMax = 5;

    /// <summary>Whether a query needs an index, and this version can run it.</summary>
    private static bool IsFor(QuerySyntax syntax) =>
        syntax.From.IsIndex || syntax.GroupBy.Count > 0 || CollectionQuery.NeedsIndex(syntax.Where) || NeedsIndex(syntax.OrderBy)
        || MakesRows(syntax);

    private static bool MakesRows(QuerySyntax syntax) => FacetSelect.IsFor(syntax) || SuggestSelect.IsFor(syntax);

    /// <summary>Makes a query ready to be run or, when it <see cref="CollectionQuery.NeedsSearch"/>, to be searched first.</summary>
    /// <exception cref="InvalidQueryException">It cannot be run as it is written.</exception>
    /// <exception cref="QueryNotSupportedException">It asks for what this version cannot do.</exception>
    /// <exception cref="IndexException">The index that it names is not there.</exception>
    public static CollectionQuery Plan(DocumentDatabase database, QueryRequest request, IProjectionScripts scripts)
    {
        long began = Stopwatch.GetTimestamp();
        QuerySyntax syntax = QueryParser.Parse(request.Text);
        QueryTrace? trace = request.IsTraced || QueryIncludes.Has(syntax, "timings") ? new QueryTrace() : null;
        trace?.Add("parse", "", began);
        began = Stopwatch.GetTimestamp();
        DatabaseIndexes? indexes = IndexesOf(database);
        bool isIndexed = indexes is not null && IsFor(syntax);
        CollectionQuery query = CollectionQuery.Plan(syntax, request, scripts, isIndexed, isIndexed && MakesRows(syntax));
        try
        {
            if (isIndexed)
            {
                bool isAuto = !syntax.From.IsIndex || indexes!.Require(syntax.From.Source).Auto is not null;
                using var parameters = new ParameterValues(syntax.Text, request.Parameters);
                _ = ToSearch(syntax, request, parameters, ConditionsOf(query, parameters, (StoredDatabase)database, isAuto, []));
            }

            trace?.Add("plan", isIndexed ? "" : "needs no index", began);
            query.Trace = trace;
            return query;
        }
        catch
        {
            query.Dispose();
            throw;
        }
    }

    /// <summary>Asks the index of a planned query, if it needs one; made if there is none.</summary>
    /// <param name="firstPatience">How long it waits for an index that is made for it now.</param>
    /// <param name="ended">Also ends the search of later pages.</param>
    /// <exception cref="IndexException">The index is not there, or cannot be made or used.</exception>
    public static async ValueTask SearchAsync(
        CollectionQuery query, DocumentDatabase database, TimeSpan firstPatience, CancellationToken ended)
    {
        if (!query.NeedsSearch)
        {
            return;
        }

        DatabaseIndexes indexes = IndexesOf(database)!;
        for (int attempt = 1; ; attempt++)
        {
            (DatabaseIndex index, bool isNew) = query.Syntax.From.IsIndex
                ? (await indexes.FindForQueryAsync(query.Syntax.From.Source, ended).ConfigureAwait(false), false)
                : await indexes.FindOrAddAutoAsync(NeededIndex.Of(query.Syntax), ended).ConfigureAwait(false);
            TimeSpan patience = query.Request.WaitForNonStale ?? (isNew ? firstPatience : TimeSpan.Zero);
            try
            {
                IndexAnswer answer = await SearchAsync(index, (StoredDatabase)database, query, patience, ended).ConfigureAwait(false);
                if (!answer.IsStale || !IsReplaced(indexes, index) || attempt == AttemptsMax)
                {
                    query.Attach(answer);
                    return;
                }

                answer.Dispose();
            }
            catch (Exception closed) when (closed is ObjectDisposedException or IndexException { Fault: IndexFault.Unavailable }
                && IsReplaced(indexes, index) && attempt < AttemptsMax)
            {
                // Another one has its name by now.
            }
            catch (CorruptionException damage)
            {
                index.NoteDamage(damage);
                throw new IndexException(IndexFault.Unavailable, $"Index '{index.Name}' is damaged, and is built again now; try again in a moment.");
            }
        }
    }

    private static bool IsReplaced(DatabaseIndexes indexes, DatabaseIndex index) => !ReferenceEquals(indexes.Find(index.Name), index);

    private static async Task<IndexAnswer> SearchAsync(
        DatabaseIndex index, StoredDatabase database, CollectionQuery query, TimeSpan patience, CancellationToken ended)
    {
        bool isOpen = await index.WaitForOpenAsync(FirstPatience, ended).ConfigureAwait(false);
        if (!isOpen || index.Builder is not SearchIndexBuilder builder)
        {
            throw new IndexException(IndexFault.Unavailable, $"Index '{index.Name}' is not open yet; try again in a moment.");
        }

        long began = Stopwatch.GetTimestamp();
        IndexCutoff cutoff = CutoffOf(database, index);
        bool isFresh = index.HasPassed(cutoff);
        if (!isFresh && query.Request is { WaitForEtag: { } etag, WaitForNonStale: null })
        {
            // Staleness is a matter of all writes, the wait one of those up to the etag.
            await index.WaitAsync(cutoff.AtMost(new Etag(etag)), query.Request.Patience, ended).ConfigureAwait(false);
        }

        bool isStale = !isFresh && !await index.WaitAsync(cutoff, patience, ended).ConfigureAwait(false);
        query.Trace?.Add("wait", isStale ? $"{index.Name} is behind" : index.Name, began);
        return Search(query, database, index, builder, isStale, ended) with { Waited = Stopwatch.GetElapsedTime(began) };
    }

    private static IndexAnswer Search(
        CollectionQuery query, StoredDatabase database, DatabaseIndex index, SearchIndexBuilder builder, bool isStale, CancellationToken ended)
    {
        DateTime? lastQuery = index.Counters.LastQuery;
        index.NoteQuery();
        QuerySyntax syntax = query.Syntax;
        using var parameters = new ParameterValues(syntax.Text, query.Request.Parameters);
        SearchConditions conditions = ConditionsOf(query, parameters, database, index.Auto is not null, builder.KnownFields);
        SearchRequest search = ToSearch(syntax, query.Request, parameters, conditions) with { WithPlan = query.Trace is not null };
        var highlights = new HighlightIncludes(syntax, parameters, conditions, index.Auto is not null);
        highlights.Read(builder.Index.Fields);
        List<Facet>? facets = FacetSelect.IsFor(syntax) ? new FacetSelect(syntax, parameters, conditions).Read() : null;
        List<(string, SuggestionRequest)>? suggestions = SuggestSelect.IsFor(syntax) ? new SuggestSelect(syntax, parameters, conditions).Read() : null;
        using Searcher searcher = builder.Index.BeginSearch();
        CheckFields(index, builder, searcher, conditions.Fields);
        long version = VersionOf(query, database, index, builder, searcher, isStale);
        if (AnswerVersion.IsKnown(query.Request.IfNoneMatch, version) && AnswerVersion.IsKept(query, isStale))
        {
            return new IndexAnswer(index.Name, [], 0, isStale, index.LastIndexing) { Version = version, IsKnown = true };
        }

        if (facets is not null || suggestions is not null)
        {
            long matching = suggestions?.Count ?? 0;
            List<byte[]> rows = facets is null
                ? SuggestSelect.Find(searcher, suggestions!, ended)
                : FacetAnswers.Count(searcher, search.Query, facets, out matching, ended);
            return new IndexAnswer(index.Name, [.. rows.Select(_ => Array.Empty<byte>())], matching, isStale, index.LastIndexing)
            {
                Version = version,
                Stored = [.. rows.Select(row => new StoredEntry { Row = row })],
                IsReduced = true,
                IsComplete = true,
                LastQuery = lastQuery,
            };
        }

        var found = new FoundEntries(search, syntax, query.Request, builder.HasReduce, index.Auto is { GroupBy.Count: 0 }, ended)
        {
            WithExplanations = QueryIncludes.Has(syntax, "explanations"),
            WithHits = highlights.Any,
        };
        FoundPage first = found.First(searcher);
        if (found.Plan is { } plan)
        {
            query.Trace?.Add(PlanStep.Of(plan) with { Detail = index.Name });
        }

        return new IndexAnswer(index.Name, first.Keys, found.Total, isStale, index.LastIndexing)
        {
            Version = version,
            Explanations = found.Explanations,
            Stored = first.Stored,
            IsReduced = builder.HasReduce,
            Skipped = first.Skipped,
            LastQuery = lastQuery,
            More = found,
            Highlightings = highlights.Any ? highlights.Write(searcher, search.Query, found.FirstHits) : null,
        };
    }

    // What the index had when it was searched, and the last changes of the documents that are read afterwards: those of its collections, or
    // any when the query reads others too. Taken before they are read, so that at worst a client asks again in vain.
    private static long VersionOf(
        CollectionQuery query, StoredDatabase database, DatabaseIndex index, SearchIndexBuilder builder, Searcher searcher, bool isStale)
    {
        VersionHash hash = AnswerVersion.Begin(database, query);
        hash.Add(Encoding.UTF8.GetBytes(index.Record.Folder));
        hash.Add(searcher.Transaction.TransactionId);
        hash.Add(isStale ? 1 : 0);
        using StoredReadScope read = database.BeginScope();
        foreach (string collection in query.ReadsOtherDocuments || builder.Collections.Count == 0 ? [""] : builder.Collections)
        {
            hash.Add(collection.Length == 0 ? read.LastEtag : read.LastChangeOf(Encoding.UTF8.GetBytes(collection)));
        }

        return hash.ToNumber();
    }

    private static DatabaseIndexes? IndexesOf(DocumentDatabase database) => (database as StoredDatabase)?.FindPart<DatabaseIndexes>();

    private static SearchConditions ConditionsOf(
        CollectionQuery query, ParameterValues parameters, StoredDatabase database, bool isAuto, IReadOnlyList<string> knownFields) =>
        new(query.Syntax, parameters, isAuto) { Documents = id => LoadDocument(database, id), KnownFields = knownFields };

    private static JsonDocument? LoadDocument(StoredDatabase database, string id)
    {
        using StoredReadScope read = database.BeginScope();
        return read.TryGet(DocumentKey.Make(id), out StoredDocument document) ? JsonDocument.Parse(document.Body.ToArray()) : null;
    }

    // A name that is no field finds nothing, which looks as if there were no such documents.
    private static void CheckFields(DatabaseIndex index, SearchIndexBuilder builder, Searcher searcher, IEnumerable<string> fields)
    {
        if (fields.FirstOrDefault(name => !builder.MayHaveField(name) && !searcher.HasField(name)) is { } unknown)
        {
            string nearest = NearestName.Find(unknown, builder.KnownFields) is { } known ? $"; did you mean '{known}'?" : ".";
            throw new InvalidQueryException(
                $"Index '{index.Name}' has no field '{unknown}'{nearest} Its fields are {string.Join(", ", builder.KnownFields)}.");
        }
    }

    private static bool NeedsIndex(IReadOnlyList<OrderKey> keys) =>
        keys.Any(key => key.Key is FieldExpression || key.IsDescending || keys.Count > 1
            || (key.Key is MethodExpression method && !method.IsDocumentId && !method.Is("random")));

    private static IndexCutoff CutoffOf(StoredDatabase database, DatabaseIndex index)
    {
        using StoredReadScope read = database.BeginScope();
        return index.CutoffOf(read)!;
    }

    private static SearchRequest ToSearch(QuerySyntax syntax, QueryRequest request, ParameterValues parameters, SearchConditions conditions)
    {
        SearchNode node = conditions.Translate(syntax.Where);
        IReadOnlyList<SortKey> sort = new SearchOrder(syntax, parameters, conditions).Translate();

        // A page of the index is a page of the answer only when no row is left out later.
        bool isWhole = syntax.Filter is not null || syntax.Select is { IsDistinct: true };
        long skip = isWhole ? 0 : syntax.Paging.Skip is null ? request.Start ?? 0 : parameters.ResolveCount(syntax.Paging.Skip) ?? 0;
        long take = isWhole ? int.MaxValue
            : Math.Min(parameters.ResolveCount(syntax.Paging.Take) ?? int.MaxValue, request.PageSize ?? int.MaxValue);
        return new SearchRequest(node, sort, (int)Math.Min(skip, int.MaxValue), (int)Math.Min(take, int.MaxValue));
    }
}
