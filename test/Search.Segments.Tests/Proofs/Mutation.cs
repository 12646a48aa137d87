using System.Buffers.Binary;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>One change of some bytes, from a seed: what a fault of the program or of a device could leave.</summary>
internal static class Mutation
{
    private const int HeadBytes = 64;

    private static readonly long[] s_numbers =
        [0, 1, -1, 2, 15, 16, 17, 127, 128, 255, 256, 65_535, 65_536, int.MaxValue, int.MinValue, long.MaxValue, long.MinValue, 1L << 32, 1L << 40];

    /// <summary>Makes a run shorter, as long as it keeps its pages, or changes its type.</summary>
    /// <param name="header">Length (4), type (1).</param>
    public static string ApplyToHeader(Span<byte> header, Random random)
    {
        int length = BinaryPrimitives.ReadInt32LittleEndian(header), inLastPage = ((length + PageHeader.SizeOf - 1) % Page.Size) + 1;
        if (random.Next(3) == 0 || inLastPage < 2)
        {
            header[sizeof(int)] = (byte)(1 + random.Next((int)PageType.ColumnDirectory));
            return $"type {header[sizeof(int)]}";
        }

        int cut = random.Next(1, Math.Min(100, inLastPage));
        BinaryPrimitives.WriteInt32LittleEndian(header, length - cut);
        return $"{cut} bytes less than {length}";
    }

    /// <summary>Changes something in a part of an array.</summary>
    /// <param name="others">Bytes of another part.</param>
    /// <returns>What was done.</returns>
    public static string Apply(Span<byte> bytes, Random random, ReadOnlySpan<byte> others)
    {
        // Heads are changed as often as all that follows them.
        int at = random.Next(2) == 0 ? random.Next(Math.Min(HeadBytes, bytes.Length)) : random.Next(bytes.Length);
        switch (random.Next(9))
        {
            case 0 or 1:
                bytes[at] ^= (byte)(1 << random.Next(8));
                return $"a bit at {at}";
            case 2:
                bytes[at] = (byte)random.Next(256);
                return $"a byte at {at}";
            case 3 or 4 when bytes.Length >= sizeof(int):
                at = Math.Min(at & ~3, bytes.Length - sizeof(int));
                int number = random.Next(2) == 0 ? (int)s_numbers[random.Next(s_numbers.Length)]
                    : BinaryPrimitives.ReadInt32LittleEndian(bytes[at..]) + random.Next(-3, 4);
                BinaryPrimitives.WriteInt32LittleEndian(bytes[at..], number);
                return $"{number} (4) at {at}";
            case 5 when bytes.Length >= sizeof(long):
                at = Math.Min(at & ~7, bytes.Length - sizeof(long));
                long large = random.Next(2) == 0 ? s_numbers[random.Next(s_numbers.Length)]
                    : BinaryPrimitives.ReadInt64LittleEndian(bytes[at..]) + random.Next(-9, 10);
                BinaryPrimitives.WriteInt64LittleEndian(bytes[at..], large);
                return $"{large} (8) at {at}";
            case 6:
                int cut = Math.Min(bytes.Length - at, 1 + random.Next(200));
                bytes.Slice(at, cut).Fill(random.Next(2) == 0 ? (byte)0 : (byte)255);
                return $"{cut} equal bytes at {at}";
            case 7:
                int copied = Math.Min(others.Length, bytes.Length);
                others[..copied].CopyTo(bytes);
                return $"{copied} bytes of another part";
            default:
                int moved = Math.Min(bytes.Length - at, 1 + random.Next(40)), from = random.Next(bytes.Length - moved + 1);
                bytes.Slice(from, moved).ToArray().CopyTo(bytes[at..]);
                return $"{moved} bytes at {at} from {from}";
        }
    }
}
