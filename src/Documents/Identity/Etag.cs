namespace Jackdaw.Documents.Identity;

/// <summary>The number of one write in one database. It grows by one with each document that is written or deleted, and is never used again.</summary>
/// <param name="Value">Greater than 0 for a write; 0 means "nothing was ever written".</param>
public readonly record struct Etag(long Value) : IComparable<Etag>
{
    /// <summary>The position before the first write.</summary>
    public static readonly Etag None;

    /// <summary>The position after every write, at which a walk from the newest document begins.</summary>
    public static readonly Etag Maximum = new(long.MaxValue);

    public int CompareTo(Etag other) => Value.CompareTo(other.Value);
}

/// <summary>The direction of a walk over etags.</summary>
public enum EtagOrder
{
    /// <summary>Oldest write first.</summary>
    Ascending,

    /// <summary>Newest write first.</summary>
    Descending,
}
