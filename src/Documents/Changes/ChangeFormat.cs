using System.Buffers.Binary;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Changes;

/// <summary>The format of changes as bytes in memory. They are never stored.</summary>
/// <remarks>
/// <code>
/// offset  bytes  content
///      0      8  etag
///      8      2  bytes of the id
///     10      2  bytes of the collection
///     12      2  bytes of the change vector
///     14      1  kind; 128 is added when an index made the document
///     15         id, collection, change vector
///                of an extension: 1 byte slot, 2 bytes of the name, 2 bytes of the payload, name, payload
/// </code>
/// </remarks>
internal static class ChangeFormat
{
    private const int HeaderBytes = 15;
    private const int ExtensionHeaderBytes = 5;
    private const byte ArtificialBit = 128;

    public static int Measure(in Change change) =>
        HeaderBytes + change.Id.Length + change.Collection.Length + change.ChangeVector.Length
        + (change.IsOfExtension ? ExtensionHeaderBytes + change.Name.Length + change.Payload.Length : 0);

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
        if (change.IsOfExtension)
        {
            place = place[(change.Id.Length + change.Collection.Length + change.ChangeVector.Length)..];
            place[0] = (byte)change.Extension;
            BinaryPrimitives.WriteUInt16LittleEndian(place[1..], checked((ushort)change.Name.Length));
            BinaryPrimitives.WriteUInt16LittleEndian(place[3..], checked((ushort)change.Payload.Length));
            change.Name.CopyTo(place[ExtensionHeaderBytes..]);
            change.Payload.CopyTo(place[(ExtensionHeaderBytes + change.Name.Length)..]);
        }
    }

    /// <summary>Reads the first change of several.</summary>
    /// <param name="changes">The changes, one after the other.</param>
    /// <param name="bytes">The number of bytes of the first change.</param>
    public static Change Read(ReadOnlySpan<byte> changes, out int bytes)
    {
        int id = BinaryPrimitives.ReadUInt16LittleEndian(changes[8..]);
        int collection = BinaryPrimitives.ReadUInt16LittleEndian(changes[10..]);
        int vector = BinaryPrimitives.ReadUInt16LittleEndian(changes[12..]);
        bytes = HeaderBytes + id + collection + vector;
        var change = new Change
        {
            Etag = new Etag(BinaryPrimitives.ReadInt64LittleEndian(changes)),
            Kind = (ChangeKind)(changes[14] & ~ArtificialBit),
            IsArtificial = (changes[14] & ArtificialBit) != 0,
            Id = changes.Slice(HeaderBytes, id),
            Collection = changes.Slice(HeaderBytes + id, collection),
            ChangeVector = changes.Slice(HeaderBytes + id + collection, vector),
        };
        return change.IsOfExtension ? ReadExtension(change, changes[bytes..], ref bytes) : change;
    }

    private static Change ReadExtension(Change change, ReadOnlySpan<byte> part, scoped ref int bytes)
    {
        int name = BinaryPrimitives.ReadUInt16LittleEndian(part[1..]);
        int payload = BinaryPrimitives.ReadUInt16LittleEndian(part[3..]);
        bytes += ExtensionHeaderBytes + name + payload;
        return new Change
        {
            Etag = change.Etag,
            Kind = change.Kind,
            IsArtificial = change.IsArtificial,
            Id = change.Id,
            Collection = change.Collection,
            ChangeVector = change.ChangeVector,
            Extension = part[0],
            Name = part.Slice(ExtensionHeaderBytes, name),
            Payload = part.Slice(ExtensionHeaderBytes + name, payload),
        };
    }
}
