using Jackdaw.Server.Documents.Identity;

namespace Jackdaw.Server.Documents.Parsing;

/// <summary>What the server knows of a stored document and adds to its metadata in every answer. Borrowed
/// spans.</summary>
/// <param name="id">The id in its stored casing, UTF-8, at most <see cref="DocumentIds.IdBytesMax"/>
/// bytes.</param>
/// <param name="changeVector">Plain text: nothing in it needs escaping.</param>
/// <param name="lastModified">In UTC.</param>
/// <param name="flags">Written when there are any.</param>
public readonly ref struct DocumentStamp(
    ReadOnlySpan<byte> id, ReadOnlySpan<byte> changeVector, DateTime lastModified, DocumentFlags flags)
{
    public ReadOnlySpan<byte> Id { get; } = id;

    public ReadOnlySpan<byte> ChangeVector { get; } = changeVector;

    public DateTime LastModified { get; } = lastModified;

    public DocumentFlags Flags { get; } = flags;
}
