using System.Diagnostics;
using System.Runtime.InteropServices;
using Jackdaw.Documents.Attachments;

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
}
