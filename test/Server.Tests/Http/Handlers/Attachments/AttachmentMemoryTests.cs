using System.Diagnostics;
using Jackdaw.Pal.Native;

namespace Jackdaw.Server.Tests.Http.Handlers.Attachments;

/// <summary>However large an attachment is, little of it is in memory.</summary>
[Collection(AloneCollection.Name)]
public sealed class AttachmentMemoryTests
{
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
        await using ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Platform = new NativePlatform(), DataDir = folder });
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
