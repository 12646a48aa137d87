using System.Buffers.Binary;
using System.IO.Compression;

namespace Jackdaw.Server.SampleShop;

/// <summary>Small pictures for employees and categories, which are drawn here and written as PNG.</summary>
internal static class ShopPictures
{
    private const int Side = 64;

    private static readonly (byte Red, byte Green, byte Blue)[] s_colors =
        [(38, 84, 124), (239, 71, 111), (255, 209, 102), (6, 214, 160), (118, 93, 168), (244, 132, 95), (84, 140, 47), (66, 72, 82), (17, 138, 178)];

    /// <summary>A head above shoulders.</summary>
    public static byte[] DrawPerson(int number)
    {
        (byte, byte, byte) ground = ColorOf(number);
        (byte, byte, byte) shirt = ColorOf(number + 4);
        (byte, byte, byte) skin = ((byte)(250 - (number * 14)), (byte)(215 - (number * 14)), (byte)(180 - (number * 13)));
        return Encode((x, y) => IsInCircle(x, y, 32, 25, 13) ? skin : IsInCircle(x, y, 32, 64, 23) ? shirt : ground);
    }

    /// <summary>A plate with as many dots as the number of the category says.</summary>
    public static byte[] DrawPlate(int number)
    {
        (byte, byte, byte) ground = ColorOf(number);
        (byte, byte, byte) dots = ColorOf(number + 3);
        return Encode((x, y) =>
            Enumerable.Range(0, number).Any(i => IsInCircle(x, y, 23 + (i % 3 * 9), 23 + (i / 3 * 9), 3)) ? dots
            : IsInCircle(x, y, 32, 32, 26) ? ((byte)250, (byte)248, (byte)243)
            : ground);
    }

    private static (byte Red, byte Green, byte Blue) ColorOf(int number) => s_colors[number % s_colors.Length];

    private static bool IsInCircle(int x, int y, int centerX, int centerY, int radius) =>
        ((x - centerX) * (x - centerX)) + ((y - centerY) * (y - centerY)) <= radius * radius;

    private static byte[] Encode(Func<int, int, (byte Red, byte Green, byte Blue)> colorOf)
    {
        byte[] header = [0, 0, 0, Side, 0, 0, 0, Side, 8, 2, 0, 0, 0]; // width, height, 8 bits of each of three colors
        using var rows = new MemoryStream();
        using (var deflated = new ZLibStream(rows, CompressionLevel.Optimal, leaveOpen: true))
        {
            for (int y = 0; y < Side; y++)
            {
                deflated.WriteByte(0); // this row uses no filter
                for (int x = 0; x < Side; x++)
                {
                    (byte red, byte green, byte blue) = colorOf(x, y);
                    deflated.Write([red, green, blue]);
                }
            }
        }

        return [0x89, .. "PNG\r\n"u8, 0x1A, 0x0A, .. Chunk("IHDR"u8, header), .. Chunk("IDAT"u8, rows.ToArray()), .. Chunk("IEND"u8, [])];
    }

    private static byte[] Chunk(ReadOnlySpan<byte> type, byte[] content)
    {
        byte[] chunk = [0, 0, 0, 0, .. type, .. content, 0, 0, 0, 0];
        BinaryPrimitives.WriteInt32BigEndian(chunk, content.Length);
        BinaryPrimitives.WriteUInt32BigEndian(chunk.AsSpan(chunk.Length - 4), Checksum(chunk.AsSpan(4, type.Length + content.Length)));
        return chunk;
    }

    /// <summary>CRC-32 as PNG uses it.</summary>
    private static uint Checksum(ReadOnlySpan<byte> bytes)
    {
        uint sum = uint.MaxValue;
        foreach (byte one in bytes)
        {
            sum ^= one;
            for (int bit = 0; bit < 8; bit++)
            {
                sum = (sum & 1) != 0 ? (sum >> 1) ^ 0xEDB88320 : sum >> 1;
            }
        }

        return ~sum;
    }
}
