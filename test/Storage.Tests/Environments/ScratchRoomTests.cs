using System.Diagnostics;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Tests.Environments;

/// <summary>A writer that finds scratch full goes on as soon as what a reader kept in it can be reused.</summary>
public sealed class ScratchRoomTests
{
    private const int BytesMax = 1 << 20;

    /// <summary>Far more than one look at the state, and less than until the next idle flush.</summary>
    private static readonly TimeSpan s_soon = TimeSpan.FromSeconds(1);

    [Fact]
    public void BeginWrite_ReaderThatKeptFlushedPagesEnded_GoesOn()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { ScratchBytesMax = BytesMax });
        Write(storage);
        Write(storage);
        ReadTransaction reader = storage.BeginRead();
        storage.Flush();
        storage.Sync();
        Assert.True(storage.Scratch.RentedBytes > BytesMax);
        reader.Dispose();

        long started = Stopwatch.GetTimestamp();
        Write(storage);
        Assert.InRange(Stopwatch.GetElapsedTime(started), TimeSpan.Zero, s_soon);
    }

    private static void Write(StorageEnvironment storage)
    {
        using WriteTransaction transaction = storage.BeginWrite();
        transaction.Trees.CreateTree("t").Put([(byte)transaction.TransactionId], new byte[BytesMax * 3 / 5]);
        transaction.Commit();
    }
}
