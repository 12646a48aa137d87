using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;

namespace Jackdaw.Documents.Revisions;

/// <summary>The collections whose versions are kept: the member Revisions of a database record. Immutable.</summary>
internal sealed class RevisionsConfiguration
{
    /// <summary>The name of the member.</summary>
    public const string Member = "Revisions";

    private readonly Dictionary<byte[], RevisionRules> _collections = new(ByteTextComparer.Instance);
    private readonly Dictionary<byte[], RevisionRules>.AlternateLookup<ReadOnlySpan<byte>> _byKey;
    private RevisionRules? _default;

    private RevisionsConfiguration() => _byKey = _collections.GetAlternateLookup<ReadOnlySpan<byte>>();

    /// <summary>The rules for a collection, which take the place of the default ones; null when nothing is configured for it.</summary>
    /// <param name="collectionKey">In lower case.</param>
    public RevisionRules? Find(ReadOnlySpan<byte> collectionKey) =>
        _byKey.TryGetValue(collectionKey, out RevisionRules? own) ? own
        : collectionKey.SequenceEqual("@hilo"u8) ? null : _default; // The server itself writes these documents, and often.

    /// <summary>The rules by which a write of a document makes a revision; null when it makes none.</summary>
    public RevisionRules? FindEnabled(ReadOnlySpan<byte> collectionKey) =>
        Find(collectionKey) is { IsDisabled: false } rules ? rules : null;

    /// <summary>The configuration in a record; null when there is none, or none that this program understands.</summary>
    /// <param name="record">The record in UTF-8.</param>
    public static RevisionsConfiguration? OfRecord(ReadOnlyMemory<byte> record)
    {
        using var json = JsonDocument.Parse(record, new JsonDocumentOptions { MaxDepth = DocumentLimits.JsonDepthMax });
        return TryFind(json.RootElement, out JsonElement found) && TryRead(found, out RevisionsConfiguration? read, out _) ? read : null;
    }

    /// <summary>Finds the member of a record; false when it is absent or null.</summary>
    public static bool TryFind(JsonElement record, out JsonElement found)
    {
        found = default;
        foreach (JsonProperty member in record.EnumerateObject())
        {
            if (member.Name.Equals(Member, StringComparison.OrdinalIgnoreCase))
            {
                found = member.Value;
            }
        }

        return found.ValueKind is not (JsonValueKind.Undefined or JsonValueKind.Null);
    }

    /// <summary>Reads a configuration.</summary>
    /// <param name="problem">What is wrong and what to do.</param>
    public static bool TryRead(
        JsonElement json, [NotNullWhen(true)] out RevisionsConfiguration? configuration, [NotNullWhen(false)] out string? problem)
    {
        var read = new RevisionsConfiguration();
        problem = json.ValueKind == JsonValueKind.Object ? null : $"it must be an object, not {json.ValueKind}";
        configuration = null;
        if (problem is not null)
        {
            return false;
        }

        foreach (JsonProperty member in json.EnumerateObject())
        {
            problem = read.TakeMember(member);
            if (problem is not null)
            {
                return false;
            }
        }

        configuration = read;
        return true;
    }

    private string? TakeMember(JsonProperty member)
    {
        if (member.Value.ValueKind == JsonValueKind.Null)
        {
            return null;
        }

        string? problem = null;
        if (member.Name.Equals("Default", StringComparison.OrdinalIgnoreCase))
        {
            _default = RevisionRules.Read(member.Value, "Default", out problem);
        }
        else if (member.Name.Equals("Collections", StringComparison.OrdinalIgnoreCase))
        {
            problem = TakeCollections(member.Value);
        }

        return problem;
    }

    private string? TakeCollections(JsonElement collections)
    {
        if (collections.ValueKind != JsonValueKind.Object)
        {
            return $"'Collections' must be an object with a member for each collection, not {collections.ValueKind}";
        }

        foreach (JsonProperty member in collections.EnumerateObject())
        {
            byte[] name = Encoding.UTF8.GetBytes(member.Name);
            if (name.Length is 0 or > DocumentParser.CollectionBytesMax)
            {
                return $"a collection has a name of {name.Length} bytes; a name has 1 to {DocumentParser.CollectionBytesMax}";
            }

            byte[] key = new byte[DocumentRowBuilding.CollectionKeyBytesMax];
            key = key[..DocumentRowBuilding.MakeCollectionKey(name, key)];
            if (member.Value.ValueKind == JsonValueKind.Null)
            {
                continue;
            }

            if (RevisionRules.Read(member.Value, member.Name, out string? problem) is not { } rules)
            {
                return problem;
            }

            if (!_collections.TryAdd(key, rules))
            {
                return $"the collection '{member.Name}' is named twice; the casing of a name does not count";
            }
        }

        return null;
    }
}
