using System.Text.Json;

namespace Jackdaw.Client.Serialization;

/// <summary>Members of answers, whatever the server has sent: a missing one and one of another type are the same.</summary>
internal static class JsonMembers
{
    /// <summary>Null: it is no text, or not there.</summary>
    public static string? Text(this JsonElement element, ReadOnlySpan<byte> name) =>
        element.TryFind(name, JsonValueKind.String, out JsonElement value) ? value.GetString() : null;

    /// <summary>Null: it is no whole number of 64 bits, or not there.</summary>
    public static long? Number(this JsonElement element, ReadOnlySpan<byte> name) =>
        element.TryFind(name, JsonValueKind.Number, out JsonElement value) && value.TryGetInt64(out long number) ? number : null;

    /// <summary>False: it is false, or not there.</summary>
    public static bool Flag(this JsonElement element, ReadOnlySpan<byte> name) => element.TryFind(name, JsonValueKind.True, out _);

    /// <summary>The default: it is no time, or not there.</summary>
    public static DateTime Time(this JsonElement element, ReadOnlySpan<byte> name) =>
        element.TryFind(name, JsonValueKind.String, out JsonElement value) && value.TryGetDateTime(out DateTime time) ? time : default;

    /// <summary>Whether there is a member of a type.</summary>
    public static bool TryFind(this JsonElement element, ReadOnlySpan<byte> name, JsonValueKind kind, out JsonElement value)
    {
        value = default;
        return element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out value) && value.ValueKind == kind;
    }
}
