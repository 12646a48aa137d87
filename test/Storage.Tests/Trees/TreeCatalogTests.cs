using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Trees;

public sealed class TreeCatalogTests : IDisposable
{
    private readonly HeapPages _pages = new();

    public void Dispose() => _pages.Dispose();

    [Fact]
    public void Flush_ThenReopen_FindsEveryTree()
    {
        TreeHeader root = default;
        for (int transaction = 0; transaction < 5; transaction++)
        {
            var catalog = new TreeCatalog(_pages, root);
            for (int i = 0; i < 300; i++)
            {
                catalog.CreateTree($"tree {i}").Put([(byte)transaction], [(byte)i]);
            }

            catalog.Flush();
            root = catalog.RootHeader;
            _pages.EndTransaction();
        }

        var snapshot = new TreeCatalog((PageReader)_pages, root);
        Assert.Equal(300, snapshot.TreeCount);
        for (int i = 0; i < 300; i++)
        {
            BTree tree = snapshot.OpenTree($"tree {i}")!;
            Assert.Equal(5, tree.EntryCount);
            Assert.True(tree.TryGet([3], out ReadOnlySpan<byte> value));
            Assert.Equal((byte)i, value[0]);
        }
    }

    [Fact]
    public void OpenTree_Missing_IsNullForReadersAndCreatedByWriters()
    {
        var catalog = new TreeCatalog(_pages, default);
        Assert.Null(catalog.FindTree("a"));
        BTree created = catalog.OpenTree("a")!;
        Assert.Same(created, catalog.OpenTree("a"));
        Assert.Same(created, catalog.FindTree("a"));
        catalog.Flush();
        var snapshot = new TreeCatalog((PageReader)_pages, catalog.RootHeader);
        Assert.Null(snapshot.OpenTree("b"));
        Assert.NotNull(snapshot.OpenTree("a"));
        Assert.Throws<InvalidOperationException>(() => snapshot.CreateTree("b"));
        Assert.Throws<InvalidOperationException>(snapshot.Flush);
    }

    [Fact]
    public void TryGetHeader_OfOpenTree_IsTheCurrentOne()
    {
        var catalog = new TreeCatalog(_pages, default);
        catalog.CreateTree("a").Put([1], [2]);
        Assert.True(catalog.TryGetHeader("a", out TreeHeader header));
        Assert.Equal(1, header.EntryCount);
        Assert.Throws<InvalidOperationException>(() => catalog.SetHeader("a", header));
    }

    [Fact]
    public void OtherKinds_KeepTheirHeaderAndRefuseMixing()
    {
        var catalog = new TreeCatalog(_pages, default);
        catalog.SetHeader("fixed", new TreeHeader { Kind = TreeKind.FixedSize, KeySize = 8, EntryCount = 5 });
        Assert.Throws<InvalidOperationException>(() => catalog.OpenTree("fixed"));
        Assert.Throws<InvalidOperationException>(() => catalog.DeleteTree("fixed"));
        Assert.Throws<InvalidOperationException>(() =>
            catalog.SetHeader("fixed", new TreeHeader { Kind = TreeKind.RowHeap }));
        Assert.Throws<ArgumentException>(() => catalog.SetHeader("none", default));
        catalog.Flushing += trees =>
            trees.SetHeader("fixed", new TreeHeader { Kind = TreeKind.FixedSize, EntryCount = 6 });
        catalog.Flush();
        var next = new TreeCatalog(_pages, catalog.RootHeader);
        Assert.True(next.TryGetHeader("fixed", out TreeHeader header));
        Assert.Equal(6, header.EntryCount);
        Assert.True(next.RemoveHeader("fixed"u8));
        Assert.False(next.RemoveHeader("fixed"u8));
        Assert.Equal(0, next.TreeCount);
    }

    [Fact]
    public void DeleteTree_FreesItsPages_AndRefusesFurtherChanges()
    {
        var catalog = new TreeCatalog(_pages, default);
        BTree tree = catalog.CreateTree("a");
        for (int i = 0; i < 3000; i++)
        {
            tree.Put(BitConverter.GetBytes(i), new byte[i % 100 == 0 ? 5000 : 10]);
        }

        catalog.Flush();
        Assert.True(catalog.DeleteTree("a"));
        Assert.False(catalog.DeleteTree("a"));
        Assert.Empty(_pages.UsedPages);
        Assert.Throws<InvalidOperationException>(() => tree.Put([1], [1]));
        Assert.Equal(0, catalog.CreateTree("a").EntryCount);
        catalog.Flush();
        Assert.True(new TreeVerifier(_pages).Verify(catalog.RootHeader));
    }

