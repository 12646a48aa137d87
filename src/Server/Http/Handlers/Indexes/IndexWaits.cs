using System.Globalization;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>The parameters of a write that make it wait for indexes: <c>waitForIndexesTimeout</c>, <c>waitForSpecificIndex</c>,
/// <c>waitForIndexThrow</c>.</summary>
/// <remarks>The write itself is durable, whether the wait succeeds or not.</remarks>
internal sealed class IndexWaits
{
    private readonly DocumentDatabase _database;
    private readonly DatabaseIndexes _indexes;
    private readonly IReadOnlyList<string> _names;
    private readonly TimeSpan _timeout;
    private readonly bool _throws;
    private readonly Etag _before;

    private IndexWaits(DocumentDatabase database, DatabaseIndexes indexes, QueryParameters query)
    {
        _database = database;
        _indexes = indexes;
        _names = query.GetAll("waitForSpecificIndex");
        _timeout = QueryRequestReader.ToPatience(query.GetText("waitForIndexesTimeout"));
        _throws = query.GetFlag("waitForIndexThrow", absent: true);
        using DocumentReadScope read = database.BeginRead();
        _before = read.LastEtag;
    }

    /// <summary>Reads the parameters of a request before it writes; null when it does not wait.</summary>
    /// <exception cref="IndexException">An index that it names does not exist.</exception>
    public static IndexWaits? Read(RequestContext context)
    {
        if ((!context.Query.Has("waitForIndexesTimeout") && !context.Query.Has("waitForSpecificIndex"))
            || context.Database is not DocumentDatabase database || database.FindPart<DatabaseIndexes>() is not { } indexes)
        {
            return null;
        }

        indexes.RequireAll(context.Query.GetAll("waitForSpecificIndex"));
        return new IndexWaits(database, indexes, context.Query);
    }

    /// <summary>Waits until the indexes have read the write.</summary>
    /// <param name="last">The etag of the last write of the request.</param>
    /// <exception cref="RequestRefusedException">The indexes have not read it in time, and the request wants an error in this case.</exception>
    public async ValueTask WaitAsync(RequestContext context, Etag last)
    {
        long began = context.Server.Time.GetTimestamp();
        IReadOnlyList<string> behind = await _indexes
            .WaitForWritesAsync(_before, last, _names, _timeout, context.Aborted).ConfigureAwait(false);
        context.IndexWait = context.Server.Time.GetElapsedTime(began);
        if (_throws && behind.Count > 0)
        {
            string seconds = _timeout.TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture);
            throw new RequestRefusedException(new Problem(408, ProblemTypes.Timeout,
                $"The documents are written, but in {seconds} s these indexes of database '{_database.Name}' have not read them: "
                + $"{string.Join(", ", behind)}. Wait longer, or check whether they are paused or disabled."));
        }
    }
}
