using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Tests.Flushing;

/// <summary>When the background lane flushes.</summary>
public class FlushScheduleTests
{
    private const int ValueBytes = 1 << 20;

    /// <summary>What all storages of the process hold decides whether one may keep more than the least.</summary>
    [Theory]
    [InlineData(0, true)]
    [InlineData(long.MaxValue, false)]
    public void Flush_BeginsEarlier_WhenTheProcessHoldsMuch(long processScratchBytesMax, bool expected)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions
        {
            FlushAtScratchBytes = 1L << 30,
            ScratchBytesMax = 2L << 30,
            ProcessScratchBytesMax = processScratchBytesMax,
            IdleFlushMs = int.MaxValue,
        });
        for (long written = 0; written <= StorageOptions.FlushAtScratchBytesMin; written += ValueBytes)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            transaction.Trees.CreateTree("t"u8).Put(BitConverter.GetBytes(written), new byte[ValueBytes]);
            transaction.Submit();
        }

        bool flushed = SpinWait.SpinUntil(() => storage.FlushTotal.Bytes > 0, expected ? TimeSpan.FromSeconds(30) : TimeSpan.FromSeconds(1));
        Assert.Equal(expected, flushed);
    }
}
