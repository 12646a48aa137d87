using Jackdaw.Documents.Database;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Documents.Expiration;

/// <summary>Expiration, refresh and archiving of documents, and the expiration of compare exchange values.</summary>
internal sealed class SchedulePartKind(TimeProvider time, ILogger logger) : DatabasePartKind
{
    public override string Name => "expiration";

    // Values that expire can wait for the first request, because nobody sees them before.
    public override bool NeedsOpenDatabase(ClosedDatabase database) => ScheduleFeature.ReadAll(database.RecordJson).Count > 0;

    public override IEnumerable<DatabasePart> MakeParts(PartHost host) => [new ScheduleWorker(host.Database, time, logger)];
}
