using System.Buffers.Binary;

namespace Jackdaw.Simulation.Harness;

/// <summary>A value by its recipe: the bytes are made from the seed when needed, so that states cost no memory.</summary>
/// <param name="Seed">Different for each write of a run.</param>
/// <param name="Length">Bytes.</param>
internal readonly record struct ModelValue(long Seed, int Length)
{
    /// <summary>The value's bytes.</summary>
    public byte[] ToBytes()
    {
        byte[] bytes = GC.AllocateUninitializedArray<byte>(Length);
        ulong state = (ulong)Seed * 0x9E3779B97F4A7C15;
        Span<byte> left = bytes;
        while (left.Length >= sizeof(ulong))
        {
            BinaryPrimitives.WriteUInt64LittleEndian(left, Next(ref state));
            left = left[sizeof(ulong)..];
        }

        foreach (ref byte last in left)
        {
            last = (byte)Next(ref state);
        }

        return bytes;
    }

    private static ulong Next(ref ulong state)
    {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;

        // A quarter of the words is equal, so that diffs have gaps and compression has something to do.
        return (state & 3) == 0 ? 0 : state;
    }
}
