using System.Text;

namespace Jackdaw.Documents.Identity;

/// <summary>What a write demands of the version that is stored before it.</summary>
/// <remarks>Change vectors compare by equality of their text. A change vector that is not stored follows from the etag:
/// whether the demanded text is such a one is found out once, when it is parsed, so that the writer thread formats
/// nothing.</remarks>
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

    /// <summary>Only for <see cref="ExpectedVersionKind.Exactly"/>: the etag whose change vector at this replica the
    /// text is; None: it is another text, which only a version that stores its change vector can have.</summary>
    public Etag Etag { get; }

    /// <summary>What the client sent, for messages; null when it sent nothing.</summary>
    public string? Text { get; }

    /// <param name="etag">None: the text is not one that the replica makes.</param>
    public static ExpectedVersion Exactly(Etag etag, string text) => new(ExpectedVersionKind.Exactly, etag, text);

    /// <summary>What a client demands of the stored version.</summary>
    /// <param name="text">Change vector without quotes; null: no demand; empty: no document may exist.</param>
    /// <param name="replica">The database the version is in.</param>
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

/// <summary>Kinds of <see cref="ExpectedVersion"/>.</summary>
public enum ExpectedVersionKind
{
    /// <summary>No demand.</summary>
    Any,

    /// <summary>No document of that id may exist.</summary>
    Missing,

    /// <summary>The stored document has exactly this change vector.</summary>
    Exactly,
}
