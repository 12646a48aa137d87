using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Expiration;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Running;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Measurement;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Http.Handlers;
using Jackdaw.Server.Notices;
using Jackdaw.Storage;

namespace Jackdaw.Server;

/// <summary>The databases of a server with all that belongs to an open one: indexes, change notices, scheduled work.</summary>
internal static class ServerDatabases
{
    /// <summary>Opens and recovers the storages below the data folder.</summary>
    /// <param name="options">Of the server.</param>
    /// <param name="time">Clock of all parts.</param>
    /// <param name="logger">Of all databases.</param>
    /// <param name="progress">Told how far the opening is.</param>
    /// <param name="cancellationToken">Ends the opening.</param>
    public static Task<DatabaseCatalog> OpenAsync(
        ServerOptions options, TimeProvider time, ILogger logger, IProgress<RecoveryProgress> progress, CancellationToken cancellationToken) =>
        OpenAsync(options, PartsOf(options, time, logger), progress, logger, cancellationToken);

    /// <summary>As above, with the given parts in each open database.</summary>
    public static async Task<DatabaseCatalog> OpenAsync(
        ServerOptions options, IReadOnlyList<DatabasePartKind> parts, IProgress<RecoveryProgress> progress, ILogger logger,
        CancellationToken cancellationToken)
    {
        IPlatform platform = options.RunInMemory
            ? new MemoryPlatform()
            : await Task.Run(() => PageWriteModes.Probe(options.DataDir, options.WriteMode), cancellationToken).ConfigureAwait(false);
        return await DatabaseCatalog.OpenAsync(
            platform, options.DataDir, new StorageOptions(), options.NodeTag, StandardExtensions.All, parts, progress, logger,
            cancellationToken).ConfigureAwait(false);
    }

    /// <summary>As above, below a folder of a platform.</summary>
    /// <param name="storages">With the clock of all parts.</param>
    public static Task<DatabaseCatalog> OpenAsync(
        IPlatform platform,
        StorageOptions storages,
        ServerOptions options,
        ILogger logger,
        IProgress<RecoveryProgress> progress,
        CancellationToken cancellationToken) => DatabaseCatalog.OpenAsync(
            platform, options.DataDir, storages, options.NodeTag, StandardExtensions.All, PartsOf(options, storages.Time, logger), progress, logger,
            cancellationToken);

    private static DatabasePartKind[] PartsOf(ServerOptions options, TimeProvider time, ILogger logger) =>
    [
        new IndexPartKind(new IndexingWorkers(), new IndexFactory(RegisteredEngines.All), time, logger, options.Indexing),
        new NoticePartKind(OperationHandlers.WriteState, time, logger),
        new SchedulePartKind(time, logger),
    ];
}
