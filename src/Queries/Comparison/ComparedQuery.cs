using System.Diagnostics;
using Jackdaw.Documents.Database;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Comparison;
using Jackdaw.Json.Refusals;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Searching;
using Jackdaw.Queries.Searching.Translation;
using Jackdaw.Scripting.Caching;

namespace Jackdaw.Queries.Comparison;

/// <summary>A query of one index, which is asked of the files that several engines made of its definition. Immutable.</summary>
/// <remarks>Only what the index finds counts: what a filter leaves out and a projection makes of it is the same for all engines.</remarks>
internal sealed class ComparedQuery
{
    /// <summary>The longest time of one run: nobody compares engines by queries that take longer on a sample.</summary>
    private static readonly TimeSpan s_runMax = TimeSpan.FromSeconds(10);

    private readonly DocumentDatabase _database;
    private readonly DatabaseIndexes _indexes;
    private readonly QueryPlan _plan;
    private readonly SearchPlan _search;

    private ComparedQuery(DocumentDatabase database, DatabaseIndexes indexes, string text, QueryPlan plan, SearchPlan search)
    {
        _search = search;
        _database = database;
        _indexes = indexes;
        Text = text;
        _plan = plan;
    }

    public string Text { get; }

    /// <summary>Whether the order of the rows is one that every engine must have: that of fields, not of scores or of chance.</summary>
    public bool HasOrder => _plan.Syntax.OrderBy is { Count: > 0 } keys
        && !keys.Any(key => key.Key is MethodExpression method && (method.Is("score") || method.Is("random")));

    /// <summary>Plans a query.</summary>
    /// <param name="index">The name of the index that it has to ask.</param>
    /// <param name="scripts">The scripts of projections, which are parsed and never run.</param>
    /// <exception cref="InvalidQueryException">The query cannot be run as it is written, or asks something else.</exception>
    /// <exception cref="QueryNotSupportedException">The query asks for what this version cannot do.</exception>
    public static ComparedQuery Prepare(
        DocumentDatabase database, DatabaseIndexes indexes, string text, string index, QueryScripts scripts, TimeProvider time)
    {
        QueryText read = QueryText.Of(text);
        FromClause from = read.Syntax.From;
        if (!from.IsIndex || !from.Source.Equals(index, StringComparison.OrdinalIgnoreCase))
        {
            throw new InvalidQueryException($"Only queries of the index that is compared can be asked: write from index '{index}' ... instead of '{text}'.");
        }

        using var parameters = new ParameterValues(text, default);
        QuerySyntax syntax = read.NeedsBinding ? QueryBinding.Bind(read.Syntax, parameters, database, time.GetUtcNow()) : read.Syntax;
        var request = new QueryRequest { Text = text };
        QueryPlan plan = QueryPlan.Make(read, syntax, request, parameters, database.Extensions, scripts, isIndexed: true);
        return new ComparedQuery(database, indexes, text, plan, SearchPlan.Make(plan, parameters, database, isAuto: false, isTraced: false));
    }

    /// <summary>Asks the files of one engine.</summary>
    /// <param name="build">One that has not failed.</param>
    /// <param name="rows">Receives what is found; null where only the time is wanted.</param>
    /// <returns>How long the search took, with all its pages.</returns>
    /// <exception cref="RefusedException">The search cannot be run, or takes too long.</exception>
    public TimeSpan Ask(EngineBuild build, FoundRows? rows, CancellationToken ended)
    {
        using var deadline = new QueryDeadline(s_runMax);
        var run = SearchRun.MakeForFiles(_plan, _search, _database, _indexes, deadline);
        deadline.Follow(ended);
        long began = Stopwatch.GetTimestamp();
        deadline.Begin();
        try
        {
            using IndexAnswer answer = run.Ask(build.Index, build.Builder!);
            int read = 0;
            for (HitPage? page = answer.FirstPage; page is not null && read < FoundRows.RowsMax; page = answer.Hits?.Next())
            {
                read += page.Keys.Count;
                rows?.Add(page, answer);
            }

            return Stopwatch.GetElapsedTime(began);
        }
        catch (OperationCanceledException failure) when (deadline.TryExplain(failure, out RefusedException? explained))
        {
            throw explained;
        }
    }
}
