using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.Trees;

/// <summary>Damaged pages: a typed exception, or an answer that may be wrong, but never an access outside of the
/// page.</summary>
public sealed class BTreeDamageTests
{
    private const int Rounds = 1500;

    /// <summary>Bytes 24..27 are the overflow bytes: a transaction's own copy depends on them, and its checksum covers
    /// them.</summary>
    private static readonly HashSet<int> s_bytesOfTheReader = [.. Enumerable.Range(0, 8), .. Enumerable.Range(24, 4)];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Reads_OfRandomlyDamagedPages_GiveCorruptionOrAnAnswer(int seed)
    {
        var random = new Random(seed);
        using var pages = new GuardedPages();
        BTree tree = Build(pages, 600);
        int refused = 0;
        for (int round = 0; round < Rounds; round++)
        {
            byte[] saved = pages.Damage(random, s_bytesOfTheReader, random.Next(1, 4), out PageNumber damaged);
            try
            {
                ReadEverything(pages, tree.Header, random);
            }
            catch (CorruptionException)
            {
                refused++;
            }

            new TreeVerifier(pages).Verify(tree.Header);
            pages.Restore(damaged, saved);
        }

        Assert.InRange(refused, Rounds / 20, Rounds);
        Assert.True(new TreeVerifier(pages).Verify(tree.Header));
    }

    [Theory]
    [InlineData(4)]
    [InlineData(5)]
    public void Changes_OfRandomlyDamagedPages_StayInsideOfPages(int seed)
    {
        var random = new Random(seed);
        for (int round = 0; round < 60; round++)
        {
            using var pages = new GuardedPages();
            BTree tree = Build(pages, 200);
            for (int i = 0; i < 10; i++)
            {
                pages.Damage(random, s_bytesOfTheReader, 1, out _);
            }

            for (int i = 0; i < 200; i++)
            {
                ChangeSomething(tree, random);
            }

            pages.CheckGuards();
        }
    }

    [Fact]
    public void Verifier_EachFlippedBitOfAStructure_IsReported()
    {
        using var pages = new GuardedPages();
        BTree tree = Build(pages, 300);
        var random = new Random(9);
        int missed = 0;
        for (int round = 0; round < 300; round++)
        {
            // Slots, counts and node headers, but for the hint, which may have any value.
            byte[] saved = pages.DamageStructure(random, out PageNumber damaged);
            missed += new TreeVerifier(pages).Verify(tree.Header) ? 1 : 0;
            pages.Restore(damaged, saved);
        }

        Assert.Equal(0, missed);
    }

    [Fact]
    public void Header_Impossible_IsCorruption()
    {
        using var pages = new GuardedPages();
        TreeHeader header = BTree.EmptyHeader(1);
        header.Depth = 1;
        Assert.Throws<CorruptionException>(() => new BTree(pages, header));
        header.Depth = 1000;
        header.Root = new PageNumber(1);
        Assert.Throws<CorruptionException>(() => new BTree(pages, header));
    }

    private static BTree Build(GuardedPages pages, int entries)
    {
        var tree = new BTree(pages, BTree.EmptyHeader(77));
        var random = new Random(5);
        for (int i = 0; i < entries; i++)
        {
            byte[] key = new byte[random.Next(4, 60)];
            BinaryPrimitives.WriteInt32BigEndian(key, random.Next(1000));
            tree.Put(key, new byte[random.Next(20) == 0 ? random.Next(9000) : random.Next(200)]);
        }

        return tree;
    }

    private static void ReadEverything(PageReader pages, in TreeHeader header, Random random)
    {
        var tree = new BTree(pages, header);
        byte[] key = new byte[8];
        for (int i = 0; i < 20; i++)
        {
            BinaryPrimitives.WriteInt32BigEndian(key, random.Next(1000));
            tree.TryGet(key, out _);
        }

        using BTreeCursor cursor = tree.OpenCursor();
        int sum = 0;
        for (bool more = cursor.SeekFirst(); more; more = cursor.MoveNext())
        {
            sum += cursor.Key.Length + cursor.Value.Length;
        }

        for (bool more = cursor.Seek(key); more; more = cursor.MovePrevious())
        {
            sum += cursor.Key.Length + cursor.Value.Length;
        }

        Assert.NotEqual(-1, sum);
    }

    private static void ChangeSomething(BTree tree, Random random)
    {
        byte[] key = new byte[random.Next(4, 60)];
        BinaryPrimitives.WriteInt32BigEndian(key, random.Next(1000));
        try
        {
            if (random.Next(20) == 0)
            {
                tree.DeletePrefix(key.AsSpan(0, random.Next(3, 5)), random.Next(1, 5000));
            }
            else if (random.Next(2) == 0)
            {
                tree.Put(key, new byte[random.Next(20) == 0 ? random.Next(9000) : random.Next(400)]);
            }
            else
            {
                tree.Delete(key);
            }
        }
        catch (CorruptionException)
        {
            // A transaction would be given up here; going on must be safe all the same.
        }
    }

