using System.Buffers.Binary;
using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Spatial;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>The shapes of an entry as bytes. A point: 0, y (8), x (8). Another one: 1, length (4), its well-known text. Little-endian.</summary>
internal static class ShapeColumn
{
    private const byte PointTag = 0;
    private const byte TextTag = 1;

    public static byte[] Write(IReadOnlyList<(Shape Shape, string Text)> shapes)
    {
        var bytes = new MemoryStream();
        Span<byte> number = stackalloc byte[sizeof(double)];
        foreach ((Shape shape, string text) in shapes)
        {
            if (shape is PointShape point)
            {
                bytes.WriteByte(PointTag);
                BinaryPrimitives.WriteDoubleLittleEndian(number, point.Y);
                bytes.Write(number);
                BinaryPrimitives.WriteDoubleLittleEndian(number, point.X);
                bytes.Write(number);
                continue;
            }

            byte[] utf8 = Encoding.UTF8.GetBytes(text);
            bytes.WriteByte(TextTag);
            BinaryPrimitives.WriteInt32LittleEndian(number, utf8.Length);
            bytes.Write(number[..sizeof(int)]);
            bytes.Write(utf8);
        }

        return bytes.ToArray();
    }

    /// <summary>Takes the next shape.</summary>
    public static Shape Read(ref ReadOnlySpan<byte> bytes, SpatialSettings settings)
    {
        byte tag = bytes[0];
        bytes = bytes[1..];
        if (tag == PointTag)
        {
            var point = new PointShape(BinaryPrimitives.ReadDoubleLittleEndian(bytes), BinaryPrimitives.ReadDoubleLittleEndian(bytes[sizeof(double)..]));
            bytes = bytes[(2 * sizeof(double))..];
            return point;
        }

        int length = BinaryPrimitives.ReadInt32LittleEndian(bytes);
        string text = Encoding.UTF8.GetString(bytes.Slice(sizeof(int), length));
        bytes = bytes[(sizeof(int) + length)..];
        return ShapeReader.Read(text, settings);
    }
}
