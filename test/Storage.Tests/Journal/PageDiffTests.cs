using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Tests.Journal;

public sealed unsafe class PageDiffTests
{
    private const int SectorBytes = 512;

    [Fact]
    public void Write_SamePage_IsEmpty()
    {
        byte[] page = MakePage(new Random(1));
        Assert.Empty(Diff(page, page));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Apply_RandomChanges_GivesTheNewVersion(int seed)
    {
        var random = new Random(seed);
        byte[] before = MakePage(random);
        for (int round = 0; round < 400; round++)
        {
            byte[] after = Change(before, random);
            byte[] diff = Diff(before, after);
            Assert.InRange(diff.Length, 0, PageDiff.BytesMax);
            byte[] applied = [.. before];
            Apply(diff, applied);
            Assert.True(after.AsSpan().SequenceEqual(applied));
            before = after;
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(8)]
    public void Write_EveryNthWordDiffers_StaysWithinTheBound(int step)
    {
        byte[] before = new byte[Page.Size];
        byte[] after = new byte[Page.Size];
        for (int word = 0; word < Page.Size / 8; word += step)
        {
            after[(word * 8) + 7] = 1;
        }

        byte[] diff = Diff(before, after);
        Assert.InRange(diff.Length, 1, PageDiff.BytesMax);
        Apply(diff, before);
        Assert.True(after.AsSpan().SequenceEqual(before));
    }

    /// <summary>The base of a replay may hold, sector by sector, any of the versions that flushes wrote since the last sync.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Apply_AllDiffsInOrder_HealAnyMixOfVersions(int seed)
    {
        var random = new Random(seed);
        for (int round = 0; round < 300; round++)
        {
            List<byte[]> versions = [MakePage(random)];
            for (int i = random.Next(1, 6); i > 0; i--)
            {
                versions.Add(Change(versions[^1], random));
            }

            byte[] torn = new byte[Page.Size];
            for (int offset = 0; offset < Page.Size; offset += SectorBytes)
            {
                versions[random.Next(versions.Count)].AsSpan(offset, SectorBytes).CopyTo(torn.AsSpan(offset));
            }

            for (int i = 1; i < versions.Count; i++)
            {
                Apply(Diff(versions[i - 1], versions[i]), torn);
            }

            Assert.True(versions[^1].AsSpan().SequenceEqual(torn));
        }
    }

    [Fact]
    public void TryApply_Rubbish_IsRefusedAndStaysInThePage()
    {
        byte[] guarded = new byte[Page.Size * 3];
        var random = new Random(5);
        for (int round = 0; round < 20_000; round++)
        {
            byte[] diff = new byte[random.Next(40)];
            random.NextBytes(diff);
            fixed (byte* page = guarded)
            {
                PageDiff.TryApply(diff, page + Page.Size);
            }
        }

        Assert.False(guarded.AsSpan(0, Page.Size).ContainsAnyExcept((byte)0));
        Assert.False(guarded.AsSpan(2 * Page.Size).ContainsAnyExcept((byte)0));
    }

    private static byte[] Diff(byte[] before, byte[] after)
    {
        byte[] output = new byte[PageDiff.BytesMax + 16];
        output.AsSpan().Fill(0xDB);
        fixed (byte* first = before, second = after, place = output)
        {
            var versions = new PageVersions(first, second);
            PageChanges.Find(versions, versions, out PageChanges changes);
            int length = PageDiff.Write(changes, second, place);
            Assert.Equal(length, PageDiff.Measure(changes));
            Assert.False(output.AsSpan(PageDiff.BytesMax).ContainsAnyExcept((byte)0xDB));
            return output[..length];
        }
    }

    private static void Apply(byte[] diff, byte[] page)
    {
        fixed (byte* place = page)
        {
            Assert.True(PageDiff.TryApply(diff, place));
        }
    }

    private static byte[] MakePage(Random random)
    {
        byte[] page = new byte[Page.Size];
        random.NextBytes(page);
        return page;
    }

    private static byte[] Change(byte[] page, Random random)
    {
        byte[] changed = [.. page];
        for (int i = random.Next(30); i >= 0; i--)
        {
            int offset = random.Next(Page.Size);
            int length = Math.Min(random.Next(10) == 0 ? random.Next(3000) : random.Next(1, 30), Page.Size - offset);
            random.NextBytes(changed.AsSpan(offset, length));
        }

        return changed;
    }
}
