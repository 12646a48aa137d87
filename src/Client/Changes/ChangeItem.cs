namespace Jackdaw.Client.Changes;

/// <summary>What a client learns about a database: a change, or a <see cref="ChangesGap"/> where changes are missing.</summary>
public abstract record ChangeItem
{
    private protected ChangeItem()
    {
    }

    /// <summary>Number of the write; null when this is not the change of a document or counter, or when the server does not say it.</summary>
    public long? Etag { get; init; }
}
