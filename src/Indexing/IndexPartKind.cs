using Jackdaw.Documents.Database;
using Jackdaw.Indexing.Running;
using Jackdaw.Indexing.Settings;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Indexing;

/// <summary>The indexes of databases.</summary>
/// <param name="workers">The threads of all indexes of the process.</param>
/// <param name="factory">Makes what builds an index.</param>
/// <param name="settings">Of the server; null: the defaults.</param>
internal sealed class IndexPartKind(
    IndexingWorkers workers, IIndexFactory factory, TimeProvider time, ILogger logger, IndexingSettings? settings = null)
    : DatabasePartKind
{
    public override string Name => "indexes";

    // An index may be behind its documents.
    public override bool NeedsOpenDatabase(ClosedDatabase database) => database.Platform.ListDirectory(database.Folder + "/Indexes").Count > 0;

    public override IEnumerable<DatabasePart> MakeParts(PartHost host) =>
        [new DatabaseIndexes(new IndexHost(host.Database, host.Storage, workers, time, logger)
        {
            ServerSettings = settings ?? new IndexingSettings(),
        }, factory)];
}
