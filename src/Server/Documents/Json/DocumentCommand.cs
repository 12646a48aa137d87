namespace Jackdaw.Server.Documents.Json;

/// <summary>A parsed command. Borrowed: its memory is that of the <see cref="CommandBatch"/> it is in.</summary>
public readonly record struct DocumentCommand
{
    public required DocumentCommandKind Kind { get; init; }

    /// <summary>As sent, UTF-8, unescaped; empty when the server makes it (puts only).</summary>
    public required ReadOnlyMemory<byte> Id { get; init; }

    /// <summary>The id in lower case: see <see cref="DocumentIds"/>.</summary>
    public required ReadOnlyMemory<byte> Key { get; init; }

    /// <summary>Who completes the id of a put.</summary>
    public required DocumentIdKind IdKind { get; init; }

    /// <summary>What is expected of the stored document.</summary>
    public required ChangeVectorCheck Check { get; init; }

    /// <summary>The expected change vector; empty unless <see cref="Check"/> is
    /// <see cref="ChangeVectorCheck.MustEqual"/>.</summary>
    public required ReadOnlyMemory<byte> ChangeVector { get; init; }

    /// <summary>A delete of all documents whose keys start with <see cref="Key"/>.</summary>
    public required bool IsIdPrefix { get; init; }

    /// <summary>What is put; default for deletes.</summary>
    public required ParsedDocument Document { get; init; }
}
