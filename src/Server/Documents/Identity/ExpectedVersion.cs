using System.Text;

namespace Jackdaw.Server.Documents.Identity;

/// <summary>What a write demands of the version that is stored before it.</summary>
/// <remarks>Change vectors compare by equality of their text. One that is not of this database's form can equal none,
/// so it becomes <see cref="ExpectedVersionKind.Unmatchable"/> and the writer thread only compares numbers.</remarks>
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

    /// <summary>Only for <see cref="ExpectedVersionKind.Exactly"/>.</summary>
    public Etag Etag { get; }

    /// <summary>What the client sent, for messages; null when it sent nothing.</summary>
    public string? Text { get; }

    public static ExpectedVersion Exactly(Etag etag, string text) => new(ExpectedVersionKind.Exactly, etag, text);

    public static ExpectedVersion Unmatchable(string text) => new(ExpectedVersionKind.Unmatchable, Etag.None, text);

    /// <summary>What a client demands of the stored version.</summary>
    /// <param name="text">Change vector without quotes; null: no demand; empty: no document may exist.</param>
    /// <param name="databaseId">Of the database the version is in.</param>
    public static ExpectedVersion Parse(string? text, ReadOnlySpan<byte> databaseId)
    {
        if (text is null)
        {
            return Any;
        }

        if (text.Length == 0)
        {
            return Missing;
        }

        Span<byte> sent = stackalloc byte[ChangeVector.BytesMax];
        if (!Encoding.UTF8.TryGetBytes(text, sent, out int length)
            || !ChangeVector.TryReadEtag(sent[..length], databaseId, out long etag) || etag == 0)
        {
            // No version has the etag 0: it stands for a document that does not exist.
            return Unmatchable(text);
        }

        // The comparison is one of texts: what reads as this etag but is spelt in another way is another change vector.
        Span<byte> spelt = stackalloc byte[ChangeVector.BytesMax];
        int speltLength = ChangeVector.Format(etag, databaseId, spelt);
        return sent[..length].SequenceEqual(spelt[..speltLength]) ? Exactly(new Etag(etag), text) : Unmatchable(text);
    }

    /// <summary>Whether a stored version satisfies the demand.</summary>
    /// <param name="stored">Etag of the stored document; <see cref="Etag.None"/> when there is none.</param>
    public bool IsSatisfiedBy(Etag stored) => Kind switch
    {
        ExpectedVersionKind.Any => true,
        ExpectedVersionKind.Missing => stored == Etag.None,
        ExpectedVersionKind.Exactly => stored == Etag,
        _ => false,
    };
}
