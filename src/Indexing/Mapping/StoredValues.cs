using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Search.Entries;

namespace Jackdaw.Indexing.Mapping;

/// <summary>How an index stores values for projections, so that their kinds can be distinguished.</summary>
/// <remarks>The engine stores texts only. So a text is stored as it is, and any other value (number, null, array, object) as JSON under
/// another name.</remarks>
internal static class StoredValues
{
    private const string JsonPrefix = "@json/";

    /// <summary>Whether a value has to be stored as JSON.</summary>
    public static bool NeedsJson(Value value) => value.Kind is not (ValueKind.Text or ValueKind.TapeText or ValueKind.Date);

    public static void Add(IndexEntry entry, IndexField field, Value value)
    {
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream))
        {
            value.WriteTo(json);
        }

        entry.AddStored(new IndexField(JsonPrefix + field.Name) { Indexing = IndexingMode.None, IsStored = true }, stream.ToArray());
    }

    /// <summary>The field whose JSON is stored under a name.</summary>
    public static bool TryGetField(string storedName, [NotNullWhen(true)] out string? field)
    {
        field = storedName.StartsWith(JsonPrefix, StringComparison.Ordinal) ? storedName[JsonPrefix.Length..] : null;
        return field is not null;
    }
}
