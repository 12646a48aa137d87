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
        [0] = "6c158a5bfe0afa25",
        [1] = "84aec33140a5df33",
        [31] = "7209fda7a4f0545e",
        [32] = "1ef064503ed9ee8b",
        [Page.Size] = "fd5767a6a2029717",
    };

    private static byte[] MakeBytes(int length, int seed)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }
}
