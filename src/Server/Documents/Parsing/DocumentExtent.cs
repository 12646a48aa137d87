namespace Jackdaw.Server.Documents.Parsing;

/// <summary>Where a parsed document lies in the buffer it was written to. All in bytes of that buffer.</summary>
/// <param name="Start">First byte of the stored form.</param>
/// <param name="Length">Bytes of the stored form.</param>
/// <param name="MetadataStart">The opening brace of the value of @metadata.</param>
/// <param name="CollectionStart">First byte of the collection's name, unescaped; may lie after the stored form.</param>
/// <param name="CollectionLength">Bytes of the collection's name.</param>
internal readonly record struct DocumentExtent(
    int Start, int Length, int MetadataStart, int CollectionStart, int CollectionLength);
