using Jackdaw.Documents.Operations;
using Jackdaw.Security.Auditing;
using Jackdaw.Server.Http.Routing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Server.Tests.Http.Routing;

public sealed class AuditedActionTests
{
    /// <summary>A short operation may end before its request does.</summary>
    [Fact]
    public void Action_WhoseOperationEndsBeforeItsRequest_HasTwoLines()
    {
        string root = Directory.CreateTempSubdirectory("jackdaw-audit-").FullName;
        using (var log = new AuditLog(Path.Combine(root, "audit"), TimeProvider.System, NullLogger.Instance))
        {
            var line = new AuditRecord
            {
                Kind = AuditKinds.ChangeByQuery,
                Outcome = AuditOutcomes.Begun,
                Sender = new AuditSender("ann", null, null, null),
            };
            var action = new AuditedAction(log, line, isDurable: false);
            action.Begin();
            action.EndLater();
            action.EndOperation(7, OperationStatus.Faulted, new InvalidOperationException());
            action.End(202);
        }

        string[] lines = [.. Directory.GetFiles(root, "*.jsonl", SearchOption.AllDirectories).SelectMany(File.ReadAllLines)];
        Directory.Delete(root, recursive: true);
        Assert.Equal(2, lines.Length);
        Assert.Contains("\"outcome\":\"failed\"", lines[1], StringComparison.Ordinal);
    }
}
