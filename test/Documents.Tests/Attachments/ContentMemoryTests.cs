using System.Diagnostics;
using System.Runtime.InteropServices;
using Jackdaw.Documents.Attachments;
using Jackdaw.Server.Tests;
using Jackdaw.Server.Tests.Documents.Attachments;

namespace Jackdaw.Documents.Tests.Attachments;

/// <summary>However large a content is, two chunks of it are in memory.</summary>
[Collection(AloneCollection.Name)]
public sealed class ContentMemoryTests
{
    /// <summary>What its bytes pass through, without a storage.</summary>
    [Fact]
    public async Task Receiver_OfAnySize_HoldsTwoChunks()
    {
        long written = 0;
        var holds = new ContentHolds();
        await using var receiver = new ContentReceiver(
            async (batch, _) =>
            {
                var chunk = (WriteChunkCommand)batch.Commands.Span[0];
                Assert.Equal(written, (long)chunk.Index * AttachmentLimits.ChunkBytes);
                written += chunk.Bytes.Length;
                await Task.Yield();
            },
            holds);
        const long bytes = 200L << 20;
        byte[] piece = new byte[64 * 1024];
        await receiver.AppendAsync(piece, CancellationToken.None);
        long before = GC.GetTotalAllocatedBytes(precise: true);
        for (long sent = piece.Length; sent < bytes; sent += piece.Length)
        {
            await receiver.AppendAsync(piece, CancellationToken.None);
        }

        ReceivedContent content = await receiver.FinishAsync(AttachmentLimits.ChunkBytes, CancellationToken.None);
        long allocated = GC.GetTotalAllocatedBytes(precise: true) - before;
        Assert.Equal((bytes, bytes), (content.Size, written));

        // Other tests allocate at the same time: the bound is far below the content, not exact.
        Assert.True(allocated < bytes / 2, $"{allocated >> 20} MB were allocated for {bytes >> 20} MB");
    }

    /// <summary>Thousands of them wait for one batch.</summary>
    [Fact]
    public async Task Receiver_OfASmallContent_HoldsNoMoreThanIt()
    {
        var receiver = new ContentReceiver((_, _) => throw new UnreachableException(), new ContentHolds());
        await receiver.AppendAsync("abc"u8.ToArray(), CancellationToken.None);
        ReceivedContent content = await receiver.FinishAsync(AttachmentLimits.ChunkBytes, CancellationToken.None);
        Assert.True(MemoryMarshal.TryGetArray(content.Bytes, out ArraySegment<byte> held));
        Assert.Equal(3, held.Array!.Length);
        await receiver.DisposeAsync();
        Assert.Equal("abc"u8, content.Bytes.Span);
    }

    /// <summary>Up and down over HTTP, in a process that may not grow by a third of it. Over real files: those in memory are allocated themselves.</summary>
    [Fact]
    [Trait("Tier", "Full")]
    public async Task UploadAndDownload_Of200MB_AllocateLittle()
    {
        string folder = Directory.CreateTempSubdirectory("jackdaw-").FullName;
        try
        {
            await UploadAndDownloadAsync(folder);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static async Task UploadAndDownloadAsync(string folder)
    {
        await using ServerFixture server = await ServerFixture.StartAsync(folder: folder);
        await server.PutAsync("users/1", "{}");
        const long bytes = 200L << 20;
        long before = GC.GetTotalAllocatedBytes(precise: true);
        using var content = new StreamContent(new EndlessStream(bytes));
        using (HttpResponseMessage put = await server.Client.PutAsync(new Uri("/databases/db1/attachments?id=users/1&name=a", UriKind.Relative), content))
        {
            Assert.Equal(201, (int)put.StatusCode);
        }

        using HttpResponseMessage got = await server.Client.GetAsync(
            new Uri("/databases/db1/attachments?id=users/1&name=a", UriKind.Relative), HttpCompletionOption.ResponseHeadersRead);
        await using Stream body = await got.Content.ReadAsStreamAsync();
        byte[] buffer = new byte[64 * 1024];
        long received = 0;
        for (int read; (read = await body.ReadAsync(buffer)) > 0; received += read)
        {
            Assert.Equal((byte)(received >> 10), buffer[0]);
        }

        Assert.Equal(bytes, received);
        long allocated = GC.GetTotalAllocatedBytes(precise: true) - before;
        Assert.True(allocated < 64 << 20, $"{allocated >> 20} MB were allocated");
        Assert.Equal(1, (await server.CountAsync()).Attachments);
    }

    /// <summary>Each byte says at which kilobyte it is.</summary>
    private sealed class EndlessStream(long length) : Stream
    {
        private long _position;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => _position; set => throw new NotSupportedException(); }

        public override int Read(Span<byte> buffer)
        {
            int count = (int)Math.Min(buffer.Length, length - _position);
            for (int i = 0; i < count; i++, _position++)
            {
                buffer[i] = (byte)(_position >> 10);
            }

            return count;
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

        public override void Flush() => throw new UnreachableException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
