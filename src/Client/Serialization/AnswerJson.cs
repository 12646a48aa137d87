using System.Text;
using System.Text.Json;
using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Serialization;

/// <summary>Reads answers of servers. An answer that is not JSON, lacks something, or contains an invalid text ends as a <see cref="BadResponseException"/>
/// here, so that readers need not expect other exceptions.</summary>
/// <remarks>An optional member that has another type than it should counts as left out.</remarks>
internal static class AnswerJson
{
    /// <summary>An answer as a whole.</summary>
    /// <exception cref="BadResponseException">It is not JSON.</exception>
    public static JsonDocument Parse(ReadOnlyMemory<byte> body)
    {
        try
        {
            return JsonDocument.Parse(body);
        }
        catch (JsonException wrong)
        {
            throw new BadResponseException($"The answer is not JSON: {wrong.Message}", wrong);
        }
    }

    /// <summary>One value that outlives its text.</summary>
    /// <exception cref="BadResponseException">It is not JSON.</exception>
    public static JsonElement ParseValue(ReadOnlySpan<byte> text)
    {
        try
        {
            var reader = new Utf8JsonReader(text);
            return JsonElement.ParseValue(ref reader);
        }
        catch (JsonException wrong)
        {
            throw new BadResponseException($"A part of the answer is not JSON: {wrong.Message}", wrong);
        }
    }

    /// <summary>One value that outlives its text, with nothing after it.</summary>
    /// <exception cref="BadResponseException">It is not JSON.</exception>
    public static JsonElement ParseWhole(ReadOnlySpan<byte> text)
    {
        try
        {
            var reader = new Utf8JsonReader(text);
            var value = JsonElement.ParseValue(ref reader);
            reader.Read(); // what follows is an error
            return value;
        }
        catch (JsonException wrong)
        {
            throw new BadResponseException($"The answer is not JSON: {wrong.Message}", wrong);
        }
    }

