using System.Text;

namespace Jackdaw.Documents.Identity;

/// <summary>The name of a server among those that have copies of a database: 1 to 4 upper-case letters. Immutable.</summary>
/// <remarks>The configuration names the server. A database takes the tag of the server that creates it and keeps it, because the tag is part of its change
/// vectors and of the ids that it numbers. A server with another tag may open it later.</remarks>
public sealed class NodeTag
{
    /// <summary>The most letters of a tag. It is stored and sent with each document, so it is short; 475,000 names are enough.</summary>
    public const int LettersMax = 4;

    /// <summary>The tags of entries in change vectors that no node made, but cluster-wide transactions.</summary>
    private static readonly string[] s_reserved = ["RAFT", "TRXN"];

    private readonly byte[] _bytes;
    private readonly byte[] _keyBytes;

    private NodeTag(string text)
    {
        Text = text;
        _bytes = Encoding.ASCII.GetBytes(text);
        _keyBytes = Encoding.ASCII.GetBytes(text.ToLowerInvariant());
    }

    /// <summary>The tag of a server whose configuration sets none.</summary>
    public static NodeTag Default { get; } = new("A");

    public string Text { get; }

    /// <summary>The tag as it is in change vectors and ids.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes;

    /// <summary>The tag as it is in the keys of ids.</summary>
    public ReadOnlySpan<byte> KeyBytes => _keyBytes;

    /// <summary>Reads a tag; null when the text is not one.</summary>
    public static NodeTag? TryParse(string text) =>
        IsTag(text) && !s_reserved.Contains(text, StringComparer.Ordinal) ? new NodeTag(text) : null;

    public override string ToString() => Text;

    private static bool IsTag(string text) => text.Length is > 0 and <= LettersMax && text.All(char.IsAsciiLetterUpper);
}
