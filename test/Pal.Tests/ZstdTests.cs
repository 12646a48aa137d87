namespace Jackdaw.Pal.Tests;

/// <summary>Decompression of hand-made frames: one raw block each, so that no compressor is needed.</summary>
public sealed class ZstdTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(100_000)]
    public async Task OpenDecompression_TwoFramesInSmallPieces_GivesAllBytes(int pieceBytes)
    {
        byte[] first = FileExtensions.Filled(1, 70_000);
        byte[] second = FileExtensions.Filled(2, 10);
        using var compressed = new MemoryStream([.. RawFrame(first), .. RawFrame(second)]);
        using Stream stream = Zstd.OpenDecompression(new PieceStream(compressed, pieceBytes));
        using var result = new MemoryStream();
        await stream.CopyToAsync(result, pieceBytes);
        Assert.Equal([.. first, .. second], result.ToArray());
    }

    [Fact]
    public void OpenDecompression_EmptySource_IsEmpty()
    {
        using Stream stream = Zstd.OpenDecompression(new MemoryStream());
        Assert.Equal(0, stream.Read(new byte[10]));
        Assert.True(stream.CanRead);
        Assert.False(stream.CanWrite);
        Assert.False(stream.CanSeek);
    }

    [Fact]
    public void OpenDecompression_CutOrForeignBytes_IsInvalidData()
    {
        byte[] frame = RawFrame(FileExtensions.Filled(1, 1000));
        Assert.Throws<InvalidDataException>(() => ReadAll(frame[..^1]));
        Assert.Throws<InvalidDataException>(() => ReadAll(frame[..3]));
        Assert.Throws<InvalidDataException>(() => ReadAll("not zstd at all"u8.ToArray()));
    }

    [Fact]
    public void OpenDecompression_WindowOverEightMegabytes_IsRefused()
    {
        // Window descriptor exponent 17: 2^27 bytes.
        byte[] frame = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 17 << 3, 0x01, 0x00, 0x00];
        Assert.Throws<InvalidDataException>(() => ReadAll(frame));
    }

    private static byte[] ReadAll(byte[] compressed)
    {
        using Stream stream = Zstd.OpenDecompression(new MemoryStream(compressed));
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
        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override int Read(byte[] buffer, int offset, int count) =>
            source.Read(buffer, offset, Math.Min(count, pieceBytes));

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
