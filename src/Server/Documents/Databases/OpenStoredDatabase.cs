using Jackdaw.Server.Documents.Store;

namespace Jackdaw.Server.Documents.Databases;

/// <summary>Opens the files of one database.</summary>
/// <param name="progress">Gets bytes done and bytes in all of the journal that recovery reads.</param>
internal delegate StoredDatabase OpenStoredDatabase(DatabaseSettings settings, Action<long, long> progress);
