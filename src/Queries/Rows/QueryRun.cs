using System.Diagnostics;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Reading;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Json.Refusals;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Searching;
using Jackdaw.Scripting.Caching;

namespace Jackdaw.Queries.Rows;

/// <summary>One execution of a plan: asks the index if the plan needs one, and knows which documents the walk looks at next. One thread
/// at a time.</summary>
internal sealed class QueryRun : IDisposable
{
    private readonly SearchRun? _search;
    private readonly QueryScripts _scripts;
    private readonly CancellationToken _ended;
    private RandomOrder? _random;

    /// <param name="search">Searches for the run; null for a plan without an index.</param>
    /// <param name="scripts">The engines of the query's scripts.</param>
    /// <param name="ended">Ends the scripts of the query.</param>
    public QueryRun(QueryPlan plan, SearchRun? search, QueryScripts scripts, CancellationToken ended)
    {
        Plan = plan;
        _search = search;
        _scripts = scripts;
        _ended = ended;
        (Order, Keys) = (plan.Candidates.Order, plan.Candidates.Keys);
        (Skip, Take) = (plan.Skip, plan.Take);
        if (plan.Candidates.Seed is { } seed)
        {
            PutInRandomOrder(seed.ForRun());
        }
    }

    public QueryPlan Plan { get; }

    public required IReadableDatabase Database { get; init; }

    /// <summary>How long the query may run.</summary>
    public required QueryDeadline Deadline { get; init; }

    /// <summary>The query's place in the list of those that run; null when it is in none. Disposed with the run.</summary>
    public IDisposable? Listing { get; set; }

    /// <summary>What the query does and how long that takes; null when nobody asks for it.</summary>
    public QueryTrace? Trace { get; init; }

    /// <summary>The answer of the index; null for a query without one. Disposed with the run.</summary>
    public IndexAnswer? IndexAnswer { get; private set; }

    /// <summary>The current page of the index's hits; null for a query without an index.</summary>
    public HitPage? Page { get; private set; }

    /// <summary>How the candidates are found.</summary>
    public CandidateOrder Order { get; private set; }

    /// <summary>The keys of <see cref="CandidateOrder.ByIdList"/>, or of the current page.</summary>
    public IReadOnlyList<byte[]> Keys { get; private set; }

    /// <summary>Results that the walk passes over: an index has passed over them already, unless rows are left out afterwards.</summary>
    public long Skip { get; private set; }

    /// <summary>The most results that the walk takes.</summary>
    public long Take { get; private set; }

    /// <summary>Whether all candidates must be walked over to count the results.</summary>
    public bool CountsByWalking =>
        Plan.Filter is not null || (IndexAnswer is null && Plan.Candidates.Order != CandidateOrder.ByEtag);

    /// <summary>Plans a query and prepares a run of it. Nothing is searched or read before <see cref="SearchAsync"/>.</summary>
    /// <param name="ended">Ends the scripts of the query.</param>
    /// <param name="isBounded">The query ends when it runs too long, because it is answered as a whole.</param>
    /// <param name="time">The clock of <c>now()</c>; null for that of the system.</param>
    /// <exception cref="InvalidQueryException">The query cannot be run as it is written.</exception>
    /// <exception cref="QueryNotSupportedException">The query asks for what this version cannot do.</exception>
    /// <exception cref="IndexException">There is no index with the name that the query gives.</exception>
    public static QueryRun Prepare(
        DocumentDatabase database, QueryRequest request, QueryScripts scripts, CancellationToken ended, bool isBounded = false,
        TimeProvider? time = null)
    {
        long began = Stopwatch.GetTimestamp();
        QueryText text = QueryText.Of(request.Text);
        QueryTrace? trace = request.IsTraced || QueryIncludes.Has(text.Syntax, "timings") ? new QueryTrace() : null;
        trace?.Add("parse", "", began);
        began = Stopwatch.GetTimestamp();
        DatabaseIndexes? indexes = database.FindPart<DatabaseIndexes>();
        bool isIndexed = indexes is not null && text.IsIndexed;
        if (request.ShowsEntries)
        {
            text.CheckShowsEntries(isIndexed);
        }

        using var parameters = new ParameterValues(text.Syntax.Text, request.Parameters);
        QuerySyntax syntax = text.NeedsBinding
            ? QueryBinding.Bind(text.Syntax, parameters, database, (time ?? TimeProvider.System).GetUtcNow())
            : text.Syntax;
        QueryPlan plan = QueryPlan.Make(text, syntax, request, parameters, database.Extensions, scripts, isIndexed);
        var deadline = new QueryDeadline(isBounded ? indexes?.Catalog.Settings.QueryTimeMax : null);
        SearchRun? search = isIndexed
            ? SearchRun.Make(plan, parameters, database, indexes!, deadline, trace)
            : null;
        trace?.Add("plan", isIndexed ? "" : "needs no index", began);
        return new QueryRun(plan, search, scripts, ended) { Database = database, Deadline = deadline, Trace = trace };
    }

    /// <summary>Asks the index if the query needs one; called before the walk.</summary>
    /// <param name="firstPatience">How long the query waits for an index that is made for it now.</param>
    /// <param name="ended">Also ends the search of later pages.</param>
    public async ValueTask SearchAsync(TimeSpan firstPatience, CancellationToken ended)
    {
        Deadline.Follow(ended);
        if (_search is null)
        {
            return;
        }

        Debug.Assert(IndexAnswer is null);
        try
        {
            Begin(await _search.RunAsync(firstPatience, Deadline.Token).ConfigureAwait(false));
        }
        catch (OperationCanceledException failure) when (Deadline.TryExplain(failure, out RefusedException? explained))
        {
            throw explained;
        }
    }

    /// <summary>Goes to the next page of the hits of an index, or of a random order; false when there is none.</summary>
    /// <param name="read">Its snapshot must be renewed before the page is read.</param>
    public bool TryNextPage(RenewedRead read)
    {
        if (_random is not null)
        {
            bool isMore = _random.TryGather(read, out IReadOnlyList<byte[]> keys);
            Keys = keys;
            return isMore;
        }

        if (IndexAnswer?.Hits?.Next() is not { } page)
        {
            return false;
        }

        (Page, Keys) = (page, page.Keys);
        return true;
    }

    /// <summary>Begins the script of the projection; null when the query selects without one. The caller disposes it.</summary>
    public RowScript? BeginScript() => Plan.Projection?.Script is { } script
        ? new RowScript(_scripts.Engines, script, Plan.Request.Parameters, _ended)
        : null;

    public void Dispose()
    {
        Listing?.Dispose();
        IndexAnswer?.Dispose();
        Deadline.Dispose();
    }

    private void Begin(IndexAnswer answer)
    {
        IndexAnswer = answer;
        Page = answer.FirstPage;
        Order = answer.HasRows ? CandidateOrder.ByRow : CandidateOrder.ByIdList;
        Keys = Page.Keys;
        if (!Plan.LeavesOutRows)
        {
            (Skip, Take) = (0, long.MaxValue);
        }
    }

    private void PutInRandomOrder(int seed)
    {
        if (Order == CandidateOrder.ByIdList)
        {
            Keys = RandomOrder.Shuffle(Keys, seed);
            return;
        }

        _random = new RandomOrder(
            Plan.Collection, Order == CandidateOrder.ByIdPrefix ? Plan.Candidates.Prefix : null, seed, RandomOrder.PageSizeOf(Plan));
        Order = CandidateOrder.Random;
    }
}
