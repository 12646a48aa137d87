using System.Diagnostics;
using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Reading;
using Jackdaw.Json.Refusals;
using Jackdaw.Queries.Evaluation;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Execution;

/// <summary>How the documents that a collection query looks at are found.</summary>
internal enum CandidateOrder
{
    /// <summary>All of a collection, or of the database, oldest first.</summary>
    ByEtag,

    /// <summary>Those whose ids begin with a text, by id.</summary>
    ByIdPrefix,

    /// <summary>Those of a list, in its order.</summary>
    ByIdList,

    /// <summary>Rows of a reduce, in the order of the index.</summary>
    ByRow,

    /// <summary>All of a collection, or those whose ids begin with a text, page by page in a random order.</summary>
    Random,
}

/// <summary>A query that needs no index, ready to be run: all documents of a collection, or those with certain
/// ids.</summary>
/// <remarks>Everything that the text and the parameters decide is decided here, once: what is refused is refused before
/// the first document is read. One run at a time.</remarks>
internal sealed class CollectionQuery : IDisposable
{
    private RandomOrder? _random;
    private bool _isRandomOfAll;

    private CollectionQuery(QuerySyntax syntax, QueryRequest request, IProjectionScripts scripts, bool isIndexed, bool isComplete)
    {
        Syntax = syntax;
        Request = request;
        Parameters = new ParameterValues(syntax.Text, request.Parameters);
        try
        {
            RefuseWhatNeedsAnIndex(syntax, isIndexed);
            Collection = syntax.From.IsAllDocuments || syntax.From.IsIndex || syntax.GroupBy.Count > 0 || isComplete
                ? []
                : Encoding.UTF8.GetBytes(syntax.From.Source);
            PlanPaging();
            if (!isIndexed)
            {
                PlanCandidates(syntax.Where);
                PlanOrder(syntax.OrderBy);
            }

            var compiler = new ConditionCompiler(syntax, Parameters);
            Filter = syntax.Filter is null ? null : compiler.Compile(syntax.Filter);
            LoadPaths = [.. syntax.Loads.Select(load => compiler.ReaderOf(load.Path))];
            Projection = isComplete ? null : Projection.Make(syntax, compiler, Parameters, request, scripts);
            Includes = QueryIncludes.Make(syntax, Parameters);
            Explanations = ExplanationOptions.Read(syntax, compiler, Parameters);
        }
        catch
        {
            Projection?.Dispose();
            Parameters.Dispose();
            throw;
        }
    }

    public QuerySyntax Syntax { get; }

    public QueryRequest Request { get; }

    public ParameterValues Parameters { get; }

    /// <summary>How long it may run.</summary>
    public required QueryDeadline Deadline { get; init; }

    /// <summary>What it does and takes; null when nobody asks for that.</summary>
    public QueryTrace? Trace { get; init; }

    /// <summary>What an index has to be asked before the query can be run; null: nothing.</summary>
    public IIndexSearch? Search { get; set; }

    /// <summary>What an index has found, with the page of now; null for a query without one. Disposed with the query.</summary>
    public IndexAnswer? Found { get; private set; }

    /// <summary>UTF-8, as written; empty for all collections.</summary>
    public byte[] Collection { get; }

    public CandidateOrder Order { get; private set; }

    /// <summary>Of <see cref="CandidateOrder.ByIdPrefix"/>.</summary>
    public byte[] Prefix { get; private set; } = [];

    /// <summary>Of <see cref="CandidateOrder.ByIdList"/>: keys, each once; of <see cref="CandidateOrder.Random"/> those of
    /// the page.</summary>
    public IReadOnlyList<byte[]> Keys { get; private set; } = [];

    public long Skip { get; private set; }

    public long Take { get; private set; } = long.MaxValue;

    /// <summary>What the query asks for, whoever skips and takes it.</summary>
    public (long Skip, long Take) Wanted { get; private set; }

    public Condition? Filter { get; }

    /// <summary>Candidates that the filter looks at most.</summary>
    public long FilterLimit { get; private set; } = long.MaxValue;

    /// <summary>Where the ids of loaded documents lie, one for each.</summary>
    public IReadOnlyList<FieldReader> LoadPaths { get; }

    /// <summary>Null: rows are documents.</summary>
    public Projection? Projection { get; }

    /// <summary>Whether equal rows come once.</summary>
    public bool IsDistinct => Projection is not null && Syntax.Select is { IsDistinct: true };

    /// <summary>What the answer brings along with its documents.</summary>
    public QueryIncludes Includes { get; }