    /// <summary>Whether there is a member.</summary>
    public static bool TryFind(this JsonElement element, ReadOnlySpan<byte> name, out JsonElement value)
    {
        value = default;
        try
        {
            return element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out value);
        }
        catch (InvalidOperationException wrong)
        {
            throw NoUnicode(wrong);
        }
    }

    /// <summary>Whether there is a member of a type.</summary>
    public static bool TryFind(this JsonElement element, ReadOnlySpan<byte> name, JsonValueKind kind, out JsonElement value) =>
        element.TryFind(name, out value) && value.ValueKind == kind;

    /// <summary>Null if it is not a text, or missing.</summary>
    public static string? Text(this JsonElement element, ReadOnlySpan<byte> name) =>
        element.TryFind(name, JsonValueKind.String, out JsonElement value) ? TextOf(value) : null;

    /// <summary>Null if it is not a whole number of 64 bits, or missing.</summary>
    public static long? Number(this JsonElement element, ReadOnlySpan<byte> name) =>
        element.TryFind(name, JsonValueKind.Number, out JsonElement value) && value.TryGetInt64(out long number) ? number : null;

    /// <summary>Null if it is not a number, or missing.</summary>
    public static double? Fraction(this JsonElement element, ReadOnlySpan<byte> name) =>
        element.TryFind(name, JsonValueKind.Number, out JsonElement value) && value.TryGetDouble(out double number) ? number : null;

    /// <summary>False if it is false, or missing.</summary>
    public static bool Flag(this JsonElement element, ReadOnlySpan<byte> name) => element.TryFind(name, JsonValueKind.True, out _);

    /// <summary>The default if it is not a time, or missing.</summary>
    public static DateTime Time(this JsonElement element, ReadOnlySpan<byte> name) => TimeOrNull(element, name) ?? default;

    /// <summary>Elements of a list; none if it is not a list, or missing.</summary>
    public static JsonElement.ArrayEnumerator Elements(this JsonElement element, ReadOnlySpan<byte> name) =>
        element.TryFind(name, JsonValueKind.Array, out JsonElement list) ? list.EnumerateArray() : default;

    /// <summary>Members of an object; none if it is not an object, or missing.</summary>
    public static IEnumerable<KeyValuePair<string, JsonElement>> Members(this JsonElement element, ReadOnlySpan<byte> name) =>
        element.TryFind(name, out JsonElement members) ? members.Members() : [];

    /// <summary>Members of an object; none if it is not an object.</summary>
    public static IEnumerable<KeyValuePair<string, JsonElement>> Members(this JsonElement element)
    {
        if (element.ValueKind != JsonValueKind.Object)
        {
            yield break;
        }

        foreach (JsonProperty member in element.EnumerateObject())
        {
            yield return new(NameOf(member), member.Value);
        }
    }

    /// <summary>Name of a member.</summary>
    public static string NameOf(JsonProperty member)
    {
        try
        {
            return member.Name;
        }
        catch (InvalidOperationException wrong)
        {
            throw NoUnicode(wrong);
        }
    }

    /// <summary>Members by their names. If several have the same name, the last one counts.</summary>
    /// <param name="comparer">Compares names; null to compare their characters.</param>
    public static Dictionary<string, T> ByName<T>(
        this IEnumerable<KeyValuePair<string, JsonElement>> members, Func<JsonElement, T> valueOf, StringComparer? comparer = null)
    {
        var byName = new Dictionary<string, T>(comparer ?? StringComparer.Ordinal);
        foreach ((string name, JsonElement value) in members)
        {
            byName[name] = valueOf(value);
        }

        return byName;
    }

    /// <summary>Texts of a list; none if it is not a list, or missing.</summary>
    /// <exception cref="BadResponseException">The list contains something other than texts.</exception>
    public static string[] Texts(this JsonElement element, ReadOnlySpan<byte> name) => element.TryFind(name, out JsonElement list) ? list.Texts() : [];

    /// <inheritdoc cref="Texts(JsonElement, ReadOnlySpan{byte})"/>
    public static string[] Texts(this JsonElement list) =>
        list.ValueKind == JsonValueKind.Array ? [.. list.EnumerateArray().Select(RequiredText)] : [];

    /// <exception cref="BadResponseException">It is not a text, or missing.</exception>
    public static string RequiredText(this JsonElement element, ReadOnlySpan<byte> name) =>
        element.Text(name) ?? throw Missing("text", name);

    /// <exception cref="BadResponseException">It is not a text.</exception>
    public static string RequiredText(this JsonElement value) => value.ValueKind == JsonValueKind.String
        ? TextOf(value)
        : throw new BadResponseException($"The answer has {value.ValueKind} where it should have a text.");

    /// <exception cref="BadResponseException">It is not a whole number of 64 bits, or missing.</exception>
    public static long RequiredNumber(this JsonElement element, ReadOnlySpan<byte> name) =>
        element.Number(name) ?? throw Missing("whole number", name);

    /// <exception cref="BadResponseException">It is not a whole number of 64 bits.</exception>
    public static long RequiredNumber(this JsonElement value) => value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out long number)
        ? number
        : throw new BadResponseException($"The answer has {value.ValueKind} where it should have a whole number.");

    /// <exception cref="BadResponseException">It is not a time, or missing.</exception>
    public static DateTime RequiredTime(this JsonElement element, ReadOnlySpan<byte> name) => TimeOrNull(element, name) ?? throw Missing("time", name);

    /// <exception cref="BadResponseException">It is not a list, or missing.</exception>
    public static JsonElement RequiredList(this JsonElement element, ReadOnlySpan<byte> name) =>
        element.TryFind(name, JsonValueKind.Array, out JsonElement list) ? list : throw Missing("list", name);

    /// <exception cref="BadResponseException">It is not an object, or missing.</exception>
    public static JsonElement RequiredObject(this JsonElement element, ReadOnlySpan<byte> name) =>
        element.TryFind(name, JsonValueKind.Object, out JsonElement members) ? members : throw Missing("object", name);

    private static DateTime? TimeOrNull(JsonElement element, ReadOnlySpan<byte> name) =>
        element.TryFind(name, JsonValueKind.String, out JsonElement value) && value.TryGetDateTime(out DateTime time) ? time : null;

    private static BadResponseException Missing(string what, ReadOnlySpan<byte> name) =>
        new($"The answer has no {what} '{Encoding.UTF8.GetString(name)}'.");

    // Half of a surrogate pair, or bytes that are not UTF-8.
    private static BadResponseException NoUnicode(InvalidOperationException wrong) => new($"A text of the answer is not valid Unicode: {wrong.Message}", wrong);

    private static string TextOf(JsonElement value)
    {
        try
        {
            return value.GetString()!;
        }
        catch (InvalidOperationException wrong)
        {
            throw NoUnicode(wrong);
        }
    }
}
