using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.FreeSpace;

/// <summary>Allocation trusts the count in the header of a bitmap page, so the verifier proves it.</summary>
public sealed class VerifiedBitmapTests
{
    [Theory]
    [InlineData(0, false)]
    [InlineData(1, true)]
    [InlineData(-1, true)]
    public void Bitmap_WhoseCountIsNotThatOfItsBits_IsAProblem(int difference, bool isReported)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        using (WriteTransaction transaction = storage.BeginWrite())
        {
            transaction.Trees.CreateTree("t").Put("key"u8, new byte[100_000]);
            transaction.Commit();
        }

        using (WriteTransaction transaction = storage.BeginWrite())
        {
            transaction.Trees.FindTree("t")!.Delete("key"u8);
            transaction.ModifyPage(FreeSpaceMap.BitmapOf(0)).Header.Count += (ushort)difference;
            transaction.Commit();
        }

        IReadOnlyList<VerificationProblem> problems = EnvironmentVerifier.Verify(storage);
        Assert.Equal(isReported ? 1 : 0, problems.Count);
        Assert.All(problems, problem => Assert.Equal(FreeSpaceMap.BitmapOf(0), problem.Page));
    }
}
