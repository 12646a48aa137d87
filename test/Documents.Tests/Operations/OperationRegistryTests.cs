using Jackdaw.Documents.Operations;

namespace Jackdaw.Documents.Tests.Operations;

public sealed class OperationRegistryTests
{
    /// <summary>A killed operation has ended for everybody but its worker, which may wait for a write.</summary>
    [Fact]
    public void Kill_OfAnOperationThatIsForgottenThen_IsStillSeenByItsWorker()
    {
        var registry = new OperationRegistry();
        Assert.True(registry.TryBegin(1, out Operation killed));
        Assert.True(registry.TryBegin(2, out Operation failed));
        killed.Kill();
        failed.Fail(new InvalidOperationException("M"));
        for (int id = 3; id < OperationRegistry.RememberedMax + 10; id++)
        {
            Assert.True(registry.TryBegin(id, out Operation other));
            Assert.True(other.TryComplete());
        }

        Assert.False(registry.TryFind(1, out _) || registry.TryFind(2, out _));
        Assert.True(killed.Killed.IsCancellationRequested);
        failed.Kill();
        Assert.Equal(OperationStatus.Faulted, failed.State.Status);
    }
}
