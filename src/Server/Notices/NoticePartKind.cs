using Jackdaw.Documents.Database;

namespace Jackdaw.Server.Notices;

/// <summary>The part of each database that notifies clients. It comes after the indexes in the list of parts, so that it receives their events.</summary>
/// <param name="writeState">Writes the state of an operation as clients read it.</param>
internal sealed class NoticePartKind(WriteOperationState writeState, TimeProvider time, ILogger logger) : DatabasePartKind
{
    public override string Name => "change notices";

    public override IEnumerable<DatabasePart> MakeParts(PartHost host) =>
        [new DatabaseNotices(host.Database, time, logger) { WriteState = writeState }];
}
