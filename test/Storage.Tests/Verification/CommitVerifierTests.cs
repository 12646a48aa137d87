using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.Verification;

/// <summary>The switch that verifies after each commit notices what is broken, with the commit that shows it.</summary>
public sealed class CommitVerifierTests : IDisposable
{
    private readonly CommitVerifier _verifier = new();
    private readonly StorageEnvironment _storage;

    public CommitVerifierTests()
    {
        var options = new StorageOptions { BackgroundFlush = false, CommitObserver = _verifier };
        _storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", options);
        _verifier.Watch(_storage);
        Put("first");
    }

    public void Dispose() => _storage.Dispose();

    [Fact]
    public void Commits_OfASoundStorage_AreAllVerified()
    {
        Put("second");
        _storage.Flush();
        Put("third");
        Assert.Equal(3, _verifier.Verified);
        Assert.Null(_storage.Failure);
    }

    [Fact]
    public unsafe void Commit_AfterAByteOfAPageInScratchChanged_StopsTheStorage()
    {
        PageNumber leaf = FindLeaf();
        byte* page = _storage.Current.Pages.Find(leaf);
        page[Page.Size - 1] ^= 1;
        Put("second", tree: "other");
        RequireStopped($"page {leaf}: checksum");
    }

    [Fact]
    public void Commit_WithAWrongCountOfFreePages_StopsTheStorage()
    {
        using (WriteTransaction transaction = _storage.BeginWrite())
        {
            transaction.ModifyPage(FreeSpaceMap.BitmapOf(0)).Header.Count++;
            transaction.Commit();
        }

        RequireStopped($"page {FreeSpaceMap.BitmapOf(0)}: counts");
    }

    [Fact]
    public void Commit_WithALostPage_StopsTheStorage()
    {
        using (WriteTransaction transaction = _storage.BeginWrite())
        {
            Page lost = transaction.AllocatePage(PageType.TreeLeaf, 1, PageNumber.None);
            transaction.Commit();
            RequireStopped($"page {lost.Number}: is neither used nor free");
        }
    }

    private void RequireStopped(string problem)
    {
        StoragePoisonedException failure = Assert.Throws<StoragePoisonedException>(() => _storage.BeginRead());
        Assert.Contains($"After transaction {_storage.Current.TransactionId}, {problem}", failure.Message);
    }

    private void Put(string key, string tree = "t")
    {
        using WriteTransaction transaction = _storage.BeginWrite();
        transaction.Trees.CreateTree(tree).Put(System.Text.Encoding.UTF8.GetBytes(key), new byte[100]);
        transaction.Commit();
    }

    private PageNumber FindLeaf()
    {
        using ReadTransaction transaction = _storage.BeginRead();
        Assert.True(transaction.Trees.TryGetHeader("t", out TreeHeader header));
        return header.Root;
    }
}
