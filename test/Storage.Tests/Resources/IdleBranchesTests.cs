using System.Globalization;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Resources;
using Jackdaw.Storage.Tests.Sharing;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Resources;

/// <summary>A hundred branches that nobody uses cost little.</summary>
[Collection(AloneCollection.Name)]
public sealed class IdleBranchesTests(ITestOutputHelper output) : IDisposable
{
    private const int Branches = 100;
    private const int ThreadsMax = 30;
    private const long BytesMax = 64L << 20;
    private readonly string _path = Path.Combine(Path.GetTempPath(), $"jackdaw-idle-branches-{Guid.NewGuid():N}");
    private readonly ProcessResources _resources = new();

    public void Dispose() => new NativePlatform().DeleteDirectory(_path);

    [Fact]
    public void Branches_OpenAndIdle_ShareThreadsAndHoldLittleMemory()
    {
        using (StorageEnvironment root = Open())
        {
            StorageEnvironment[] written = OpenBranches(root);
            Array.ForEach(written, branch => BranchFamily.Commit(branch, count: 5, bytes: 2000));
            Array.ForEach(written, branch => branch.Dispose());
        }

        using (StorageEnvironment root = Open())
        {
            BranchFamily.Commit(root);
            (int threads, long bytes) before = Measure();
            StorageEnvironment[] branches = OpenBranches(root);
            Assert.All(branches, branch => Assert.Equal(5, BranchFamily.Check(branch, bytes: 2000)));
            Assert.All(branches, branch => Assert.Null(branch.SharingProblem));
            (int threads, long bytes) idle = Measure();

            // After a write each, and its flush: what an index that is busy now and then keeps.
            Array.ForEach(branches, branch => BranchFamily.Commit(branch, bytes: 2000));
            Eventually.IsTrue(() => Array.TrueForAll(branches, IsSynced), patience: TimeSpan.FromSeconds(60));
            (int threads, long bytes) used = Measure();
            output.WriteLine($"{Branches} branches: {idle.threads - before.threads} threads, {(idle.bytes - before.bytes) >> 10} KB more; " +
                $"after a write each {used.threads - before.threads} threads, {(used.bytes - before.bytes) >> 10} KB more");
            Assert.InRange(idle.threads - before.threads, -ThreadsMax, ThreadsMax);
            Assert.InRange(used.threads - before.threads, -ThreadsMax, ThreadsMax);
            Assert.InRange(idle.bytes - before.bytes, -BytesMax, BytesMax);
            Array.ForEach(branches, branch => branch.Dispose());
        }

        Assert.Equal(0, _resources.ThreadCount);
    }

    private static bool IsSynced(StorageEnvironment storage) => storage.Figures.SyncedTransaction == storage.Figures.TransactionId;

    /// <summary>Threads and anonymous memory of the process, as the kernel counts them.</summary>
    private static (int Threads, long Bytes) Measure()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true);
        string line = File.ReadLines("/proc/self/status").First(line => line.StartsWith("RssAnon:", StringComparison.Ordinal));
        long kilobytes = long.Parse(line.Split(' ', '\t').First(word => word.Length > 0 && char.IsAsciiDigit(word[0])), CultureInfo.InvariantCulture);
        return (Directory.GetDirectories("/proc/self/task").Length, kilobytes << 10);
    }

    private StorageEnvironment Open() =>
        StorageEnvironment.Open(new NativePlatform(), _path, new StorageOptions { Resources = _resources, IdleFlushMs = 100 });

    private static StorageEnvironment[] OpenBranches(StorageEnvironment root) =>
        [.. Enumerable.Range(0, Branches).Select(i => StorageEnvironment.OpenBranch(
            root, $"{root.Path}/Indexes/{i:D3}", new StorageOptions { IdleFlushMs = 100 }))];
}
