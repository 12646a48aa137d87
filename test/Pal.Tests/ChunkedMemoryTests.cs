using Jackdaw.Pal.Native;

namespace Jackdaw.Pal.Tests;

public sealed class ChunkedMemoryTests
{
    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 1)]
    [InlineData(ChunkedMemory.ChunkBytes, 65536)]
    [InlineData(ChunkedMemory.ChunkBytes + 1, 100_000)]
    [InlineData((3 * ChunkedMemory.ChunkBytes) - 1, 4 * ChunkedMemory.ChunkBytes)]
    public void MoveTo_OfWhatWasAppendedInPieces_IsTheSameBytes(int length, int piece)
    {
        byte[] bytes = new byte[length];
        new Random(7).NextBytes(bytes);
        using var memory = new ChunkedMemory();
        for (int start = 0; start < length; start += piece)
        {
            memory.Append(bytes.AsSpan(start, Math.Min(piece, length - start)));
        }

        Assert.Equal(length, memory.Length);
        Assert.InRange(memory.Capacity - length, 0, ChunkedMemory.ChunkBytes - 1);
        byte[] moved = new byte[length + 3];
        memory.MoveTo(moved);

        Assert.Equal(bytes, moved[..length]);
        Assert.Equal((0, 0), (memory.Length, memory.Capacity));
        memory.Append([1, 2]);
        Assert.Equal(2, memory.Length);
    }

    [Fact]
    public void MoveTo_ASmallerDestination_IsRefusedAndKeepsTheBytes()
    {
        using var memory = new ChunkedMemory();
        memory.Append([1, 2, 3]);

        Assert.Throws<ArgumentOutOfRangeException>(() => memory.MoveTo(new byte[2]));

        Assert.Equal(3, memory.Length);
    }
}
