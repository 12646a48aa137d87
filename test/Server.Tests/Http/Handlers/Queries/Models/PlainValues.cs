using System.Globalization;
using System.Numerics;
using System.Text;
using System.Text.Json;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Models;

/// <summary>What values of documents mean to a query, written down a second time and in the plainest way. Shares no code with the server.</summary>
internal static class PlainValues
{
    private static readonly string[] s_dateFormats =
    [
        "yyyy-MM-dd", "yyyy-MM-dd'T'HH:mmK", "yyyy-MM-dd'T'HH:mm:ssK", "yyyy-MM-dd'T'HH:mm:ss.fK", "yyyy-MM-dd'T'HH:mm:ss.ffK",
        "yyyy-MM-dd'T'HH:mm:ss.fffK", "yyyy-MM-dd'T'HH:mm:ss.ffffK", "yyyy-MM-dd'T'HH:mm:ss.fffffK", "yyyy-MM-dd'T'HH:mm:ss.ffffffK",
        "yyyy-MM-dd'T'HH:mm:ss.fffffffK",
    ];

    /// <summary>The values at a path; an array stands for its elements, at each step and at the end, however deep.</summary>
    public static List<JsonElement> At(JsonElement document, string[] path)
    {
        List<JsonElement> found = [];
        Collect(document, path, isWhole: false, found);
        return found;
    }

    /// <summary>Whether there is anything at a path: null, an object and an empty array are something.</summary>
    public static bool Exists(JsonElement document, string[] path)
    {
        List<JsonElement> found = [];
        Collect(document, path, isWhole: true, found);
        return found.Count > 0;
    }

    /// <summary>The text by which a value is found; null for what has none.</summary>
    public static string? TextOf(JsonElement value, bool isExact) => value.ValueKind switch
    {
        JsonValueKind.String => Fold(value.GetString()!, isExact),
        JsonValueKind.True => "true",
        JsonValueKind.False => "false",
        JsonValueKind.Number => Fold(NumberText(value), isExact),
        _ => null,
    };

    public static bool AreEqual(JsonElement value, JsonElement wanted, bool isExact)
    {
        if (wanted.ValueKind == JsonValueKind.Null || value.ValueKind == JsonValueKind.Null)
        {
            return wanted.ValueKind == value.ValueKind;
        }

        if (value.ValueKind == JsonValueKind.Number && wanted.ValueKind == JsonValueKind.Number)
        {
            return CompareNumbers(value, wanted) == 0;
        }

        string? text = TextOf(value, isExact);
        return text is not null
            && (text == TextOf(wanted, isExact) || (TicksOf(value) is { } left && TicksOf(wanted) is { } right && left == right));
    }

    /// <summary>Whether a value lies between two ends; null for an open one.</summary>
    public static bool IsBetween(
        JsonElement value, JsonElement? low, bool includesLow, JsonElement? high, bool includesHigh, bool isExact)
    {
        JsonElement[] ends = [.. new[] { low, high }.OfType<JsonElement>()];
        bool isNumeric = ends.Any(end => end.ValueKind == JsonValueKind.Number);
        bool isChronological = ends.Length > 0 && ends.All(end => TicksOf(end) is not null);
        if (isNumeric ? value.ValueKind != JsonValueKind.Number
            : isChronological ? TicksOf(value) is null
            : TextOf(value, isExact) is null)
        {
            return false;
        }

        int Compare(JsonElement end) => isNumeric ? CompareNumbers(value, end)
            : isChronological ? TicksOf(value)!.Value.CompareTo(TicksOf(end)!.Value)
            : CompareTexts(TextOf(value, isExact)!, TextOf(end, isExact)!);
        return (low is not { } lower || (includesLow ? Compare(lower) >= 0 : Compare(lower) > 0))
            && (high is not { } upper || (includesHigh ? Compare(upper) <= 0 : Compare(upper) < 0));
    }

    /// <summary>By code points.</summary>
    public static int CompareTexts(string left, string right) =>
        Encoding.UTF8.GetBytes(left).AsSpan().SequenceCompareTo(Encoding.UTF8.GetBytes(right));

    /// <summary>As numbers, exactly.</summary>
    public static int CompareNumbers(JsonElement left, JsonElement right)
    {
        int order = left.GetDouble().CompareTo(right.GetDouble());
        return order != 0 ? order : WholeOf(left).CompareTo(WholeOf(right));
    }

    /// <summary>The whole part.</summary>
    public static BigInteger WholeOf(JsonElement number) => number.TryGetInt64(out long whole) ? whole : new BigInteger(number.GetDouble());

    /// <summary>UTC ticks of a text that is an ISO date; null for everything else.</summary>
    public static long? TicksOf(JsonElement value) =>
        value.ValueKind == JsonValueKind.String && DateTime.TryParseExact(
            value.GetString(), s_dateFormats, CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out DateTime time)
            ? time.Ticks
            : null;

    public static string Fold(string text, bool isExact) => isExact ? text : text.ToLowerInvariant();

    private static string NumberText(JsonElement number) => number.TryGetInt64(out long whole)
        ? whole.ToString(CultureInfo.InvariantCulture)
        : number.GetDouble().ToString("R", CultureInfo.InvariantCulture);

    private static void Collect(JsonElement value, ReadOnlySpan<string> path, bool isWhole, List<JsonElement> found)
    {
        if (value.ValueKind == JsonValueKind.Array && !(path.IsEmpty && isWhole))
        {
            foreach (JsonElement element in value.EnumerateArray())
            {
                Collect(element, path, isWhole, found);
            }
        }
        else if (path.IsEmpty)
        {
            found.Add(value);
        }
        else if (value.ValueKind == JsonValueKind.Object && value.TryGetProperty(path[0], out JsonElement member))
        {
            Collect(member, path[1..], isWhole, found);
        }
    }
}
