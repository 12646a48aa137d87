using System.Text.Json;
using Jackdaw.Json;

namespace Jackdaw.Documents.Databases;

/// <summary>What the server stores about a database besides its documents.</summary>
/// <param name="Name">The name in the casing of its creation; compared without regard to case.</param>
/// <param name="Etag">The commit index of the last change of the record.</param>
/// <param name="TopologyEtag">The commit index of the creation.</param>
/// <param name="DatabaseId">22 characters of base64.</param>
/// <param name="IsDisabled">Whether the database is disabled; this overrides a member <c>Disabled</c> inside the JSON.</param>
/// <param name="Json">The record in UTF-8 as the client sent it, including unknown members.</param>
public sealed record DatabaseRecord(
    string Name, long Etag, long TopologyEtag, string DatabaseId, bool IsDisabled, ReadOnlyMemory<byte> Json);

/// <summary>Settings that clients fetch and obey. The server itself reads whether they are disabled, and the separator.</summary>
/// <param name="Etag">The commit index of the change; 0 for "never set".</param>
/// <param name="IsDisabled">A disabled configuration counts as missing.</param>
/// <param name="Json">The object in UTF-8 as it was sent; empty when it was never set.</param>
public sealed record ClientConfiguration(long Etag, bool IsDisabled, ReadOnlyMemory<byte> Json)
{
    private const byte DefaultSeparator = (byte)'/';

    public static ClientConfiguration Unset { get; } = new(0, true, default);

    /// <summary>The character between the parts of ids that the server completes; a slash unless the configuration names another one.</summary>
    public byte IdentitySeparator => IsDisabled || Json.IsEmpty ? DefaultSeparator : ReadSeparator();

    private byte ReadSeparator()
    {
        using var json = JsonDocument.Parse(Json, new JsonDocumentOptions { MaxDepth = DocumentLimits.JsonDepthMax });
        foreach (JsonProperty member in json.RootElement.EnumerateObject())
        {
            if (member.Name.Equals("IdentityPartsSeparator", StringComparison.OrdinalIgnoreCase)
                && member.Value.ValueKind == JsonValueKind.String && member.Value.GetString() is [var separator] && char.IsAscii(separator))
            {
                return (byte)separator;
            }
        }

        return DefaultSeparator;
    }
}
