using System.Globalization;
using System.Text.Json.Nodes;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Models;

/// <summary>One part of a path: a name, a position, or each element.</summary>
internal readonly record struct PlainPart(string? Name, int? Position);

/// <summary>A path with what it means, written down a second time and in the plainest way. Shares no code with the server.</summary>
internal sealed class PlainPath(IReadOnlyList<PlainPart> parts)
{
    public IReadOnlyList<PlainPart> Parts => parts;

    /// <summary>The values at the path; arrays stand for their elements, on the way and at the end.</summary>
    public List<JsonNode?> Values(JsonNode document) => [.. Collect(document, 0).Where(one => one.IsThere).SelectMany(one => Flat(one.Value))];

    /// <summary>Whether there is anything at the path: null, an object and an empty array are something.</summary>
    public bool Exists(JsonNode document) => Collect(document, 0).Any(one => one.IsThere);

    /// <summary>What a query selects: one value, or a list with null for each element without a value.</summary>
    public JsonNode? Selected(JsonNode document)
    {
        List<PlainFound> found = [.. Collect(document, 0)];
        return found is [{ IsSpread: false } one]
            ? one.Value?.DeepClone()
            : new JsonArray([.. found.Where(one => !one.IsEmpty).Select(one => one.Value?.DeepClone())]);
    }

    /// <summary>The keys of the groups to which a document belongs, as JSON texts.</summary>
    public IEnumerable<JsonNode?> Keys(JsonNode document) =>
        Collect(document, 0).Where(one => !one.IsEmpty).SelectMany(one => one.IsThere ? Flat(one.Value) : [null]);

    /// <summary>Whether the path of a definition in C# means the same: there an array does not stand for its elements.</summary>
    public bool IsOneInDefinitions(JsonNode document) =>
        parts.All(part => part.Name is not (null or "Keys" or "Values" or "$Keys" or "$Values") || part.Position is not null)
        && Collect(document, 0) is [{ IsSpread: false }];

    private List<PlainFound> Collect(JsonNode? value, int at)
    {
        if (at == parts.Count)
        {
            return [new PlainFound(value, IsThere: true)];
        }

        PlainPart part = parts[at];
        if (value is JsonArray list && part.Position is null && !(PlainMembers.IsCount(part.Name) && !IsStored(list, part.Name!)))
        {
            int next = part.Name is null ? at + 1 : at;
            return list.Count == 0 ? [new PlainFound(null, IsSpread: true, IsEmpty: true)]
                : [.. list.SelectMany(element => Collect(element, next)).Select(one => one with { IsSpread = true })];
        }

        if (part is { Name: null, Position: null })
        {
            return Collect(value, at + 1);
        }

        return Step(value, part, isDocument: at == 0, out JsonNode? found) ? Collect(found, at + 1) : [new PlainFound(null)];
    }

    private static bool Step(JsonNode? value, PlainPart part, bool isDocument, out JsonNode? found)
    {
        found = null;
        if (part.Position is { } position)
        {
            return value is JsonArray list ? position < list.Count && (found = list[position]) is var _
                : value is JsonValue && value.GetValueKind() == System.Text.Json.JsonValueKind.String && value.GetValue<string>() is var text
                    && position < text.Length && (found = char.IsSurrogate(text[position]) ? "\uFFFD" : text[position].ToString()) is not null;
        }

        return (value is JsonObject owner && owner.TryGetPropertyValue(part.Name!, out found))
            || ((!isDocument || part.Name is "$Keys" or "$Values") && PlainMembers.TryCompute(value, part.Name!, out found));
    }

    private static bool IsStored(JsonArray list, string name) => list.Any(element =>
        element is JsonArray inner ? IsStored(inner, name) : element is JsonObject owner && owner.ContainsKey(name));

    private static IEnumerable<JsonNode?> Flat(JsonNode? value) => value is JsonArray list ? list.SelectMany(Flat) : [value];
}

/// <param name="Value">What is there.</param>
/// <param name="IsThere">False: the document has no value here.</param>
/// <param name="IsSpread">An array was on the way.</param>
/// <param name="IsEmpty">The array had no elements.</param>
internal readonly record struct PlainFound(JsonNode? Value, bool IsThere = false, bool IsSpread = false, bool IsEmpty = false);

/// <summary>Members that are computed, read from the types of .NET by reflection.</summary>
internal static class PlainMembers
{
    private static readonly HashSet<string> s_parts =
    [
        "Year", "Month", "Day", "Hour", "Minute", "Second", "Millisecond", "Date", "Ticks", "DayOfWeek", "DayOfYear", "TimeOfDay",
        "Days", "Hours", "Minutes", "Seconds", "Milliseconds", "TotalDays", "TotalHours", "TotalMinutes", "TotalSeconds", "TotalMilliseconds",
    ];

    /// <summary>All names of computed members.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. s_parts, "Count", "Length", "Keys", "Values", "$Keys", "$Values"];

    public static bool IsCount(string? name) => name is "Count" or "Length";

    public static bool TryCompute(JsonNode? value, string name, out JsonNode? computed)
    {
        computed = value switch
        {
            JsonArray list => IsCount(name) ? list.Count : null,
            JsonObject owner => name switch
            {
                "Count" or "Length" => owner.Count,
                "Keys" or "$Keys" => new JsonArray([.. owner.Select(member => (JsonNode)member.Key)]),
                "Values" or "$Values" => new JsonArray([.. owner.Select(member => member.Value?.DeepClone())]),
                _ => null,
            },
            JsonValue text when text.GetValueKind() == System.Text.Json.JsonValueKind.String => OfText(text.GetValue<string>(), name),
            _ => null,
        };
        return computed is not null;
    }

    private static JsonNode? OfText(string text, string name)
    {
        if (name == "Length")
        {
            return text.Length;
        }

        if (!s_parts.Contains(name))
        {
            return null;
        }

        if (text.Length >= 10 && text[4] == '-' && text[7] == '-'
            && DateTime.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal, out DateTime date))
        {
            return Read(date, name);
        }

        return !TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan duration) ? null
            : Read(duration, name) ?? (duration.Ticks is >= 0 and < TimeSpan.TicksPerDay ? Read(TimeOnly.FromTimeSpan(duration), name) : null);
    }

    private static JsonNode? Read(object value, string name) => value.GetType().GetProperty(name)?.GetValue(value) switch
    {
        int number => number,
        long number => number,
        double number => number,
        DateTime date => date.ToString("yyyy-MM-dd'T'HH:mm:ss.fffffffK", CultureInfo.InvariantCulture),
        TimeSpan time => time.ToString(),
        Enum day => day.ToString(),
        _ => null,
    };
}
