using System.Diagnostics;
using System.Globalization;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Merging;
using Jackdaw.Storage.Tests.Merging;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Environments;

/// <summary>After load a storage gives its memory back, and its threads sleep.</summary>
[Collection(AloneCollection.Name)]
public sealed class IdleTests(ITestOutputHelper output)
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(90);
    private static readonly TimeSpan s_watched = TimeSpan.FromSeconds(5);

    [Fact]
    [Trait("Tier", "Full")]
    public async Task AfterLoad_MemoryReturnsAndNoThreadUsesTheProcessor()
    {
        string path = Path.Combine(Path.GetTempPath(), $"jackdaw-idle-{Guid.NewGuid():N}");
        long before = PalMemory.AllocatedBytes;
        var options = new StorageOptions { JournalFileBytes = 1 << 20, IdleFlushMs = 100 };
        using (StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), path, options))
        using (var merger = new TransactionMerger(storage, "idle", TimeProvider.System))
        {
            await LoadAsync(merger);
            long loaded = PalMemory.AllocatedBytes;
            using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(200));
            long started = Stopwatch.GetTimestamp();
            while (storage.Scratch.MappedBytes > 0 && Stopwatch.GetElapsedTime(started) < s_deadline)
            {
                await timer.WaitForNextTickAsync();
            }

            Assert.Equal(0, storage.Scratch.RentedBytes);
            Assert.Equal(0, storage.Scratch.MappedBytes);
            Assert.InRange(PalMemory.AllocatedBytes - before, 0, 12 << 20);
            Assert.DoesNotContain(new NativePlatform().ListDirectory(path + "/Journals"), name => name.StartsWith("pool-"));
            Dictionary<string, long> ticks = ReadThreadTicks();
            using var watch = new PeriodicTimer(s_watched);
            await watch.WaitForNextTickAsync();
            output.WriteLine($"loaded {loaded - before} bytes, idle {PalMemory.AllocatedBytes - before} bytes after " +
                $"{Stopwatch.GetElapsedTime(started).TotalSeconds:0} s; threads {string.Join(", ", ticks.Keys)}");
            Assert.NotEmpty(ticks);
            Assert.Equal(ticks, ReadThreadTicks());
        }

        Assert.Equal(before, PalMemory.AllocatedBytes);
        new NativePlatform().DeleteDirectory(path);
    }

    private static async Task LoadAsync(TransactionMerger merger)
    {
        byte[] value = new byte[20_000];
        for (int round = 0; round < 40; round++)
        {
            await Task.WhenAll(Enumerable.Range(0, 100).Select(i => merger.ExecuteAsync(new DelegateCommand(transaction =>
            {
                value[i] ^= 0xFF;
                transaction.Trees.CreateTree("t").Put([(byte)i, (byte)(round % 16)], value);
            })).AsTask()));
        }
    }

    /// <summary>Clock ticks (10 ms) used by each thread of the storage, user and system.</summary>
    private static Dictionary<string, long> ReadThreadTicks()
    {
        Dictionary<string, long> ticks = [];
        foreach (string folder in Directory.GetDirectories("/proc/self/task"))
        {
            string stat = File.ReadAllText(folder + "/stat");
            int end = stat.LastIndexOf(')');
            string name = stat[(stat.IndexOf('(') + 1)..end];
            string[] fields = stat[(end + 2)..].Split(' ');
            if (name is "flusher" or "committer" or "journal prepare" || name.StartsWith("merger", StringComparison.Ordinal))
            {
                ticks[$"{name} {Path.GetFileName(folder)}"] = long.Parse(fields[11], CultureInfo.InvariantCulture)
                    + long.Parse(fields[12], CultureInfo.InvariantCulture);
            }
        }

        return ticks;
    }
}
