using System.Diagnostics;
using Jackdaw.Documents.Store;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Queries.Indexed;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Projections;
using Jackdaw.Queries.Searching;

namespace Jackdaw.Queries.Rows;

/// <summary>Makes queries ready, those too that need an index.</summary>
internal static class IndexedQuery
{
    /// <summary>How long a query waits for an index that was made for it.</summary>
    public static readonly TimeSpan FirstPatience = TimeSpan.FromSeconds(15);

    /// <summary>Makes a query ready to be searched, see <see cref="CollectionQuery.SearchAsync"/>, and run.</summary>
    /// <exception cref="InvalidQueryException">It cannot be run as it is written.</exception>
    /// <exception cref="QueryNotSupportedException">It asks for what this version cannot do.</exception>
    /// <exception cref="IndexException">The index that it names is not there.</exception>
    /// <param name="time">The clock of <c>now()</c>; null: that of the system.</param>
    /// <param name="isBounded">It ends when it runs too long: it is answered as a whole.</param>
    public static CollectionQuery Plan(
        DocumentDatabase database, QueryRequest request, IProjectionScripts scripts, bool isBounded = false, TimeProvider? time = null)
    {
        long began = Stopwatch.GetTimestamp();
        QueryText parsed = QueryText.Of(request.Text);
        QueryTrace? trace = request.IsTraced || QueryIncludes.Has(parsed.Syntax, "timings") ? new QueryTrace() : null;
        trace?.Add("parse", "", began);
        began = Stopwatch.GetTimestamp();
        DatabaseIndexes? indexes = (database as StoredDatabase)?.FindPart<DatabaseIndexes>();
        bool isIndexed = indexes is not null && parsed.IsIndexed;
        if (request.ShowsEntries)
        {
            CheckShowsEntries(parsed, isIndexed);
        }

        bool isComplete = isIndexed && (parsed.MakesRows || request.ShowsEntries);
        var deadline = new QueryDeadline(isBounded ? indexes?.Settings.QueryTimeMax : null);
        QuerySyntax syntax = !parsed.NeedsBinding ? parsed.Syntax
            : QueryBinding.Bind(parsed.Syntax, request, database, (time ?? TimeProvider.System).GetUtcNow());
        CollectionQuery query = CollectionQuery.Plan(syntax, request, scripts, isIndexed, isComplete, trace, deadline);
        try
        {
            query.Search = isIndexed ? SearchRun.Make(query, parsed, (StoredDatabase)database, indexes!) : null;
            trace?.Add("plan", isIndexed ? "" : "needs no index", began);
            return query;
        }
        catch
        {
            query.Dispose();
            throw;
        }
    }

    /// <summary>Which index a query would ask.</summary>
    /// <exception cref="InvalidQueryException">It asks none, or cannot be run as it is written.</exception>
    /// <exception cref="IndexException">The index that it names is not there.</exception>
    public static IndexChoice Explain(DocumentDatabase database, QueryRequest request)
    {
        QueryText parsed = QueryText.Of(request.Text);
        if ((database as StoredDatabase)?.FindPart<DatabaseIndexes>() is not { } indexes || !parsed.IsIndexed)
        {
            throw NeedsNoIndex("nothing to explain");
        }

        return parsed.Syntax.From.IsIndex
            ? new IndexChoice(indexes.Require(parsed.Syntax.From.Source).Name, [])
            : indexes.Explain(parsed.Needed);
    }

    private static void CheckShowsEntries(QueryText parsed, bool isIndexed)
    {
        if (!isIndexed)
        {
            throw NeedsNoIndex("no entry to show");
        }

        if (parsed.Syntax.Filter is not null)
        {
            throw new InvalidQueryException("Entries of an index are shown as they are, without 'filter'; leave it out.");
        }
    }

    private static InvalidQueryException NeedsNoIndex(string what) =>
        new($"This query is answered without an index, so that there is {what}; give it a condition on a field, or an index: from index '...'.");
}
