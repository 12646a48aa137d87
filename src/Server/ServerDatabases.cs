using Jackdaw.Search.Lucene;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Documents.Databases;
using Jackdaw.Server.Documents.Expiration;
using Jackdaw.Server.Http.Handlers;
using Jackdaw.Server.Indexing;
using Jackdaw.Server.Indexing.Running;
using Jackdaw.Server.Notices;

namespace Jackdaw.Server;

/// <summary>The databases of a server with all that belongs to an open one: indexes, change notices, what is due.</summary>
internal static class ServerDatabases
{
    /// <inheritdoc cref="OpenDatabaseCatalog"/>
    /// <param name="options">Of the server.</param>
    /// <param name="time">Clock of all parts.</param>
    /// <param name="logger">Of all databases.</param>
    /// <param name="progress">Told how far the opening is.</param>
    /// <param name="cancellationToken">Ends the opening.</param>
    public static Task<DatabaseCatalog> OpenAsync(
        ServerOptions options, TimeProvider time, ILogger logger, IProgress<RecoveryProgress> progress, CancellationToken cancellationToken)
    {
        var indexes = new IndexPartKind(new IndexingWorkers(), new IndexFactory(LuceneSearchIndex.Open), time, logger, options.Indexing);
        var due = new DuePartKind(time, logger);
        var notices = new NoticePartKind(OperationHandlers.WriteState, time, logger);
        return StoredDatabaseCatalog.OpenAsync(options, [indexes, notices, due], progress, logger, cancellationToken);
    }
}
