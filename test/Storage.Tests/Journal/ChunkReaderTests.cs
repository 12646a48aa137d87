using System.Text;
using Jackdaw.Storage.Journal.Recovery;

namespace Jackdaw.Storage.Tests.Journal;

/// <summary>Compressed payloads, those that another implementation of LZ4 wrote and damaged ones among them.</summary>
public sealed unsafe class ChunkReaderTests
{
    private const int Canary = 64;
    private const byte CanaryByte = 0xC7;

    /// <summary>Block of the C library (LZ4_compress_default) for <see cref="Sample"/>.</summary>
    private const string BlockOfLiblz4 =
        "8Q57Ik5hbWUiOiJ1c2VyIDAiLCJDaXR5IjoiY2l0eRAA+hRAbWV0YWRhdGEiOnsiQGNvbGxlY3Rpb24iOiJVc2VycyJ9fUUAGzFFAAAQAA9FAB4bMkUA"
        + "ABAAD0UAHhszRQAAEAAPRQAeGzRFAAAQAA9FAB4bNUUAABAAD0UAHhs2RQAAEAAPRQAeGzdFAADzAQ9FAB4bOEUAD+MBIhs5RQAP4wEiEDHAAAizAg/k"
        + "ASIQMcEACEYAD+UBD1BycyJ9fQ==";

    private static byte[] Sample => Encoding.UTF8.GetBytes(string.Concat(Enumerable.Range(0, 12).Select(
        i => $"{{\"Name\":\"user {i}\",\"City\":\"city {i % 7}\",\"@metadata\":{{\"@collection\":\"Users\"}}}}")));

    [Fact]
    public void TryDecode_BlockOfTheCLibrary_GivesItsBytes()
    {
        byte[] sample = Sample;
        Assert.True(TryDecode(Chunk(sample.Length, Convert.FromBase64String(BlockOfLiblz4)), sample.Length, out byte[] raw));
        Assert.Equal(sample, raw);
    }

    [Fact]
    public void TryDecode_DamagedBlocks_NeverWriteOutside()
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        byte[] block = Convert.FromBase64String(BlockOfLiblz4);
        int rawBytes = Sample.Length;
        for (int i = 0; i < 20_000; i++)
        {
            byte[] damaged = block[..(random.Next(2) == 0 ? block.Length : random.Next(1, block.Length))];
            for (int flips = random.Next(4); flips >= 0; flips--)
            {
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            }

            int room = random.Next(2) == 0 ? rawBytes : random.Next(1, rawBytes);
            try
            {
                TryDecode(Chunk(room, damaged), room, out _);
            }
            catch (Exception failure)
            {
                Assert.Fail($"seed {seed}, input {i}: {failure.Message}");
            }
        }
    }

    private static byte[] Chunk(int rawBytes, byte[] block) =>
        [.. BitConverter.GetBytes(rawBytes), .. BitConverter.GetBytes(block.Length), .. block];

    /// <summary>Decodes between two canaries that must stay.</summary>
    private static bool TryDecode(byte[] payload, int rawBytes, out byte[] raw)
    {
        byte[] memory = new byte[Canary + rawBytes + Canary];
        memory.AsSpan().Fill(CanaryByte);
        bool isGood;
        fixed (byte* source = payload, destination = memory)
        {
            isGood = ChunkReader.TryDecode(source, payload.Length, destination + Canary, rawBytes);
        }

        Assert.False(memory.AsSpan(0, Canary).ContainsAnyExcept(CanaryByte), "bytes before the destination were written");
        Assert.False(memory.AsSpan(Canary + rawBytes).ContainsAnyExcept(CanaryByte), "bytes behind the destination were written");
        raw = memory[Canary..(Canary + rawBytes)];
        return isGood;
    }
}