    [Fact]
    public void Flush_WithoutChanges_LeavesTheRootAlone()
    {
        var catalog = new TreeCatalog(_pages, default);
        catalog.CreateTree("a").Put([1], [2]);
        catalog.Flush();
        _pages.EndTransaction();
        long modified = _pages.ModifiedPages;
        var next = new TreeCatalog(_pages, catalog.RootHeader);
        Assert.True(next.OpenTree("a")!.Contains([1]));
        next.Flush();
        Assert.False(next.RootHeaderChanged);
        Assert.Equal(modified, _pages.ModifiedPages);
    }

    [Fact]
    public void FindTree_InAnObjectThatIsKept_ReadsEachSnapshotAsItsOwnTree()
    {
        BTree? kept = null;
        TreeHeader root = default;
        for (int i = 0; i < 5; i++)
        {
            var catalog = new TreeCatalog(_pages, root);
            catalog.CreateTree("a").Put([(byte)i], [(byte)i]);
            catalog.CreateTree("b").Put([9], [(byte)i]);
            catalog.Flush();
            root = catalog.RootHeader;
            _pages.EndTransaction();
            var snapshot = new TreeCatalog((PageReader)_pages, root);
            BTree? before = kept;
            BTree found = snapshot.FindTree("a"u8, ref kept)!;
            Assert.Same(kept, found);
            Assert.True(before is null || ReferenceEquals(before, found));
            Assert.NotSame(found, snapshot.FindTree("a"));
            Assert.Equal(i + 1, found.EntryCount);
            Assert.True(found.Contains([(byte)i]));
            Assert.Same(kept, snapshot.FindTree("b"u8, ref kept));
            Assert.Equal(1, found.EntryCount);
            Assert.True(found.TryGet([9], out ReadOnlySpan<byte> value));
            Assert.Equal(i, value[0]);
        }
    }

    [Fact]
    public void FindTree_InAnObjectThatIsKept_OfAMissingTree_LeavesNothingOfTheLastSnapshotInIt()
    {
        var catalog = new TreeCatalog(_pages, default);
        catalog.CreateTree("a").Put([1], [2]);
        catalog.Flush();
        var snapshot = new TreeCatalog((PageReader)_pages, catalog.RootHeader);
        BTree? kept = null;
        Assert.Null(snapshot.FindTree("b"u8, ref kept));
        Assert.Null(kept);
        Assert.NotNull(snapshot.FindTree("a"u8, ref kept));
        Assert.Null(snapshot.FindTree("b"u8, ref kept));
        Assert.Equal((0L, false), (kept?.EntryCount, kept?.Contains([1])));
        Assert.Same(kept, snapshot.FindTree("a"u8, ref kept));
        Assert.Equal((1L, true), (kept?.EntryCount, kept?.Contains([1])));
    }

    [Fact]
    public void FindTree_InAnObjectThatIsKept_RefusesWritersAndOtherKinds()
    {
        var catalog = new TreeCatalog(_pages, default);
        BTree ofWriter = catalog.CreateTree("a");
        catalog.SetHeader("fixed", new TreeHeader { Kind = TreeKind.FixedSize, KeySize = 8 });
        catalog.Flush();
        BTree? kept = null;
        Assert.Throws<InvalidOperationException>(() => catalog.FindTree("a"u8, ref kept));
        var snapshot = new TreeCatalog((PageReader)_pages, catalog.RootHeader);
        Assert.Throws<InvalidOperationException>(() => snapshot.FindTree("fixed"u8, ref kept));
        kept = ofWriter;
        Assert.Throws<InvalidOperationException>(() => snapshot.FindTree("a"u8, ref kept));
    }

    [Fact]
    public void StoredHeader_OfWrongLength_IsCorruption()
    {
        var root = new BTree(_pages, BTree.EmptyHeader(TreeCatalog.RootOwnerTag));
        root.Put("a"u8, [1, 2, 3]);
        var catalog = new TreeCatalog(_pages, root.Header);
        Assert.Throws<CorruptionException>(() => catalog.OpenTree("a"));
        Assert.Throws<ArgumentException>(() => catalog.OpenTree(""));
    }
}
