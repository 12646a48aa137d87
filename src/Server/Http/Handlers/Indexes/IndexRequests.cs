using Jackdaw.Indexing;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>Finds the indexes of requests.</summary>
internal static class IndexRequests
{
    /// <summary>How long a request waits for the files of an index. Usually they are open already, except when the index was made at this moment.</summary>
    public static readonly TimeSpan OpeningPatience = TimeSpan.FromSeconds(15);

    /// <summary>A handler with the indexes of its database.</summary>
    public static RequestHandler With(Func<RequestContext, DatabaseIndexes, ValueTask> handle) => context => handle(context, Of(context));

    /// <summary>The indexes of a request's database.</summary>
    public static DatabaseIndexes Of(RequestContext context) =>
        context.Database.FindPart<DatabaseIndexes>()
        ?? throw new RequestRefusedException(Problem.NotSupported("Indexes of this database are"));

    /// <summary>The opened files of an index.</summary>
    /// <exception cref="IndexException">The files are not open yet, or cannot be opened.</exception>
    public static async ValueTask<IndexBuilder> OpenAsync(RequestContext context, DatabaseIndex index)
    {
        await index.WaitForOpenAsync(OpeningPatience, context.Aborted).ConfigureAwait(false);
        return index.Builder ?? throw new IndexException(
            index.Fault is null ? IndexFault.Unavailable : IndexFault.Unusable,
            index.Fault ?? $"Index '{index.Name}' is not open yet; try again in a moment.");
    }
}
