using Jackdaw.Search.Lucene;
using Jackdaw.Server;
using Jackdaw.Server.Documents.Databases;
using Jackdaw.Server.Documents.Expiration;
using Jackdaw.Server.Hosting;
using Jackdaw.Server.Http.Handlers;
using Jackdaw.Server.Indexing;
using Jackdaw.Server.Indexing.Running;
using Jackdaw.Server.Notices;

// The document store is given here: the host knows only its interface.
return await ServerCommandLine.RunAsync(
    args,
    static (options, progress, cancellationToken) =>
    {
        ILogger logger = Logging.Create(options).CreateLogger("Jackdaw.Server.Databases");
        var indexes = new IndexPartKind(new IndexingWorkers(), new IndexFactory(LuceneSearchIndex.Open), TimeProvider.System, logger, options.Indexing);
        var due = new DuePartKind(TimeProvider.System, logger);
        var notices = new NoticePartKind(OperationHandlers.WriteState, TimeProvider.System, logger);
        return StoredDatabaseCatalog.OpenAsync(options, [indexes, notices, due], progress, logger, cancellationToken);
    })
    .ConfigureAwait(false);
