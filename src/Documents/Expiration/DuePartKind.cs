using Jackdaw.Documents.Database;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Documents.Expiration;

/// <summary>Expiration, refresh and archiving of documents, and the expiration of compare exchange values.</summary>
internal sealed class DuePartKind(TimeProvider time, ILogger logger) : DatabasePartKind
{
    public override string Name => "expiration";

    // Values that expire wait for the first request: nobody sees them before.
    public override bool NeedsOpenDatabase(ClosedDatabase database) => DueFeature.ReadAll(database.RecordJson).Count > 0;

    public override IEnumerable<DatabasePart> MakeParts(PartHost host) => [new DueWorker(host.Database, time, logger)];
}
