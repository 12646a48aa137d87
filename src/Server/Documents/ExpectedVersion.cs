namespace Jackdaw.Server.Documents;

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
