using System.Text.Json;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Bodies;

/// <summary>Finds members of a request's JSON by their names, without regard to case. A missing member is the same as null.</summary>
internal static class JsonMembers
{
    public static JsonElement? Member(this JsonElement parent, string name)
    {
        foreach (JsonProperty property in parent.EnumerateObject())
        {
            if (property.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                return property.Value.ValueKind == JsonValueKind.Null ? null : property.Value;
            }
        }

        return null;
    }

    public static string? TextMember(this JsonElement parent, string name) => parent.Member(name) switch
    {
        null => null,
        { ValueKind: JsonValueKind.String } text => text.GetString(),
        { } other => throw Refuse(name, "a string", other),
    };

    public static bool? FlagMember(this JsonElement parent, string name) => parent.Member(name) switch
    {
        null => null,
        { ValueKind: JsonValueKind.True } => true,
        { ValueKind: JsonValueKind.False } => false,
        { } other => throw Refuse(name, "true or false", other),
    };

    public static List<string> TextsMember(this JsonElement parent, string name)
    {
        JsonElement? list = parent.Member(name);
        if (list is null)
        {
            return [];
        }

        if (list.Value.ValueKind != JsonValueKind.Array)
        {
            throw Refuse(name, "an array of strings", list.Value);
        }

        var texts = new List<string>();
        foreach (JsonElement item in list.Value.EnumerateArray())
        {
            texts.Add(item.ValueKind == JsonValueKind.String
                ? item.GetString()!
                : throw Refuse(name, "an array of strings", item));
        }

        return texts;
    }

    /// <summary>Copies all members of an object except some.</summary>
    public static void CopyMembers(this JsonElement parent, Utf8JsonWriter json, params ReadOnlySpan<string> except)
    {
        foreach (JsonProperty property in parent.EnumerateObject())
        {
            bool isExcepted = false;
            foreach (string name in except)
            {
                isExcepted |= property.Name.Equals(name, StringComparison.OrdinalIgnoreCase);
            }

            if (!isExcepted)
            {
                property.WriteTo(json);
            }
        }
    }

    private static RequestRefusedException Refuse(string name, string wanted, JsonElement found) =>
        new(Problem.Argument($"The member '{name}' must be {wanted}, not {found.ValueKind}."));
}
