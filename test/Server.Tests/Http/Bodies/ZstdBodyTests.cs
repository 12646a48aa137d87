using System.Text;
using Jackdaw.Server.Http.Bodies;

namespace Jackdaw.Server.Tests.Http.Bodies;

/// <summary>Decompression of hand-made frames: one raw block each, so that no compressor is needed.</summary>
public sealed class ZstdBodyTests
{
    /// <summary>166,000 bytes, compressed by libzstd at level 3.</summary>
    private const string FrameOfLibzstd =
        "KLUv/aBwiAIAXAUA8kUVGnBp2yZfZaDpjLw6lSM8BIAY1i2yK3lx9R9CVyB0zq5qJuLdKuYABVegs5rYNG8KN8PTEQnrxceRLONMump1UM2IsTRbT1+aER74"
        + "ARRuiaczogpnAi8g4KVhDYn6QXPIeR3LKbrLyTrJeR3LKd3lZDvJeR3LKd0FnnwLMbWT2UIk53Usp+guJ+vEAAu6M8KC3RlhQXdGWNCdIizozggLXHeHSPka"
        + "YTsBTQAACE4BAGwIHQgB";

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(100_000)]
    public async Task Read_TwoFramesInSmallPieces_GivesAllBytes(int pieceBytes)
    {
        byte[] first = Filled(1, 70_000);
        byte[] second = Filled(2, 10);
        using var compressed = new MemoryStream([.. RawFrame(first), .. RawFrame(second)]);
        using Stream stream = ZstdBody.Open(new PieceStream(compressed, pieceBytes));
        using var result = new MemoryStream();
        await stream.CopyToAsync(result, pieceBytes);
        Assert.Equal([.. first, .. second], result.ToArray());
    }

    [Fact]
    public void Read_EmptySource_IsEmpty()
    {
        using Stream stream = ZstdBody.Open(new MemoryStream());
        Assert.Equal(0, stream.Read(new byte[10]));
        Assert.True(stream.CanRead);
        Assert.False(stream.CanWrite);
        Assert.False(stream.CanSeek);
    }

    [Fact]
    public void Open_FrameOfTheCLibrary_GivesItsBytes()
    {
        string sample = string.Concat(Enumerable.Range(0, 12).Select(
            i => $"{{\"Name\":\"user {i}\",\"City\":\"city {i % 7}\",\"@metadata\":{{\"@collection\":\"Users\"}}}}"));
        byte[] result = ReadAll(Convert.FromBase64String(FrameOfLibzstd));
        Assert.Equal(string.Concat(Enumerable.Repeat(sample, 200)), Encoding.UTF8.GetString(result));
    }

    /// <summary>A bulk insert answers to what has come; its sender may pause for seconds after it.</summary>
    [Fact]
    public async Task Read_OfABlockThatHasCome_DoesNotWaitForTheNext()
    {
        byte[] first = RawFrame(Filled(1, 100));
        using var source = new PieceStream(new MemoryStream([.. first, .. RawFrame(Filled(2, 100))]), first.Length);
        using Stream stream = ZstdBody.Open(source);
        Assert.Equal(100, await stream.ReadAsync(new byte[1000]));
        Assert.Equal(1, source.Reads);
    }

    [Fact]
    public void Read_CutOrForeignBytes_IsAFaultOfTheSender()
    {
        byte[] frame = RawFrame(Filled(1, 1000));
        AssertRefused(frame[..^1]);
        AssertRefused(frame[..3]);
        AssertRefused("not zstd at all"u8.ToArray());
        byte[] compressed = Convert.FromBase64String(FrameOfLibzstd);
        compressed[20] ^= 0x40;
        AssertRefused(compressed);
    }

    [Theory]
    [InlineData(13, true)]
    [InlineData(14, false)]
    [InlineData(17, false)]
    public void Read_WindowOverEightMegabytes_IsAFaultOfTheSender(int exponent, bool isTaken)
    {
        // Window descriptor: 2^(10 + exponent) bytes. One raw block without bytes, the last.
        byte[] frame = [0x28, 0xB5, 0x2F, 0xFD, 0x00, (byte)(exponent << 3), 0x01, 0x00, 0x00];
        if (isTaken)
        {
            Assert.Empty(ReadAll(frame));
        }
        else
        {
            AssertRefused(frame);
        }
    }

    private static void AssertRefused(byte[] compressed)
    {
        Exception failure = Assert.ThrowsAny<Exception>(() => ReadAll(compressed));
        Assert.True(ZstdBody.IsFaultOfSender(failure), failure.ToString());
    }

    private static byte[] Filled(byte fill, int length)
    {
        byte[] bytes = new byte[length];
        bytes.AsSpan().Fill(fill);
        return bytes;
    }

    private static byte[] ReadAll(byte[] compressed)
    {
        using Stream stream = ZstdBody.Open(new MemoryStream(compressed));
        using var result = new MemoryStream();
        stream.CopyTo(result);
        return result.ToArray();
    }

    /// <summary>RFC 8878: magic, descriptor without content size, 128 KB window, one last raw block.</summary>
    private static byte[] RawFrame(byte[] content)
    {
        int header = (content.Length << 3) | 1;
        return
        [
            0x28, 0xB5, 0x2F, 0xFD, 0x00, 7 << 3, (byte)header, (byte)(header >> 8), (byte)(header >> 16), .. content,
        ];
    }

    /// <summary>Gives at most some bytes per read, as a slow connection does.</summary>
    private sealed class PieceStream(Stream source, int pieceBytes) : Stream
    {
        public int Reads { get; private set; }

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override int Read(byte[] buffer, int offset, int count)
        {
            Reads++;
            return source.Read(buffer, offset, Math.Min(count, pieceBytes));
        }

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
