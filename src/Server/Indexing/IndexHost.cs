using Jackdaw.Server.Documents.Store;
using Jackdaw.Server.Indexing.Running;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Server.Indexing;

/// <summary>What the indexes of one database work with.</summary>
/// <param name="Database">Its documents.</param>
/// <param name="Storage">Their storage, the root of the indexes' storages.</param>
/// <param name="Workers">The threads of all indexes of the process.</param>
internal sealed record IndexHost(StoredDatabase Database, StorageEnvironment Storage, IndexingWorkers Workers, TimeProvider Time, ILogger Logger)
{
    /// <summary>Folder of all indexes of the database.</summary>
    public string Folder => Storage.Path + "/Indexes";
}
