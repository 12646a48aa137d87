using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Tests.Paging;

public sealed unsafe class ChecksumTests
{
    [Fact]
    public void Compute_EverySingleBitOfAPage_ChangesIt()
    {
        byte[] page = MakeBytes(Page.Size, 1);
        ulong expected = Checksum.Compute(page, 42);
        for (int bit = 0; bit < page.Length * 8; bit++)
        {
            page[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.NotEqual(expected, Checksum.Compute(page, 42));
            page[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }

    [Fact]
    public void Compute_EveryLengthAndSeed_Differs()
    {
        byte[] bytes = new byte[200];
        HashSet<ulong> seen = [];
        for (int length = 0; length <= bytes.Length; length++)
        {
            for (ulong seed = 0; seed < 16; seed++)
            {
                Assert.True(seen.Add(Checksum.Compute(bytes.AsSpan(0, length), seed << (int)(seed * 4 % 60))));
            }
        }
    }

    [Fact]
    public void Compute_EveryLength_SeesEachOfItsBytesAndNoneBeyond()
    {
        byte[] bytes = MakeBytes(201, 2);
        for (int length = 0; length <= 200; length++)
        {
            ulong expected = Checksum.Compute(bytes.AsSpan(0, length), 7);
            bytes[length] ^= 0xFF;
            Assert.Equal(expected, Checksum.Compute(bytes.AsSpan(0, length), 7));
            bytes[length] ^= 0xFF;
            for (int i = 0; i < length; i++)
            {
                bytes[i] ^= 1;
                Assert.NotEqual(expected, Checksum.Compute(bytes.AsSpan(0, length), 7));
                bytes[i] ^= 1;
            }
        }
    }

    [Fact]
    public void Compute_AnyAlignment_IsTheSame()
    {
        byte[] bytes = MakeBytes(300, 3);
        ulong expected = Checksum.Compute(bytes.AsSpan(0, 250), 9);
        for (int shift = 1; shift < 40; shift++)
        {
            byte[] moved = new byte[300];
            bytes.AsSpan(0, 250).CopyTo(moved.AsSpan(shift));
            Assert.Equal(expected, Checksum.Compute(moved.AsSpan(shift, 250), 9));
        }
    }

    /// <summary>The formula as docs/formats/data-file.md has it, word by word.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(1000)]
    [InlineData(Page.Size)]
    public void Compute_AnyBytes_IsTheDocumentedSum(int length)
    {
        byte[] bytes = MakeBytes(length, length);
        ulong sum = 0;
        for (int word = 0; word * 8 < length; word++)
        {
            byte[] padded = new byte[8];
            bytes.AsSpan(word * 8, Math.Min(8, length - (word * 8))).CopyTo(padded);
            sum += CountWord(BitConverter.ToUInt64(padded), word);
        }

        // A last line that is not whole has words of zeros.
        for (int word = (length + 7) / 8; word % 8 != 0; word++)
        {
            sum += CountWord(0, word);
        }

        const ulong a = 0x9E3779B97F4A7C15;
        const ulong b = 0xC2B2AE3D27D4EB4F;
        ulong start = (99 ^ ((ulong)length * b)) * a;
        start = (start ^ (start >> 32)) * b;
        Assert.Equal(sum + (start ^ (start >> 29)), Checksum.Compute(bytes, 99));
    }

    [Fact]
    public void PageChecksum_ZeroPage_IsKnown()
    {
        byte* page = stackalloc byte[Page.Size];
        new Span<byte>(page, Page.Size).Clear();
        Assert.Equal(PageChecksum.Compute(page, new PageNumber(9), 1, 5), PageChecksum.OfZeroPage(new PageNumber(9), 5));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void LineSum_ChangedLinesReplaced_IsTheSumOfTheNewVersion(int seed)
    {
        var random = new Random(seed);
        byte[] before = MakeBytes(Page.Size, seed);
        byte[] after = [.. before];
        fixed (byte* first = before, second = after)
        {
            var versions = new PageVersions(first, second);
            for (int round = 0; round < 200; round++)
            {
                int offset = random.Next(Page.Size);
                random.NextBytes(after.AsSpan(offset, Math.Min(random.Next(1, 300), Page.Size - offset)));
                PageChanges.Find(versions, versions, out PageChanges changes);
                ulong expected = Checksum.Compute(second, Page.Size, 3);
                Assert.Equal(expected, Checksum.Compute(first, Page.Size, 3) + changes.SumDifference(versions));
                after.CopyTo(before, 0);
            }
        }
    }

    [Fact]
    public void Crc32C_KnownText_HasThePublishedValue() => Assert.Equal(0xE3069283u, Checksum.Crc32C("123456789"u8));

    /// <summary>Stored checksums must stay what they are: a change of these values is a change of the format.</summary>
    [Theory]
    [InlineData(0, 0UL)]
    [InlineData(1, 1UL)]
    [InlineData(31, 2UL)]
    [InlineData(32, 3UL)]
    [InlineData(Page.Size, 0x123456789ABCDEFUL)]
    public void Compute_Golden_StaysTheSame(int length, ulong seed)
    {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)(i * 7);
        }

        Assert.Equal(Golden[length], $"{Checksum.Compute(bytes, seed):x16}");
    }

    [Fact]
    public void PageChecksum_PlaceAndStorage_ArePartOfIt()
    {
        byte[] page = MakeBytes(Page.Size, 4);
        fixed (byte* address = page)
        {
            ulong expected = PageChecksum.Compute(address, new PageNumber(5), 1, 77);
            Assert.NotEqual(expected, PageChecksum.Compute(address, new PageNumber(6), 1, 77));
            Assert.NotEqual(expected, PageChecksum.Compute(address, new PageNumber(5), 1, 78));
            for (int i = 0; i < Page.Size; i++)
            {
                page[i] ^= 0x80;
                bool isField = i is >= 8 and < 16;
                Assert.Equal(isField, expected == PageChecksum.Compute(address, new PageNumber(5), 1, 77));
                page[i] ^= 0x80;
            }
        }
    }

    private static Dictionary<int, string> Golden => new()
    {
        [0] = "0000000000000000",
        [1] = "498ea849f1eb2139",
        [31] = "bf60c3221017eb50",
        [32] = "a532d8d2014805e0",
        [Page.Size] = "672c42ff14bc0425",
    };

    private static ulong CountWord(ulong word, int place)
    {
        ulong[] keys =
        [
            0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC,
            0x1B39896A51A8749B, 0x53CB9F0C747EA2EA, 0x2C829ABE1F4532E1, 0xC584133AC916AB3C,
        ];
        ulong mixed = word ^ (keys[place % 8] + ((ulong)(place / 8) * 0x9E3779B97F4A7C15));
        return ((mixed & uint.MaxValue) * (mixed >> 32)) + (word * 0xBF58476D1CE4E5B9);
    }

    private static byte[] MakeBytes(int length, int seed)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }
}