    /// <summary>Null: no scores are explained.</summary>
    public ExplanationOptions? Explanations { get; }

    /// <summary>Whether the answer may depend on more than the documents that it finds: a script may load any, and counters change without
    /// their documents.</summary>
    public bool ReadsOtherDocuments => Includes.ReadOthers || LoadPaths.Count > 0 || Syntax.Functions.Count > 0
        || Syntax.Select?.Script is not null || Projection is { ReadsCounters: true }
        || (Syntax.Select is { } select && SelectedCall.ReadsValues(select));

    /// <summary>Whether all candidates must be walked through to count the results.</summary>
    public bool CountsByWalking => Filter is not null || (Found is null && Order != CandidateOrder.ByEtag && !_isRandomOfAll);

    /// <summary>Makes a query ready that needs no index.</summary>
    /// <exception cref="InvalidQueryException">It cannot be run as it is written.</exception>
    /// <exception cref="QueryNotSupportedException">It asks for what this version cannot do.</exception>
    public static CollectionQuery Plan(QueryRequest request, IProjectionScripts scripts) =>
        Plan(QueryParser.Parse(request.Text), request, scripts, isIndexed: false);

    /// <summary>Makes a query ready.</summary>
    /// <param name="isIndexed">An index finds its documents: see <see cref="Search"/>.</param>
    /// <param name="isComplete">The index makes its rows: see <see cref="IndexAnswer.IsComplete"/>.</param>
    /// <exception cref="InvalidQueryException">It cannot be run as it is written.</exception>
    /// <exception cref="QueryNotSupportedException">It asks for what this version cannot do.</exception>
    public static CollectionQuery Plan(
        QuerySyntax syntax, QueryRequest request, IProjectionScripts scripts, bool isIndexed, bool isComplete = false,
        QueryTrace? trace = null, QueryDeadline? deadline = null) =>
        new(syntax, request, scripts, isIndexed, isComplete) { Trace = trace, Deadline = deadline ?? new QueryDeadline(null) };

    /// <summary>Asks the index, if the query needs one; before it is run.</summary>
    /// <param name="firstPatience">How long it waits for an index that is made for it now.</param>
    /// <param name="ended">Also ends the search of later pages.</param>
    public async ValueTask SearchAsync(TimeSpan firstPatience, CancellationToken ended)
    {
        if (Search is { } search)
        {
            Debug.Assert(Found is null);
            try
            {
                PlanFound(await search.RunAsync(firstPatience, ended).ConfigureAwait(false));
            }
            catch (OperationCanceledException failure) when (Deadline.TryExplain(failure, out RefusedException? explained))
            {
                throw explained;
            }
        }
    }

    /// <summary>Goes to the next page of what an index found, or of a random order; false: there is none.</summary>
    /// <param name="read">Its snapshot must be renewed before the page is read.</param>
    public bool TryNextPage(RenewedRead read)
    {
        if (_random is not null)
        {
            bool isMore = _random.TryGather(read, out IReadOnlyList<byte[]> keys);
            Keys = keys;
            return isMore;
        }

        if (Found?.More?.Next() is not { } page)
        {
            return false;
        }

        Found = Found with { Keys = page.Keys, Stored = page.Stored, Metadata = page.Metadata, Explanations = page.Explanations, Skipped = page.Skipped };
        Keys = page.Keys;
        return true;
    }

    public void Dispose()
    {
        Projection?.Dispose();
        Parameters.Dispose();
        Found?.Dispose();
        Deadline.Dispose();
    }

    private static void RefuseWhatNeedsAnIndex(QuerySyntax syntax, bool isIndexed)
    {
        if (syntax.From.IsIndex && !isIndexed)
        {
            throw new QueryNotSupportedException("Queries of indexes (from index) are");
        }

        if (syntax.GroupBy.Count > 0 && !isIndexed)
        {
            throw new QueryNotSupportedException("Grouped queries (group by) are");
        }

        if (syntax.GroupBy.Count > 0 && (syntax.From.IsIndex || syntax.Loads.Count > 0 || !syntax.Includes.All(QueryIncludes.IsExplanation)))
        {
            throw InvalidQueryException.At(syntax.Text, syntax.From.TextPosition,
                "'group by' groups the documents of a collection; leave 'from index', 'load' and 'include' of documents out.");
        }

        if (syntax.Functions.Any(function => function.IsTimeSeries))
        {
            throw new QueryNotSupportedException("Time series are");
        }
    }

