using Jackdaw.Search;
using Jackdaw.Search.Queries;
using Jackdaw.Server.Documents.Storage;
using Jackdaw.Server.Documents.Store;
using Jackdaw.Server.Indexing;
using Jackdaw.Server.Indexing.Building;
using Jackdaw.Server.Queries.Evaluation;
using Jackdaw.Server.Queries.Execution;
using Jackdaw.Server.Queries.Language;
using Jackdaw.Server.Queries.Planning;

namespace Jackdaw.Server.Queries.Indexed;

/// <summary>Finds the documents of a query in the index that it names, or in the auto index that answers it.</summary>
internal static class IndexedQuery
{
    /// <summary>How long a query waits for an index that was made for it.</summary>
    public static readonly TimeSpan FirstPatience = TimeSpan.FromSeconds(15);

    /// <summary>Whether a query needs an index, and this version can run it.</summary>
    private static bool IsFor(QuerySyntax syntax) =>
        syntax.From.IsIndex || (syntax.GroupBy.Count == 0 && (CollectionQuery.NeedsIndex(syntax.Where) || NeedsIndex(syntax.OrderBy)));

    /// <summary>Makes a query ready to be run or, when it <see cref="CollectionQuery.NeedsSearch"/>, to be searched first.</summary>
    /// <exception cref="InvalidQueryException">It cannot be run as it is written.</exception>
    /// <exception cref="QueryNotSupportedException">It asks for what this version cannot do.</exception>
    /// <exception cref="IndexException">The index that it names is not there.</exception>
    public static CollectionQuery Plan(DocumentDatabase database, QueryRequest request, IProjectionScripts scripts)
    {
        QuerySyntax syntax = QueryParser.Parse(request.Text);
        DatabaseIndexes? indexes = IndexesOf(database);
        bool isIndexed = indexes is not null && IsFor(syntax);
        CollectionQuery query = CollectionQuery.Plan(syntax, request, scripts, isIndexed);
        try
        {
            if (isIndexed)
            {
                _ = Translate(indexes!, query);
            }

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
        (DatabaseIndex index, bool isNew) = query.Syntax.From.IsIndex
            ? (indexes.Require(query.Syntax.From.Source), false)
            : await indexes.FindOrAddAutoAsync(NeededIndex.Of(query.Syntax), ended).ConfigureAwait(false);
        TimeSpan patience = query.Request.WaitForNonStale ?? (isNew ? firstPatience : TimeSpan.Zero);
        bool isOpen = await index.WaitForOpenAsync(FirstPatience, ended).ConfigureAwait(false);
        if (!isOpen || index.Builder is not SearchIndexBuilder builder)
        {
            throw new IndexException(IndexFault.Unavailable, $"Index '{index.Name}' is not open yet; try again in a moment.");
        }

        bool isStale = !await index.WaitAsync(CutoffOf((StoredDatabase)database, index), patience, ended).ConfigureAwait(false);
        query.Attach(Search(query, index, builder, Translate(indexes, query), isStale, ended));
    }

    private static IndexAnswer Search(
        CollectionQuery query, DatabaseIndex index, SearchIndexBuilder builder, SearchRequest search, bool isStale, CancellationToken ended)
    {
        DateTime? lastQuery = index.Counters.LastQuery;
        index.NoteQuery();
        bool isOneEach = index.Auto is { GroupBy.Count: 0 };
        var found = new FoundEntries(search, query.Syntax, query.Request, builder.HasReduce, isOneEach, ended);
        using Searcher searcher = builder.Index.BeginSearch();
        FoundPage first = found.First(searcher);
        return new IndexAnswer(index.Name, first.Keys, found.Total, isStale, index.Counters.LastIndexing)
        {
            Stored = first.Stored,
            IsReduced = builder.HasReduce,
            Skipped = first.Skipped,
            LastQuery = lastQuery,
            More = found,
        };
    }

    private static DatabaseIndexes? IndexesOf(DocumentDatabase database) => (database as StoredDatabase)?.FindPart<DatabaseIndexes>();

    private static SearchRequest Translate(DatabaseIndexes indexes, CollectionQuery query)
    {
        using var parameters = new ParameterValues(query.Syntax.Text, query.Request.Parameters);
        return ToSearch(query.Syntax, query.Request, parameters, IsAuto(indexes, query.Syntax));
    }

    private static bool IsAuto(DatabaseIndexes indexes, QuerySyntax syntax) =>
        !syntax.From.IsIndex || indexes.Require(syntax.From.Source).Auto is not null;

    private static bool NeedsIndex(IReadOnlyList<OrderKey> keys) =>
        keys.Any(key => key.Key is FieldExpression || key.IsDescending || keys.Count > 1);

    private static IndexCutoff CutoffOf(StoredDatabase database, DatabaseIndex index)
    {
        using StoredReadScope read = database.BeginScope();
        return index.CutoffOf(read)!;
    }

    private static SearchRequest ToSearch(QuerySyntax syntax, QueryRequest request, ParameterValues parameters, bool isAuto)
    {
        var conditions = new SearchConditions(syntax, parameters, isAuto);
        SearchNode node = conditions.Translate(syntax.Where);
        List<SortKey> sort = [.. syntax.OrderBy.Select(key => ToSort(key, conditions))];

        // A page of the index is a page of the answer only when no row is left out later.
        bool isWhole = syntax.Filter is not null || syntax.Select is { IsDistinct: true };
        long skip = isWhole ? 0 : syntax.Paging.Skip is null ? request.Start ?? 0 : parameters.ResolveCount(syntax.Paging.Skip) ?? 0;
        long take = isWhole ? int.MaxValue
            : Math.Min(parameters.ResolveCount(syntax.Paging.Take) ?? int.MaxValue, request.PageSize ?? int.MaxValue);
        return new SearchRequest(node, sort, (int)Math.Min(skip, int.MaxValue), (int)Math.Min(take, int.MaxValue));
    }

    private static SortKey ToSort(OrderKey key, SearchConditions conditions)
    {
        if (key.Key is MethodExpression method && !method.IsDocumentId)
        {
            return method.Is("score")
                ? new SortKey(SortBy.Score, IsDescending: key.IsDescending)
                : throw new QueryNotSupportedException($"Order by '{method.Name}' is");
        }

        SortBy by = key.Key is MethodExpression ? SortBy.Id : key.Type switch
        {
            OrderType.Long => SortBy.Long,
            OrderType.Double => SortBy.Double,
            OrderType.AlphaNumeric => throw new QueryNotSupportedException("Alphanumeric order is"),
            _ => SortBy.Text,
        };
        NullOrder nulls = key.Nulls switch
        {
            NullPlacement.First => NullOrder.First,
            NullPlacement.Last => NullOrder.Last,
            _ => NullOrder.Smallest,
        };
        return new SortKey(by, by == SortBy.Id ? "" : conditions.FieldOf(key.Key), key.IsDescending, nulls);
    }
}
