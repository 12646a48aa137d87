using System.Text.Json;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Scripting.Indexes;

namespace Jackdaw.Indexing.Mapping;

/// <summary>Reads the options that a script gives to a field: <c>{ indexing: 'Search', storage: true, termVector: 'Yes' }</c>.</summary>
internal static class JavaScriptFieldOptions
{
    /// <summary>A field with its options; unknown options are ignored, and the casing of names does not matter.</summary>
    public static DynamicField Read(JavaScriptField field, Value value)
    {
        bool? isStored = null;
        string? indexing = null;
        string? termVector = null;
        if (field.Options is { } options)
        {
            using var json = JsonDocument.Parse(options);
            foreach (JsonProperty option in json.RootElement.EnumerateObject())
            {
                switch (option.Name.ToUpperInvariant())
                {
                    case "STORAGE" or "STORE":
                        isStored = option.Value.ValueKind == JsonValueKind.True
                            || (option.Value.ValueKind == JsonValueKind.String && option.Value.ValueEquals("Yes"u8));
                        break;
                    case "INDEXING":
                        indexing = TextOf(option.Value);
                        break;
                    case "TERMVECTOR":
                        termVector = TextOf(option.Value);
                        break;
                }
            }
        }

        return new DynamicField(field.Name, value, isStored, indexing, termVector);
    }

    private static string? TextOf(JsonElement value) => value.ValueKind == JsonValueKind.String ? value.GetString() : null;
}
