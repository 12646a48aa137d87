using Jackdaw.Documents.Database;

namespace Jackdaw.Server.Notices;

/// <summary>Each database tells what happens in it. Named after the indexes, so that it hears of them.</summary>
/// <param name="writeState">How clients read the state of an operation.</param>
internal sealed class NoticePartKind(WriteOperationState writeState, TimeProvider time, ILogger logger) : DatabasePartKind
{
    public override string Name => "change notices";

    public override IEnumerable<DatabasePart> MakeParts(PartHost host) =>
        [new DatabaseNotices(host.Database, time, logger) { WriteState = writeState }];
}
