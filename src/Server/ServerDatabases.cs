using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Expiration;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Measurement;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Http.Handlers;
using Jackdaw.Server.Notices;
using Jackdaw.Storage;

namespace Jackdaw.Server;

/// <summary>Opens the databases of a server. Each open database has its indexes, change notices and scheduled work.</summary>
internal static class ServerDatabases
{
    /// <summary>Opens and recovers the storages below the data folder.</summary>
    /// <param name="options">The options of the server.</param>
    /// <param name="time">The clock of all parts.</param>
    /// <param name="logger">The logger of all databases.</param>
    /// <param name="progress">Receives the progress of the opening.</param>
    /// <param name="cancellationToken">Ends the opening.</param>
    public static Task<DatabaseCatalog> OpenAsync(
        ServerOptions options, TimeProvider time, ILogger logger, IProgress<RecoveryProgress> progress, CancellationToken cancellationToken) =>
        OpenAsync(options, PartsOf(new DatabaseComposition(), options, time, logger), progress, logger, cancellationToken);

    /// <summary>Opens them with the given parts in each open database.</summary>
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

    /// <summary>Opens them below a folder of a platform.</summary>
    /// <param name="storages">The options of storages, with the clock of all parts.</param>
    /// <param name="composition">The parts of the databases; null for those of a server.</param>
    public static Task<DatabaseCatalog> OpenAsync(
        IPlatform platform,
        StorageOptions storages,
        ServerOptions options,
        ILogger logger,
        IProgress<RecoveryProgress> progress,
        CancellationToken cancellationToken,
        DatabaseComposition? composition = null)
    {
        composition ??= new DatabaseComposition();
        return DatabaseCatalog.OpenAsync(
            platform, options.DataDir, storages, options.NodeTag, composition.Extensions, PartsOf(composition, options, storages.Time, logger), progress,
            logger, cancellationToken);
    }

    private static DatabasePartKind[] PartsOf(DatabaseComposition composition, ServerOptions options, TimeProvider time, ILogger logger)
    {
        var factory = new IndexFactory(composition.Engines, composition.Sources);
        DatabasePartKind[] kinds =
        [
            new IndexPartKind(composition.Workers, factory, time, logger, options.Indexing),
            new NoticePartKind(OperationHandlers.WriteState, time, logger),
            new SchedulePartKind(time, logger),
            .. composition.MoreParts,
        ];
        return [.. kinds.Where(kind => !composition.LeftOut.Contains(kind.Name))];
    }
}
