using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Operations;
using Jackdaw.Server.Http.Routing;
using Jackdaw.TestKit;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Server.Tests.Http.Routing;

public sealed class RunningOperationsTests
{
    /// <summary>An exception in the callback of a timer ends the process, and one operation must not keep others from being judged.</summary>
    [Fact]
    public void Operation_WhoseEndThrows_KeepsNothingElseFromBeingJudged()
    {
        var time = new ManualTime();
        using var running = new RunningRequests(time, NullLogger.Instance);
        var registry = new OperationRegistry();
        var reader = new TestCaller();
        reader.Grant(Access.Read);
        for (int round = 1; round <= 3; round++)
        {
            Assert.True(registry.TryBegin((round * 2) - 1, out Operation bad));
            Assert.True(registry.TryBegin(round * 2, out Operation good));
            bad.Killed.Register(() => throw new InvalidOperationException("A callback of the test."));
            running.Add(bad, new OperationSender(reader, Access.ReadWrite, "db1", "PATCH /queries"));
            running.Add(good, new OperationSender(reader, Access.ReadWrite, "db1", "PATCH /queries"));
            time.Advance(RunningRequests.LookTime);
            Assert.All([bad, good], operation => Assert.Equal(OperationStatus.Faulted, operation.State.Status));
            Assert.IsType<AccessDeniedException>(good.State.Failure);
            running.Remove(bad);
            running.Remove(good);
        }
    }
}
