using System.Text.Json;
using Jackdaw.Search;
using Jackdaw.Search.Queries;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Storage;
using Jackdaw.Server.Documents.Store;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Indexing;
using Jackdaw.Server.Indexing.Building;
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
    private static readonly TimeSpan s_firstPatience = TimeSpan.FromSeconds(15);

    /// <summary>How often a query begins anew when its index is replaced meanwhile.</summary>
    private const int AttemptsMax = 5;

    /// <summary>Whether a query needs an index, and this version can run it.</summary>
    public static bool IsFor(QuerySyntax syntax) =>
        syntax.From.IsIndex || (syntax.GroupBy.Count == 0 && (CollectionQuery.NeedsIndex(syntax.Where) || NeedsIndex(syntax.OrderBy)
            || FacetSelect.IsFor(syntax) || SuggestSelect.IsFor(syntax)));

    /// <summary>Searches.</summary>
    /// <param name="indexes">Of the database.</param>
    /// <param name="database">Its documents.</param>
    /// <param name="syntax">The query.</param>
    /// <param name="request">Its parameters, and how long it waits.</param>
    /// <exception cref="IndexException">The index is not there, or cannot be made or used.</exception>
    public static async Task<IndexAnswer> SearchAsync(
        DatabaseIndexes indexes, StoredDatabase database, QuerySyntax syntax, QueryRequest request, CancellationToken aborted)
    {
        using var parameters = new ParameterValues(syntax.Text, request.Parameters);
        for (int attempt = 1; ; attempt++)
        {
            (DatabaseIndex index, bool isNew) = syntax.From.IsIndex
                ? (await indexes.FindForQueryAsync(syntax.From.Source, aborted).ConfigureAwait(false), false)
                : await indexes.FindOrAddAutoAsync(NeededIndex.Of(syntax), aborted).ConfigureAwait(false);
            TimeSpan patience = request.WaitForNonStale ?? (isNew ? s_firstPatience : TimeSpan.Zero);
            try
            {
                if (await SearchAsync(index, database, syntax, request, parameters, patience, aborted).ConfigureAwait(false) is { } answer
                    && (!answer.IsStale || !IsReplaced(indexes, index) || attempt == AttemptsMax))
                {
                    return answer;
                }
            }
            catch (ObjectDisposedException) when (IsReplaced(indexes, index) && attempt < AttemptsMax)
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
        DatabaseIndex index, StoredDatabase database, QuerySyntax syntax, QueryRequest request, ParameterValues parameters, TimeSpan patience,
        CancellationToken aborted)
    {
        bool isOpen = await index.WaitForOpenAsync(s_firstPatience, aborted).ConfigureAwait(false);
        if (!isOpen || index.Builder is not SearchIndexBuilder builder)
        {
            throw new IndexException(IndexFault.Unavailable, $"Index '{index.Name}' is not open yet; try again in a moment.");
        }

        var conditions = new SearchConditions(syntax, parameters, index.Auto is not null)
        {
            Documents = id => LoadDocument(database, id),
            KnownFields = builder.KnownFields,
        };
        SearchRequest search = ToSearch(syntax, request, parameters, conditions);
        List<Facet>? facets = FacetSelect.IsFor(syntax) ? new FacetSelect(syntax, parameters, conditions).Read() : null;
        List<(string, SuggestionRequest)>? suggestions = SuggestSelect.IsFor(syntax) ? new SuggestSelect(syntax, parameters, conditions).Read() : null;
        var highlights = new HighlightIncludes(syntax, parameters, conditions, index.Auto is not null);
        highlights.Read(builder.Index.Fields);
        bool isStale = !await index.WaitAsync(CutoffOf(database, index), patience, aborted).ConfigureAwait(false);
        DateTime? lastQuery = index.Counters.LastQuery;
        index.NoteQuery();
        using Searcher searcher = builder.Index.BeginSearch();
        CheckFields(index, builder, searcher, conditions.Fields);
        if (facets is not null || suggestions is not null)
        {
            long matching = suggestions?.Count ?? 0;
            List<byte[]> rows = facets is null
                ? SuggestSelect.Find(searcher, suggestions!, aborted)
                : FacetAnswers.Count(searcher, search.Query, facets, out matching, aborted);
            return new IndexAnswer(index.Name, [.. rows.Select(_ => Array.Empty<byte>())], matching, isStale, index.LastIndexing)
            {
                Stored = [.. rows.Select(row => new StoredEntry { Row = row })],
                IsReduced = true,
                IsComplete = true,
                LastQuery = lastQuery,
            };
        }

        var found = new FoundEntries(searcher, syntax, request, builder.HasReduce);
        long total = found.Search(search, aborted);
        return new IndexAnswer(index.Name, found.Keys, total, isStale, index.LastIndexing)
        {
            Stored = found.Stored,
            IsReduced = builder.HasReduce,
            Skipped = found.Skipped,
            LastQuery = lastQuery,
            Highlightings = highlights.Any ? highlights.Write(searcher, search.Query, found.Hits) : null,
        };
    }

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
            string nearest = EditDistance.Nearest(unknown, builder.KnownFields) is { } known ? $"; did you mean '{known}'?" : ".";
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
