using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Tests.Transactions;

public sealed class ReadTransactionAllocationTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void BeginReadGetPageDispose_SteadyState_AllocatesNothing(bool isFlushed)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(
            new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        using (WriteTransaction transaction = storage.BeginWrite())
        {
            transaction.Trees.CreateTree("t").Put("key"u8, "value"u8);
            transaction.Commit();
        }

        if (isFlushed)
        {
            storage.Flush();
        }

        Read(storage, 1000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Read(storage, 10_000);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private static void Read(StorageEnvironment storage, int times)
    {
        for (int i = 0; i < times; i++)
        {
            using ReadTransaction transaction = storage.BeginRead();
            Page page = transaction.GetPage(transaction.State.Root.Root);
            Assert.False(page.IsNone);
        }
    }
}
