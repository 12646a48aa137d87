using Jackdaw.Documents.Databases;
using Jackdaw.Server.Configuration;

namespace Jackdaw.Server.Hosting;

/// <summary>Opens (and recovers) the storages below the data folder. Called once, after the server listens.</summary>
/// <param name="options">Validated configuration.</param>
/// <param name="progress">Receives the progress that /health/ready shows while the storages are opened.</param>
public delegate Task<DatabaseCatalog> OpenDatabaseCatalog(
    ServerOptions options, IProgress<RecoveryProgress> progress, CancellationToken cancellationToken);
