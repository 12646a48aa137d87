namespace Jackdaw.Server.Documents.Identity;

/// <summary>Direction of a walk over etags.</summary>
public enum EtagOrder
{
    /// <summary>Oldest write first.</summary>
    Ascending,

    /// <summary>Newest write first.</summary>
    Descending,
}
