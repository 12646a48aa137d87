using System.Text;

namespace Jackdaw.Documents.Identity;

/// <summary>The version that a write demands to be stored before it.</summary>
/// <remarks>Change vectors are equal when their texts are. A change vector that is not stored follows from the etag. Whether the demanded text is such a vector
/// is found out once, when it is parsed, so that the writer thread formats nothing.</remarks>
public readonly record struct ExpectedVersion
{
    private ExpectedVersion(ExpectedVersionKind kind, Etag etag, string text)
    {
        Kind = kind;
        Etag = etag;
        Text = text;
    }

    public static ExpectedVersion Any => default;

    public static ExpectedVersion Missing { get; } = new(ExpectedVersionKind.Missing, Etag.None, "");

    public ExpectedVersionKind Kind { get; }

    /// <summary>Only for <see cref="ExpectedVersionKind.Exactly"/>: the etag whose change vector at this replica is the text. None when it is another text,
    /// which only a version with a stored change vector can have.</summary>
    public Etag Etag { get; }

    /// <summary>The text that the client sent, for messages; null when it sent nothing.</summary>
    public string? Text { get; }

    /// <param name="etag">None when the replica does not make such a text.</param>
    public static ExpectedVersion Exactly(Etag etag, string text) => new(ExpectedVersionKind.Exactly, etag, text);

    /// <summary>Reads the version that a client demands.</summary>
    /// <param name="text">The change vector without quotes; null for no demand, empty when no document may exist.</param>
    /// <param name="replica">The replica of the database with the version.</param>
    public static ExpectedVersion Parse(string? text, Replica replica)
    {
        if (text is null)
        {
            return Any;
        }

        if (text.Length == 0)
        {
            return Missing;
        }

        Span<byte> sent = stackalloc byte[ChangeVector.EntryBytesMax];
        bool isShort = Encoding.UTF8.TryGetBytes(text, sent, out int length);
        return isShort && replica.TryReadPlain(sent[..length], out Etag etag)
            ? Exactly(etag, text)
            : Exactly(Etag.None, text);
    }

    /// <summary>Whether a stored version satisfies the demand.</summary>
    /// <param name="stored">The stored document; missing when there is none.</param>
    public bool IsSatisfiedBy(DocumentVersion stored) => Kind switch
    {
        ExpectedVersionKind.Any => true,
        ExpectedVersionKind.Missing => stored.IsMissing,
        _ => !stored.IsMissing
            && (stored.ChangeVector.IsEmpty ? stored.Etag == Etag : Ascii.Equals(stored.ChangeVector, Text)),
    };
}

/// <summary>The kinds of <see cref="ExpectedVersion"/>.</summary>
public enum ExpectedVersionKind
{
    /// <summary>No demand.</summary>
    Any,

    /// <summary>No document of that id may exist.</summary>
    Missing,

    /// <summary>The stored document has exactly this change vector.</summary>
    Exactly,
}
