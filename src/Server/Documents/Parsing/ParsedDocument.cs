namespace Jackdaw.Server.Documents.Parsing;

/// <summary>A document in its stored form. Borrowed: valid until its owner parses again, is cleared or
/// disposed.</summary>
/// <param name="Bytes">The stored form: an object that ends in <c>"@metadata":{...}}</c>, without insignificant
/// whitespace, and with at least one member in its metadata.</param>
/// <param name="MetadataOffset">Offset in <paramref name="Bytes"/> of the opening brace of the metadata.</param>
/// <param name="Collection">The collection's name in UTF-8, unescaped; never empty.</param>
public readonly record struct ParsedDocument(
    ReadOnlyMemory<byte> Bytes, int MetadataOffset, ReadOnlyMemory<byte> Collection);
