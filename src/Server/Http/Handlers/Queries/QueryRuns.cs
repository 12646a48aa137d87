using Jackdaw.Documents.Store;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Projections;
using Jackdaw.Queries.Rows;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Queries;

/// <summary>The way that all queries go, whatever becomes of what they find: an answer, a stream, a part of a multi_get, an operation.
/// First the text is checked, then an index is asked if the query needs one, then documents are read.</summary>
internal static class QueryRuns
{
    /// <summary>How long a stream waits for an index that is made for it: it is read as a whole, so that half an answer is worth little.</summary>
    public static readonly TimeSpan StreamPatience = TimeSpan.FromSeconds(60);

    /// <summary>Checks a query and makes it ready; the caller disposes it.</summary>
    /// <param name="ended">Ends its scripts.</param>
    /// <param name="isBounded">It ends when it runs too long: it is answered as a whole.</param>
    /// <exception cref="IndexException">The index that it names is not there.</exception>
    public static CollectionQuery Plan(ServerState server, DocumentDatabase database, QueryRequest request, CancellationToken ended, bool isBounded = false) =>
        IndexedQuery.Plan(database, request, new ScriptedProjections(server.Scripts, ended), isBounded, server.Time);

    /// <summary>Both, for a request that waits for its answer.</summary>
    public static async ValueTask<CollectionQuery> PlanAndSearchAsync(
        ServerState server, DocumentDatabase database, QueryRequest request, TimeSpan firstPatience, CancellationToken ended)
    {
        CollectionQuery query = Plan(server, database, request, ended, isBounded: true);
        try
        {
            await query.SearchAsync(firstPatience, ended).ConfigureAwait(false);
            return query;
        }
        catch
        {
            query.Dispose();
            throw;
        }
    }
}
