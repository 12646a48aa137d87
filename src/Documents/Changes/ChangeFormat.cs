using System.Buffers.Binary;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Changes;

/// <summary>Changes as bytes in memory; never stored.</summary>
/// <remarks>
/// <code>
/// offset  bytes  content
///      0      8  etag
///      8      2  bytes of the id
///     10      2  bytes of the collection
///     12      2  bytes of the change vector
///     14      1  kind; 128 is added when an index made the document
///     15         id, collection, change vector
///                of a counter: 8 bytes value, 2 bytes of the name, name
/// </code>
/// </remarks>
internal static class ChangeFormat
{
    private const int HeaderBytes = 15;
    private const int CounterHeaderBytes = 10;
    private const byte ArtificialBit = 128;

    public static int Measure(in Change change) =>
        HeaderBytes + change.Id.Length + change.Collection.Length + change.ChangeVector.Length
        + (change.IsOfCounter ? CounterHeaderBytes + change.Counter.Length : 0);

    public static void Write(in Change change, Span<byte> place)
    {
        BinaryPrimitives.WriteInt64LittleEndian(place, change.Etag.Value);
        BinaryPrimitives.WriteUInt16LittleEndian(place[8..], checked((ushort)change.Id.Length));
        BinaryPrimitives.WriteUInt16LittleEndian(place[10..], checked((ushort)change.Collection.Length));
        BinaryPrimitives.WriteUInt16LittleEndian(place[12..], checked((ushort)change.ChangeVector.Length));
        place[14] = (byte)((byte)change.Kind | (change.IsArtificial ? ArtificialBit : 0));
        place = place[HeaderBytes..];
        change.Id.CopyTo(place);
        change.Collection.CopyTo(place[change.Id.Length..]);
        change.ChangeVector.CopyTo(place[(change.Id.Length + change.Collection.Length)..]);
        if (change.IsOfCounter)
        {
            place = place[(change.Id.Length + change.Collection.Length + change.ChangeVector.Length)..];
            BinaryPrimitives.WriteInt64LittleEndian(place, change.CounterValue);
            BinaryPrimitives.WriteUInt16LittleEndian(place[8..], checked((ushort)change.Counter.Length));
            change.Counter.CopyTo(place[CounterHeaderBytes..]);
        }
    }

    /// <summary>Reads the first change of several.</summary>
    /// <param name="changes">One after the other.</param>
    /// <param name="bytes">Bytes of the first.</param>
    public static Change Read(ReadOnlySpan<byte> changes, out int bytes)
    {
        int id = BinaryPrimitives.ReadUInt16LittleEndian(changes[8..]);
        int collection = BinaryPrimitives.ReadUInt16LittleEndian(changes[10..]);
        int vector = BinaryPrimitives.ReadUInt16LittleEndian(changes[12..]);
        bytes = HeaderBytes + id + collection + vector;
        var kind = (ChangeKind)(changes[14] & ~ArtificialBit);
        long value = 0;
        ReadOnlySpan<byte> counter = default;
        if (kind is ChangeKind.CounterPut or ChangeKind.CounterDelete or ChangeKind.CounterIncrement)
        {
            value = BinaryPrimitives.ReadInt64LittleEndian(changes[bytes..]);
            counter = changes.Slice(bytes + CounterHeaderBytes, BinaryPrimitives.ReadUInt16LittleEndian(changes[(bytes + 8)..]));
            bytes += CounterHeaderBytes + counter.Length;
        }

        return new Change
        {
            Etag = new Etag(BinaryPrimitives.ReadInt64LittleEndian(changes)),
            Kind = kind,
            IsArtificial = (changes[14] & ArtificialBit) != 0,
            Id = changes.Slice(HeaderBytes, id),
            Collection = changes.Slice(HeaderBytes + id, collection),
            ChangeVector = changes.Slice(HeaderBytes + id + collection, vector),
            Counter = counter,
            CounterValue = value,
        };
    }
}
