using System.Globalization;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>What a write says about waiting for indexes: <c>waitForIndexesTimeout</c>, <c>waitForSpecificIndex</c>, <c>waitForIndexThrow</c>.</summary>
/// <remarks>The write itself is durable, even when the wait fails.</remarks>
internal sealed class WriteWait
{
    private static readonly Input s_howLong =
        Input.Span("waitForIndexesTimeout", "How long the answer waits until indexes have read the write; without it and an index it does not wait.");

    private readonly DocumentDatabase _database;
    private readonly IndexWaits _waits;
    private readonly IReadOnlyList<string> _names;
    private readonly TimeSpan _timeout;
    private readonly bool _throws;
    private readonly Etag _before;

    private WriteWait(DocumentDatabase database, IndexWaits waits, QueryParameters query)
    {
        _database = database;
        _waits = waits;
        _names = query.GetAll("waitForSpecificIndex");
        _timeout = QueryRequestReader.ToPatience(query.GetText("waitForIndexesTimeout"));
        _throws = query.GetFlag("waitForIndexThrow", absent: true);
        using DocumentReadScope read = database.BeginRead();
        _before = read.LastEtag;
    }

    /// <summary>What <see cref="Read"/> reads.</summary>
    public static IReadOnlyList<Input> Inputs { get; } =
    [
        s_howLong,
        Input.Text(
            "waitForSpecificIndex", "The name of an index that must have read the write; without it all that it concerns.", "Orders/ByCompany").Repeated(),
        Input.Flag("waitForIndexThrow", "Whether it is an error when they have not in time.").Or("true").With(s_howLong),
    ];

    /// <summary>Reads what a request says, before it writes; null when it does not wait.</summary>
    /// <exception cref="IndexException">An index that it names does not exist.</exception>
    public static WriteWait? Read(RequestContext context)
    {
        if ((!context.Query.Has("waitForIndexesTimeout") && !context.Query.Has("waitForSpecificIndex"))
            || context.Database.FindPart<DatabaseIndexes>() is not { } indexes)
        {
            return null;
        }

        foreach (string name in context.Query.GetAll("waitForSpecificIndex"))
        {
            indexes.Catalog.Require(name);
        }

        return new WriteWait(context.Database, indexes.Waits, context.Query);
    }

    /// <summary>Waits until the indexes have read the write.</summary>
    /// <param name="last">The etag of the last write of the request.</param>
    /// <exception cref="RequestRefusedException">The indexes have not read it in time, and the request wants an error in this case.</exception>
    public async ValueTask WaitAsync(RequestContext context, Etag last)
    {
        long began = context.Server.Time.GetTimestamp();
        IReadOnlyList<string> behind = await _waits
            .WaitForWritesAsync(_before, last, _names, _timeout, context.Aborted).ConfigureAwait(false);
        context.IndexWait = context.Server.Time.GetElapsedTime(began);
        if (_throws && behind.Count > 0)
        {
            string seconds = _timeout.TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture);
            throw new RequestRefusedException(new Problem(408, ProblemTypes.IndexWaitTimeout,
                $"The documents are written, but the server could not verify that all indexes have read them within {seconds} s. "
                + $"These indexes of database '{_database.Name}' have not: "
                + $"{string.Join(", ", behind)}. Wait longer, or check whether they are paused or disabled.")
            {
                WriteDetails = json => json.WriteBoolean("FailImmediately"u8, true), // Another node would not have read them either.
            });
        }
    }
}
