using System.Text.Json;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>A document that a session knows, with its entity.</summary>
internal sealed class TrackedDocument
{
    /// <summary>Null until the server has given it one.</summary>
    public string? Id { get; set; }

    public required object Entity { get; init; }

    /// <summary>As the server has it; undefined: it has none as far as the session knows.</summary>
    public JsonElement Original { get; set; }

    public MetadataDictionary Metadata { get; } = new();

    /// <summary>Version that was read or written last; null: none.</summary>
    public string? ChangeVector { get; set; }

    /// <summary>Version that the next save demands, whatever the session's setting says; null: none was given.</summary>
    public string? Demanded { get; set; }

    /// <summary>A version that was: never saved.</summary>
    public bool IsRevision { get; init; }

    /// <summary>Whether changes of it are not saved.</summary>
    public bool IsIgnored { get; set; }

    public bool IsNew => Original.ValueKind == JsonValueKind.Undefined;
}
