using Jackdaw.Documents.Database;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Rows;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Queries;

/// <summary>Begins the runs of queries, for answers, streams, parts of a multi_get and operations alike. First the query is planned, then
/// an index is asked if the query needs one, then documents are read.</summary>
internal static class QueryRuns
{
    /// <summary>How long a stream waits for an index that is made for it. It waits longer than other queries, because half of a stream is
    /// worth little.</summary>
    public static readonly TimeSpan StreamPatience = TimeSpan.FromSeconds(60);

    /// <summary>Plans a query and prepares a run of it; the caller disposes the run.</summary>
    /// <param name="ended">Ends the scripts of the query.</param>
    /// <param name="isBounded">The query ends when it runs too long, because it is answered as a whole.</param>
    /// <exception cref="IndexException">There is no index with the name that the query gives.</exception>
    public static QueryRun Prepare(
        ServerState server, DocumentDatabase database, QueryRequest request, CancellationToken ended, bool isBounded = false) =>
        QueryRun.Prepare(database, request, server.Scripts, ended, isBounded, server.Time);

    /// <summary>Prepares a run of a query that the request waits for, and lists it among those that run.</summary>
    public static QueryRun PrepareListed(RequestContext context, QueryRequest request, bool isBounded)
    {
        QueryRun run = Prepare(context.Server, context.Database, request, context.Aborted, isBounded);
        run.Listing = context.Server.Queries.Add(context.Database.Name, request.Text, context.Caller.Name, run.Deadline);
        return run;
    }

    /// <summary>Prepares a listed run and asks the index, for a request that waits for the whole answer.</summary>
    public static async ValueTask<QueryRun> PrepareAndSearchAsync(RequestContext context, QueryRequest request, TimeSpan firstPatience)
    {
        QueryRun run = PrepareListed(context, request, isBounded: true);
        try
        {
            await run.SearchAsync(firstPatience, context.Aborted).ConfigureAwait(false);
            return run;
        }
        catch
        {
            run.Dispose();
            throw;
        }
    }
}
