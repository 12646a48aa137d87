namespace Jackdaw.Server.Documents.Json;

/// <summary>What a command of a batch does.</summary>
public enum DocumentCommandKind
{
    Put,
    Delete,
}
