namespace Jackdaw.Server.Documents.Json;

/// <summary>Why an id cannot be one.</summary>
public enum DocumentIdFault
{
    None,
    Empty,
    TooLong,
    HoldsNul,
    NotUnicode,
}
