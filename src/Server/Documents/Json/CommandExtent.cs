namespace Jackdaw.Server.Documents.Json;

/// <summary>A command, by where its parts lie in its batch's buffer.</summary>
internal readonly record struct CommandExtent(
    DocumentCommandKind Kind,
    TextExtent Id,
    TextExtent Key,
    TextExtent ChangeVector,
    bool IsIdPrefix,
    DocumentExtent Document);
