namespace Jackdaw.Documents.Identity;

/// <summary>Number of one write in one database: grows by one with each document written or deleted, never
/// reused.</summary>
/// <param name="Value">Greater than 0 for a write; 0 means "nothing was ever written".</param>
public readonly record struct Etag(long Value) : IComparable<Etag>
{
    /// <summary>The position before the first write.</summary>
    public static readonly Etag None;

    /// <summary>The position behind every write: where a walk from the newest document begins.</summary>
    public static readonly Etag Maximum = new(long.MaxValue);

    public int CompareTo(Etag other) => Value.CompareTo(other.Value);
}

/// <summary>Direction of a walk over etags.</summary>
public enum EtagOrder
{
    /// <summary>Oldest write first.</summary>
    Ascending,

    /// <summary>Newest write first.</summary>
    Descending,
}
