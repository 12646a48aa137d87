using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Schedules;

namespace Jackdaw.Documents.Parsing;

/// <summary>A document in its stored form. It is borrowed: valid until its owner parses again, is cleared or disposed.</summary>
/// <param name="Bytes">The stored form: an object that ends in <c>"@metadata":{...}}</c>, without insignificant
/// whitespace, and with at least one member in its metadata.</param>
/// <param name="MetadataOffset">The offset in <paramref name="Bytes"/> of the opening brace of the metadata.</param>
/// <param name="Collection">The collection's name in UTF-8, unescaped; never empty.</param>
public readonly record struct ParsedDocument(
    ReadOnlyMemory<byte> Bytes, int MetadataOffset, ReadOnlyMemory<byte> Collection)
{
    /// <summary>The scheduled times in the metadata; null for most documents.</summary>
    internal DocumentSchedule? Schedule { get; init; }
}

/// <summary>The place of a parsed document in its buffer. All offsets are in bytes of that buffer.</summary>
/// <param name="Start">The first byte of the stored form.</param>
/// <param name="Length">The length of the stored form.</param>
/// <param name="MetadataStart">The opening brace of the value of @metadata.</param>
/// <param name="CollectionStart">The first byte of the collection's name, unescaped; it may be after the stored form.</param>
/// <param name="CollectionLength">The length of the collection's name.</param>
internal readonly record struct DocumentExtent(
    int Start, int Length, int MetadataStart, int CollectionStart, int CollectionLength)
{
    public DocumentSchedule? Schedule { get; init; }
}

/// <summary>The facts about a stored document that the server adds to its metadata in every answer. The spans are borrowed.</summary>
/// <param name="id">The id in its stored casing, UTF-8, at most <see cref="DocumentIds.IdBytesMax"/>
/// bytes.</param>
/// <param name="changeVector">A plain text, in which nothing needs escaping.</param>
/// <param name="lastModified">In UTC.</param>
/// <param name="flags">They are written when there are any.</param>
public readonly ref struct DocumentStamp(
    ReadOnlySpan<byte> id, ReadOnlySpan<byte> changeVector, DateTime lastModified, DocumentFlags flags)
{
    public ReadOnlySpan<byte> Id { get; } = id;

    public ReadOnlySpan<byte> ChangeVector { get; } = changeVector;

    public DateTime LastModified { get; } = lastModified;

    public DocumentFlags Flags { get; } = flags;

    /// <summary>The texts of its extensions.</summary>
    internal ShownExtensions Extensions { get; init; }

    /// <summary>The kinds of extensions that are shown; null for none.</summary>
    internal DocumentExtensions? Known { get; init; }

    /// <summary>Further members, as JSON, each with a comma before it.</summary>
    public ReadOnlySpan<byte> More { get; init; }
}
