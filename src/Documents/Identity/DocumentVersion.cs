namespace Jackdaw.Documents.Identity;

/// <summary>One version of a document or a tombstone, as it is stored: its etag, and its change vector unless the etag determines it.</summary>
/// <param name="etag">The etag of the write in this database; None when there is no version.</param>
/// <param name="changeVector">Empty when it is only the local replica's entry for the etag, which is not stored. A view of the row, or of memory that is valid
/// as long as this.</param>
public readonly ref struct DocumentVersion(Etag etag, ReadOnlySpan<byte> changeVector)
{
    public Etag Etag { get; } = etag;

    public ReadOnlySpan<byte> ChangeVector { get; } = changeVector;

    public bool IsMissing => Etag == Etag.None;
}
