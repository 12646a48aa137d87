using Jackdaw.Documents.Database;
using Jackdaw.Indexing.Running;
using Jackdaw.Indexing.Settings;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Indexing.Catalog;

/// <summary>Gives each database its indexes.</summary>
/// <param name="workers">The threads of all indexes of the process.</param>
/// <param name="factory">Opens the files of indexes.</param>
/// <param name="settings">Settings of the server; null for the defaults.</param>
internal sealed class IndexPartKind(
    IndexingWorkers workers, IIndexFactory factory, TimeProvider time, ILogger logger, IndexingSettings? settings = null)
    : DatabasePartKind
{
    public override string Name => "indexes";

    // Its indexes may not have read all documents.
    public override bool NeedsOpenDatabase(ClosedDatabase database) => database.Platform.ListDirectory(database.Folder + "/Indexes").Count > 0;

    public override IEnumerable<DatabasePart> MakeParts(PartHost host) =>
        [new DatabaseIndexes(new IndexHost(host.Database, host.Storage, workers, time, logger)
        {
            ServerSettings = settings ?? new IndexingSettings(),
        }, factory)];
}
