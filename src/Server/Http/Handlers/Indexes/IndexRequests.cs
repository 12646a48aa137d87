using Jackdaw.Indexing;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>Finds the indexes of requests.</summary>
internal static class IndexRequests
{
    /// <summary>How long a request waits for the files of an index. They are open unless the index was made just now.</summary>
    public static readonly TimeSpan OpeningPatience = TimeSpan.FromSeconds(15);

    /// <summary>A handler that gets the index catalog of its database.</summary>
    public static RequestHandler With(Func<RequestContext, IndexCatalog, ValueTask> handle) => context => handle(context, Of(context).Catalog);

    /// <summary>The indexes of the database of a request.</summary>
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
