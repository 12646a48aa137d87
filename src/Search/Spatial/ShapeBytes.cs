using System.Buffers.Binary;
using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Storage;
using NetTopologySuite.IO;

namespace Jackdaw.Search.Spatial;

/// <summary>The shapes of an entry as bytes. A point: 0, y (8), x (8). A circle: 2, y (8), x (8), radius (8; kilometers on the earth).
/// Another one: 3, length (4), its well-known binary. Little-endian.</summary>
/// <remarks>This is the form in which shapes are compared, so that a search neither reads texts nor makes buffers again. Older indexes have another form: 1,
/// length (4), text.</remarks>
public static class ShapeBytes
{
    private const byte PointTag = 0;
    private const byte TextTag = 1;
    private const byte CircleTag = 2;
    private const byte GeometryTag = 3;

    /// <summary>More than the coordinates of any shape on the earth, also of one that crosses the date line.</summary>
    private const double DegreesMax = 1000;

    /// <summary>The bytes of a point.</summary>
    public const int PointBytes = 1 + (2 * sizeof(double));

    /// <summary>Writes a point; several shapes follow each other.</summary>
    /// <param name="bytes">Space for <see cref="PointBytes"/>.</param>
    public static void WritePoint(double y, double x, Span<byte> bytes)
    {
        bytes[0] = PointTag;
        BinaryPrimitives.WriteDoubleLittleEndian(bytes[1..], y);
        BinaryPrimitives.WriteDoubleLittleEndian(bytes[(1 + sizeof(double))..], x);
    }

    /// <summary>The bytes of all shapes of a field of an entry.</summary>
    public static byte[] Write(IReadOnlyList<Shape> shapes)
    {
        if (shapes is [PointShape only])
        {
            byte[] written = new byte[1 + (2 * sizeof(double))];
            BinaryPrimitives.WriteDoubleLittleEndian(written.AsSpan(1), only.Y);
            BinaryPrimitives.WriteDoubleLittleEndian(written.AsSpan(1 + sizeof(double)), only.X);
            return written;
        }

        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        foreach (Shape shape in shapes)
        {
            switch (shape)
            {
                case PointShape point:
                    writer.Write(PointTag);
                    writer.Write(point.Y);
                    writer.Write(point.X);
                    break;
                case CircleArea circle:
                    writer.Write(CircleTag);
                    writer.Write(circle.Y);
                    writer.Write(circle.X);
                    writer.Write(circle.Radius);
                    break;
                default:
                    byte[] geometry = ((GeometryShape)shape).Geometry.ToBinary();
                    writer.Write(GeometryTag);
                    writer.Write(geometry.Length);
                    writer.Write(geometry);
                    break;
            }
        }

        writer.Flush();
        return bytes.ToArray();
    }

    /// <summary>Reads the next shape and removes its bytes.</summary>
    /// <exception cref="InvalidSearchException">An older version wrote a shape that this one refuses.</exception>
    /// <exception cref="CorruptionException">The bytes are not those of a shape.</exception>
    public static Shape Read(ref ReadOnlySpan<byte> bytes, SpatialSettings settings)
    {
        try
        {
            Shape shape = ReadOne(ref bytes, settings);
            return IsPossible(shape, settings) ? shape : throw new CorruptionException("A shape of an entry has coordinates that cannot be right.");
        }
        catch (Exception failure) when (failure is not (InvalidSearchException or CorruptionException))
        {
            // The reader of well-known binaries has no exception of its own for all that it refuses.
            throw new CorruptionException($"A shape of an entry cannot be read: {failure.Message}");
        }
    }

    private static Shape ReadOne(ref ReadOnlySpan<byte> bytes, SpatialSettings settings)
    {
        byte tag = bytes[0];
        bytes = bytes[1..];
        switch (tag)
        {
            case PointTag:
                return new PointShape(TakeDouble(ref bytes), TakeDouble(ref bytes));
            case CircleTag:
                return new CircleArea(TakeDouble(ref bytes), TakeDouble(ref bytes), TakeDouble(ref bytes), settings.IsGeography);
            case GeometryTag:
                return new GeometryShape(new WKBReader().Read(TakeBytes(ref bytes).ToArray()));
            case TextTag:
                return ReadText(Encoding.UTF8.GetString(TakeBytes(ref bytes)), settings);
            default:
                throw new InvalidDataException($"The shapes of an entry have the unknown tag {tag}.");
        }
    }

    // With numbers that no shape can have, some comparisons of shapes have no end.
    private static bool IsPossible(Shape shape, SpatialSettings settings)
    {
        bool IsCoordinate(double value) => double.IsFinite(value) && (!settings.IsGeography || Math.Abs(value) <= DegreesMax);
        return shape switch
        {
            PointShape point => IsCoordinate(point.X) && IsCoordinate(point.Y),
            CircleArea circle => IsCoordinate(circle.X) && IsCoordinate(circle.Y) && double.IsFinite(circle.Radius) && circle.Radius >= 0,
            GeometryShape { Geometry: var geometry } => !geometry.IsEmpty && Array.TrueForAll(
                geometry.Coordinates, place => IsCoordinate(place.X) && IsCoordinate(place.Y)),
            _ => true,
        };
    }

    private static Shape ReadText(string text, SpatialSettings settings)
    {
        try
        {
            return ShapeReader.Read(text, settings);
        }
        catch (FormatException e)
        {
            throw new InvalidSearchException($"A shape that an older version indexed cannot be searched: {e.Message} Reset the index.", e);
        }
    }

    private static double TakeDouble(ref ReadOnlySpan<byte> bytes)
    {
        double value = BinaryPrimitives.ReadDoubleLittleEndian(bytes);
        bytes = bytes[sizeof(double)..];
        return value;
    }

    private static ReadOnlySpan<byte> TakeBytes(ref ReadOnlySpan<byte> bytes)
    {
        int length = BinaryPrimitives.ReadInt32LittleEndian(bytes);
        ReadOnlySpan<byte> taken = bytes.Slice(sizeof(int), length);
        bytes = bytes[(sizeof(int) + length)..];
        return taken;
    }
}