    private void PlanCandidates(Expression? where)
    {
        while (where is MethodExpression exact && exact.Is("exact"))
        {
            where = exact.Arguments[0].Value; // Ids have no casing.
        }

        switch (where)
        {
            case null or LiteralExpression { Kind: LiteralKind.True }:
                break;
            case LiteralExpression:
                Order = CandidateOrder.ByIdList;
                break;
            case ComparisonExpression { Left: MethodExpression { IsDocumentId: true }, Operator: ComparisonOperator.Equal } equal
                when IsValue(equal.Right):
                PlanIds([Parameters.Resolve(equal.Right)]);
                break;
            case InExpression { Left: MethodExpression { IsDocumentId: true }, IsAll: false } list:
                PlanIds(new ConditionCompiler(Syntax, Parameters).ValuesOf(list));
                break;
            case MethodExpression { Arguments: [{ Value: MethodExpression { IsDocumentId: true } }, _] } prefix
                when prefix.Is("startsWith") && IsValue(prefix.Arguments[1].Value):
                Order = CandidateOrder.ByIdPrefix;
                Prefix = PrefixOf(Parameters.Resolve(prefix.Arguments[1].Value));
                break;
            default:
                throw LaterFeatures.RefuseCondition(where);
        }
    }

    private static bool IsValue(Expression expression) => expression is LiteralExpression or ParameterExpression;

    // Without a text there is nothing that an id could begin with, but the empty text.
    private static byte[] PrefixOf(QueryValue value) => DocumentKey.Make(value.Text);

    private void PlanIds(IReadOnlyList<QueryValue> values)
    {
        Order = CandidateOrder.ByIdList;
        Keys = IdConditions.KeysOf(values);
    }

    // The index has skipped and taken, but for what is filtered and what comes once.
    private void PlanFound(IndexAnswer found)
    {
        Order = found.IsReduced ? CandidateOrder.ByRow : CandidateOrder.ByIdList;
        Keys = found.Keys;
        Found = found;
        if (Syntax.Filter is null && Syntax.Select is not { IsDistinct: true })
        {
            Skip = 0;
            Take = long.MaxValue;
        }
    }

    private void PlanOrder(IReadOnlyList<OrderKey> keys)
    {
        if (keys.Count == 0)
        {
            return;
        }

        if (keys is [{ Key: MethodExpression random, IsDescending: false }] && random.Is("random"))
        {
            PlanRandom(RandomOrder.SeedOf(random, Parameters));
            return;
        }

        bool isById = keys is [{ Key: MethodExpression { IsDocumentId: true } }];
        if (isById && Order == CandidateOrder.ByIdList)
        {
            Keys = IdConditions.Sort(Keys, keys[0].IsDescending);
            return;
        }

        if (!isById || keys[0].IsDescending)
        {
            throw keys[0].Key is MethodExpression { IsDocumentId: false } method
                ? LaterFeatures.Refuse(method, "Order by other fields than id() is")
                : new QueryNotSupportedException("Order by other fields than id(), and descending order, are");
        }

        Order = CandidateOrder.ByIdPrefix;
    }

    private void PlanRandom(int seed)
    {
        if (Order == CandidateOrder.ByIdList)
        {
            Keys = RandomOrder.Shuffle(Keys, seed);
            return;
        }

        // As many as can be wanted; a filter or repeated rows may leave some of them out.
        bool isBounded = Order == CandidateOrder.ByEtag && Syntax.Filter is null && Syntax.Select is not { IsDistinct: true }
            && Take < RandomOrder.PageMax && Skip < RandomOrder.PageMax;
        int pageMax = isBounded ? (int)Math.Clamp(Skip + Take, 1, RandomOrder.PageMax) : RandomOrder.PageMax;
        _random = new RandomOrder(Collection, Order == CandidateOrder.ByIdPrefix ? Prefix : null, seed, pageMax);
        _isRandomOfAll = Order == CandidateOrder.ByEtag;
        Order = CandidateOrder.Random;
    }

    private void PlanPaging()
    {
        PagingClause paging = Syntax.Paging;
        Skip = paging.Skip is null ? Request.Start ?? 0 : Parameters.ResolveCount(paging.Skip) ?? 0;
        Take = Math.Min(
            Parameters.ResolveCount(paging.Take) ?? long.MaxValue, Request.PageSize ?? long.MaxValue);
        Wanted = (Skip, Take);
        FilterLimit = Parameters.ResolveCount(paging.FilterLimit) ?? long.MaxValue;
        if (Syntax.Update is { } update && !Request.TakesUpdate)
        {
            throw InvalidQueryException.At(
                Syntax.Text, update.TextPosition, "'update' cannot be part of a query that reads; send it with PATCH /queries.");
        }
    }
}
