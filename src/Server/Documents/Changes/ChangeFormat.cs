using System.Buffers.Binary;
using Jackdaw.Server.Documents.Identity;

namespace Jackdaw.Server.Documents.Changes;

/// <summary>Changes as bytes in memory; never stored.</summary>
/// <remarks>
/// <code>
/// offset  bytes  content
///      0      8  etag
///      8      2  bytes of the id
///     10      2  bytes of the collection
///     12      2  bytes of the change vector
///     14      1  kind
///     15         id, collection, change vector
///                of a counter: value (8), bytes of the name (2), name
/// </code>
/// </remarks>
internal static class ChangeFormat
{
    private const int HeaderBytes = 15;

    /// <summary>What a counter has before its name.</summary>
    private const int CounterBytes = sizeof(long) + sizeof(ushort);

    public static int Measure(in Change change) =>
        HeaderBytes + change.Id.Length + change.Collection.Length + change.ChangeVector.Length
            + (change.IsOfCounter ? CounterBytes + change.Name.Length : 0);

    public static void Write(in Change change, Span<byte> place)
    {
        BinaryPrimitives.WriteInt64LittleEndian(place, change.Etag.Value);
        BinaryPrimitives.WriteUInt16LittleEndian(place[8..], checked((ushort)change.Id.Length));
        BinaryPrimitives.WriteUInt16LittleEndian(place[10..], checked((ushort)change.Collection.Length));
        BinaryPrimitives.WriteUInt16LittleEndian(place[12..], checked((ushort)change.ChangeVector.Length));
        place[14] = (byte)change.Kind;
        place = place[HeaderBytes..];
        change.Id.CopyTo(place);
        change.Collection.CopyTo(place[change.Id.Length..]);
        change.ChangeVector.CopyTo(place[(change.Id.Length + change.Collection.Length)..]);
        if (change.IsOfCounter)
        {
            place = place[(change.Id.Length + change.Collection.Length + change.ChangeVector.Length)..];
            BinaryPrimitives.WriteInt64LittleEndian(place, change.Value);
            BinaryPrimitives.WriteUInt16LittleEndian(place[sizeof(long)..], checked((ushort)change.Name.Length));
            change.Name.CopyTo(place[CounterBytes..]);
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
        var kind = (ChangeKind)changes[14];
        long value = 0;
        ReadOnlySpan<byte> name = default;
        if (kind is ChangeKind.CounterPut or ChangeKind.CounterIncrement or ChangeKind.CounterDelete)
        {
            ReadOnlySpan<byte> counter = changes[bytes..];
            value = BinaryPrimitives.ReadInt64LittleEndian(counter);
            name = counter.Slice(CounterBytes, BinaryPrimitives.ReadUInt16LittleEndian(counter[sizeof(long)..]));
            bytes += CounterBytes + name.Length;
        }

        return new Change
        {
            Etag = new Etag(BinaryPrimitives.ReadInt64LittleEndian(changes)),
            Kind = kind,
            Id = changes.Slice(HeaderBytes, id),
            Collection = changes.Slice(HeaderBytes + id, collection),
            ChangeVector = changes.Slice(HeaderBytes + id + collection, vector),
            Name = name,
            Value = value,
        };
    }
}