    /// <summary>Pages with a guard behind each, which refuses unknown numbers as a storage's reader does.</summary>
    private sealed unsafe class GuardedPages : PageWriter, IDisposable
    {
        private const int GuardBytes = 64;
        private const byte Guard = 0xA5;
        private readonly SortedDictionary<long, nint> _pages = [];
        private long _next = 1;

        public override Page GetPage(PageNumber number) => _pages.TryGetValue(number.Value, out nint address)
            ? new Page((byte*)address)
            : throw new CorruptedPageException("guarded pages", number, "it is not in use");

        public override Page ModifyPage(PageNumber number) => GetPage(number);

        public override Page AllocatePage(PageType type, uint ownerTag, PageNumber near) => Create(type, ownerTag, 0);

        public override Page AllocateOverflow(int overflowBytes, uint ownerTag) =>
            Create(PageType.Overflow, ownerTag, overflowBytes);

        public override PageNumber AllocateNeighbours(int pageCount, PageType type, uint ownerTag) =>
            throw new NotSupportedException();

        public override void FreePage(PageNumber number)
        {
            Page page = GetPage(number);
            _pages.Remove(number.Value);
            NativeMemory.Free(page.Address - GuardBytes);
        }

        public byte[] Damage(Random random, HashSet<int> spared, int bits, out PageNumber number)
        {
            byte[] saved = Pick(random, out Page page);
            number = page.Number;
            for (int i = 0; i < bits; i++)
            {
                int at = random.Next(2) == 0 ? random.Next(128) : random.Next(Page.Size);
                page.Address[at] ^= (byte)(spared.Contains(at) ? 0 : 1 << random.Next(8));
            }

            return saved;
        }

        public byte[] DamageStructure(Random random, out PageNumber number)
        {
            byte[] saved = Pick(random, out Page page);
            number = page.Number;
            var view = new TreePage(page);
            int entry = random.Next(view.Count);
            int at = random.Next(4) switch
            {
                0 => random.Next(30, 36),
                1 => TreePage.SlotsOffset + (entry * TreePage.SlotBytes) + random.Next(2),
                2 => PageHeader.SizeOf + random.Next(2),
                _ => view.NodeOffsetAt(entry) + random.Next(4),
            };
            page.Address[at] ^= (byte)(1 << random.Next(8));
            return saved;
        }

        public void Restore(PageNumber number, byte[] saved) =>
            saved.CopyTo(new Span<byte>((byte*)_pages[number.Value], saved.Length));

        public void CheckGuards()
        {
            foreach (nint address in _pages.Values)
            {
                long bytes = (long)new Page((byte*)address).PageCount * Page.Size;
                Assert.False(new ReadOnlySpan<byte>((byte*)address - GuardBytes, GuardBytes).ContainsAnyExcept(Guard));
                Assert.False(new ReadOnlySpan<byte>((byte*)address + bytes, GuardBytes).ContainsAnyExcept(Guard));
            }
        }

        public void Dispose()
        {
            foreach (nint address in _pages.Values)
            {
                NativeMemory.Free((byte*)address - GuardBytes);
            }

            _pages.Clear();
        }

        private byte[] Pick(Random random, out Page page)
        {
            Page[] trees = [.. _pages.Values.Select(address => new Page((byte*)address))
                .Where(candidate => candidate.Header.Type is PageType.TreeLeaf or PageType.TreeBranch)];
            page = trees[random.Next(trees.Length)];
            return new ReadOnlySpan<byte>(page.Address, Page.Size).ToArray();
        }

        private Page Create(PageType type, uint ownerTag, int overflowBytes)
        {
            int bytes = Page.CountPages(overflowBytes) * Page.Size;
            byte* memory = (byte*)NativeMemory.Alloc((nuint)(bytes + (2 * GuardBytes)));
            NativeMemory.Fill(memory, (nuint)(bytes + (2 * GuardBytes)), Guard);
            var page = new Page(memory + GuardBytes);
            NativeMemory.Clear(page.Address, (nuint)bytes);
            page.Header.PageNumber = new PageNumber(_next);
            page.Header.Type = type;
            page.Header.OwnerTag = ownerTag;
            page.Header.OverflowBytes = overflowBytes;
            page.Header.Lower = PageHeader.SizeOf;
            page.Header.Upper = Page.Size;
            _pages[_next++] = (nint)page.Address;
            return page;
        }
    }
}
