using System.Text;

namespace Jackdaw.Documents.Identity;

/// <summary>One copy of a database: the tag of the node that created it, and its id. Both name the entry of change vectors that counts its writes,
/// and never change.</summary>
public sealed class Replica
{
    private readonly byte[] _databaseIdBytes;
    private volatile byte _separator = (byte)'/';

    /// <param name="node">The tag of the server that created the copy.</param>
    /// <param name="databaseId">16 random bytes as 22 characters of base64, chosen when the copy was created.</param>
    public Replica(NodeTag node, string databaseId)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(databaseId.Length, ChangeVector.DatabaseIdBytes);
        Node = node;
        DatabaseId = databaseId;
        _databaseIdBytes = Encoding.ASCII.GetBytes(databaseId);
    }

    /// <summary>The tag of the database, which may differ from that of the server that has it open.</summary>
    public NodeTag Node { get; }

    public string DatabaseId { get; }

    /// <summary>The character between the parts of an id that the server completes. An operator may change it at any time, for later writes.</summary>
    public byte IdentitySeparator
    {
        get => _separator;
        internal set => _separator = value;
    }

    /// <summary><see cref="DatabaseId"/> as the bytes at the end of the entry.</summary>
    public ReadOnlySpan<byte> DatabaseIdBytes => _databaseIdBytes;

    /// <summary>Writes the entry of one write: the change vector of a version that only this copy has ever
    /// written.</summary>
    /// <param name="destination">At least <see cref="ChangeVector.EntryBytesMax"/> bytes.</param>
    /// <returns>The bytes written.</returns>
    public int Format(Etag etag, Span<byte> destination) =>
        ChangeVector.Format(etag.Value, Node.Bytes, DatabaseIdBytes, destination);

    /// <summary>The change vector of a version. Allocates nothing.</summary>
    /// <param name="buffer">At least <see cref="ChangeVector.EntryBytesMax"/> bytes, for a change vector that is not stored.</param>
    public ReadOnlySpan<byte> VectorOf(DocumentVersion version, Span<byte> buffer) =>
        version.ChangeVector.IsEmpty ? buffer[..Format(version.Etag, buffer)] : version.ChangeVector;

    /// <summary>The same as <see cref="VectorOf"/>, for messages and headers; empty when there is no version.</summary>
    public string TextOf(DocumentVersion version) => version.IsMissing
        ? ""
        : Encoding.ASCII.GetString(VectorOf(version, stackalloc byte[ChangeVector.EntryBytesMax]));

    /// <summary>Whether a text is exactly the text that <see cref="Format"/> writes for an etag.</summary>
    public bool TryReadPlain(ReadOnlySpan<byte> text, out Etag etag)
    {
        etag = Etag.None;
        if (text.Length > ChangeVector.EntryBytesMax
            || !ChangeVector.TryReadEtag(text, Node.Bytes, DatabaseIdBytes, out long number) || number == 0)
        {
            return false; // No version has the etag 0, which means that a document does not exist.
        }

        Span<byte> spelt = stackalloc byte[ChangeVector.EntryBytesMax];
        if (!text.SequenceEqual(spelt[..Format(new Etag(number), spelt)]))
        {
            return false;
        }

        etag = new Etag(number);
        return true;
    }
}
