namespace Jackdaw.Server.Documents.Identity;

/// <summary>Why an id cannot be one.</summary>
public enum DocumentIdFault
{
    None,
    Empty,
    TooLong,
    HoldsNul,
    NotUnicode,
}
