using Jackdaw.Server.Configuration;

namespace Jackdaw.Server.Documents.Databases;

/// <summary>Opens (and recovers) the storages below the data folder. Called once, after the server listens.</summary>
/// <param name="options">Validated configuration.</param>
/// <param name="progress">Receives what /health/ready shows meanwhile.</param>
public delegate Task<DatabaseCatalog> OpenDatabaseCatalog(
    ServerOptions options, IProgress<RecoveryProgress> progress, CancellationToken cancellationToken);

/// <summary>How far the opening of the storages has come; shown by /health/ready.</summary>
/// <param name="Phase">One short sentence: what is being done to which storage.</param>
/// <param name="Done">Units done (journal entries, databases).</param>
/// <param name="Total">Units in all; 0 when unknown.</param>
public sealed record RecoveryProgress(string Phase, long Done, long Total);
