using System.Globalization;
using System.Text.Json;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Models;

/// <summary>Random documents and conditions over few fields and few values, so that most conditions find some of them.</summary>
internal sealed class RandomQueries(Random random)
{
    private static readonly PlainField[] s_fields =
    [
        new("S", "S"), new("N", "N"), new("M", "M"), new("D", "D"), new("B", "B"), new("T", "T"), new("T[]", "T"),
        new("Home.City", "Home", "City"), new("Lines[].P", "Lines", "P"), new("Lines.N", "Lines", "N"), new("Lines[].Q.R", "Lines", "Q", "R"),
        new("'odd name'", "odd name"), new("Words", "Words"), new("Never", "Never"),
    ];

    private static readonly PlainField[] s_orders =
    [
        new("S", "S"), new("N", "N"), new("M", "M"), new("D", "D"), new("B", "B"), new("T", "T"), new("Home.City", "Home", "City"),
        new("Lines[].N", "Lines", "N"),
    ];

    private static readonly string[] s_texts =
    [
        "", " ", "a", "A", "b", "abc", "ABC", "abd", "Zebra", "zebra", "é", "É", "ünïcode àb", "Ünïcode ÀB", "ß", "İ", "ı", "K", "Ω",
        "\u212A", "日本", "日", "\U0001F600", "\uFB01", "\uE000",
        "it's", "back\\slash", "new\nline", "5", "5.0", "-1", "1e3", "true", "False", "null", "NULL", "*", "a*",
    ];

    private static readonly string[] s_numbers =
    [
        "0", "-0.0", "1", "-1", "5", "5.0", "5.5", "-5.5", "10", "1e3", "1000", "0.1", "2.5e-3", "9007199254740991", "9007199254740992",
        "9007199254740993", "-9007199254740993", "9007199254740992.0", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "12345678901234567890", "1e25", "-1E+25", "1.7976931348623157e308", "5e-324",
    ];

    private static readonly string[] s_dates =
    [
        "2024-03-01", "2024-03-01T00:00", "2024-03-01T00:00:00", "2024-03-01T00:00:00Z", "2024-03-01T00:00:00.0000000Z", "2024-03-01T00:00:00.5",
        "2024-03-01T01:00:00+01:00", "2024-02-29T19:00:00-05:00", "2024-02-29", "2024-03-01T00:00:00.0000001Z", "1999-12-31T23:59:59.999Z",
        "2024-13-01", "2024-03-01 00:00:00", "2024-3-1", "0001-01-01", "9999-12-31T23:59:59.9999999Z", "2024-03-01t00:00:00z",
    ];

    private static readonly string[] s_words =
        ["quick", "Brown", "fox", "the", "lazy", "dog", "DOGS", "and", "über", "Größe", "2024", "x1", "jumped", "日本"];

    /// <summary>A document, without its metadata.</summary>
    public JsonElement Document()
    {
        Dictionary<string, object?> members = [];
        Maybe(members, "S", () => Text());
        Maybe(members, "N", () => Number());
        Maybe(members, "M", () => Anything(2));
        Maybe(members, "D", () => random.Next(8) == 0 ? Anything(1) : Date());
        Maybe(members, "B", () => random.Next(3) switch { 0 => true, 1 => false, _ => Text() });
        Maybe(members, "T", () => List(() => Anything(1)));
        Maybe(members, "Home", () => random.Next(5) == 0 ? Anything(1) : new Dictionary<string, object?> { ["City"] = Anything(1) });
        Maybe(members, "Lines", () => List(Line));
        Maybe(members, "odd name", () => Anything(1));
        Maybe(members, "Words", () => random.Next(4) == 0 ? List(() => Words()) : Words());
        return JsonSerializer.SerializeToElement(members);
    }

    /// <summary>A condition that an index has to answer.</summary>
    public PlainCondition Condition() => Logical(random.Next(4), isExact: false) is var condition && random.Next(8) == 0
        ? new PlainWrapped("boost({0}, 2.5)", condition, IsForWhereOnly: true)
        : condition;

    /// <summary>Up to three keys.</summary>
    public IReadOnlyList<PlainOrder> Orders()
    {
        string[] kinds = ["", " as string", " as long", " as double"];
        List<PlainOrder> orders = [];
        for (int count = random.Next(4); count > 0; count--)
        {
            bool isDescending = random.Next(2) == 0;
            bool? nullsFirst = random.Next(4) switch { 0 => true, 1 => false, _ => null };
            orders.Add(random.Next(10) == 0
                ? new PlainOrder(new PlainField("id()"), "", isDescending, null)
                : new PlainOrder(s_orders[random.Next(s_orders.Length)], kinds[random.Next(kinds.Length)], isDescending, nullsFirst));
        }

        return orders;
    }

    private PlainCondition Logical(int depth, bool isExact)
    {
        if (depth > 0)
        {
            switch (random.Next(5))
            {
                case 0:
                    return new PlainNot(Logical(depth - 1, isExact));
                case 1:
                    return new PlainWrapped("exact({0})", Logical(depth - 1, isExact: true), IsForWhereOnly: false);
                case 2:
                case 3:
                    return new PlainLogical(random.Next(2) == 0, [.. Enumerable.Range(0, random.Next(2, 4)).Select(_ => Logical(depth - 1, isExact))]);
            }
        }

        return random.Next(12) == 0 ? new PlainLogical(random.Next(2) == 0, [Id(), Leaf(isExact)]) : Leaf(isExact);
    }

    private PlainCondition Leaf(bool isExact)
    {
        PlainField field = s_fields[random.Next(s_fields.Length)];
        switch (random.Next(10))
        {
            case 0 or 1:
                return new PlainEqual(field, Value(), IsNegated: false, isExact);
            case 2:
                return new PlainEqual(field, Value(), IsNegated: true, isExact);
            case 3 or 4:
                return Range(field, isExact);
            case 5:
                return In(field, isExact);
            case 6:
                return new PlainAffix(field, Affix(), random.Next(2) == 0, isExact);
            case 7:
                return new PlainExists(field.Rql.EndsWith("[]", StringComparison.Ordinal) ? s_fields[0] : field);
            default:
                return new PlainSearch(s_fields[^2], SearchText(), random.Next(2) == 0);
        }
    }

    private PlainId Id() => random.Next(4) switch
    {
        0 => new PlainId("=", [RandomId()]),
        1 => new PlainId("!=", [RandomId()]),
        2 => new PlainId("in", [RandomId(), RandomId(), "none/1"]),
        _ => new PlainId("startsWith", [$"THINGS/{random.Next(10)}"]),
    };

    private string RandomId() => $"things/{random.Next(200)}";

    private PlainRange Range(PlainField field, bool isExact)
    {
        (JsonElement low, JsonElement high) = Ends();
        return random.Next(8) switch
        {
            0 => new PlainRange(field, "< {1}", null, false, high, false, isExact),
            1 => new PlainRange(field, "<= {1}", null, false, high, true, isExact),
            2 => new PlainRange(field, "> {0}", low, false, null, false, isExact),
            3 => new PlainRange(field, ">= {0}", low, true, null, false, isExact),
            4 => new PlainRange(field, "between {0} and {1}", null, true, high, true, isExact),
            5 => new PlainRange(field, "between {0} and {1}", low, true, null, true, isExact),
            _ => new PlainRange(field, "between {0} and {1}", low, true, high, true, isExact),
        };
    }

    // Ends of one kind; "*" and "NULL" would be open ones.
    private (JsonElement Low, JsonElement High) Ends()
    {
        int kind = random.Next(3);
        JsonElement End()
        {
            JsonElement end = kind switch { 0 => Number(), 1 => Date(), _ => ToElement(Text()) };
            return end.ValueKind == JsonValueKind.String && end.GetString() is "*" or "NULL" ? ToElement("m") : end;
        }

        return (End(), End());
    }

    private PlainIn In(PlainField field, bool isExact)
    {
        int kind = random.Next(3);
        JsonElement[] values = [.. Enumerable.Range(0, random.Next(4)).Select(_ => random.Next(8) == 0 ? ToElement<string?>(null)
            : kind switch { 0 => Number(), 1 => Date(), _ => ToElement(Text()) })];
        return new PlainIn(field, values, random.Next(3) == 0, isExact);
    }

    private JsonElement Value() => random.Next(6) switch
    {
        0 => Number(),
        1 => Date(),
        2 => ToElement(random.Next(2) == 0),
        3 => ToElement<string?>(null),
        _ => ToElement(Text()),
    };

    private string Affix()
    {
        string text = random.Next(3) == 0 ? Date().GetString()! : Text();
        return text[..random.Next(text.Length + 1)] is var part && part.Length > 0 && char.IsHighSurrogate(part[^1]) ? text : part;
    }

    private string SearchText() => string.Join(' ', Enumerable.Range(0, random.Next(1, 4)).Select(_ =>
    {
        string word = s_words[random.Next(s_words.Length)];
        return random.Next(12) switch
        {
            0 => $"\"{Words()}\"",
            1 => word[..1] + "*",
            2 => "*" + word[1..],
            3 => $"*{word[..Math.Min(2, word.Length)]}*",
            4 when random.Next(4) == 0 => "*",
            _ => word,
        };
    }));

    private string Words() => string.Join(
        random.Next(5) == 0 ? ", " : " ", Enumerable.Range(0, random.Next(1, 6)).Select(_ => s_words[random.Next(s_words.Length)]));

    private string Text() => s_texts[random.Next(s_texts.Length)];

    private JsonElement Number()
    {
        string text = random.Next(3) == 0 ? random.Next(-20, 20).ToString(CultureInfo.InvariantCulture) : s_numbers[random.Next(s_numbers.Length)];
        return JsonDocument.Parse(text).RootElement;
    }

    private JsonElement Date() => ToElement(s_dates[random.Next(s_dates.Length)]);

    private object? Anything(int depth) => random.Next(depth > 0 ? 9 : 7) switch
    {
        0 => null,
        1 => random.Next(2) == 0,
        2 => Number(),
        3 => Date(),
        4 => new Dictionary<string, object?> { ["City"] = Text() },
        7 => List(() => Anything(depth - 1)),
        _ => Text(),
    };

    private object? Line() => random.Next(6) == 0 ? Anything(0) : new Dictionary<string, object?>
    {
        ["P"] = Text(),
        [random.Next(3) == 0 ? "X" : "N"] = Number(),
        ["Q"] = List(() => new Dictionary<string, object?> { [random.Next(2) == 0 ? "R" : "X"] = Anything(1) }),
    };

    private List<object?> List(Func<object?> make) => [.. Enumerable.Range(0, random.Next(4)).Select(_ => make())];

    private void Maybe(Dictionary<string, object?> members, string name, Func<object?> make)
    {
        int kind = random.Next(10);
        if (kind != 0)
        {
            members.Add(name, kind == 1 ? null : make());
        }
    }

    private static JsonElement ToElement<T>(T value) => JsonSerializer.SerializeToElement(value);
}

/// <summary>One key of an order: its field, the text behind it such as <c> as long</c>, and where nulls are to be, if anything is said.</summary>
internal sealed record PlainOrder(PlainField Field, string Kind, bool IsDescending, bool? NullsFirst)
{
    public string Rql =>
        $"{Field.Rql}{Kind}{(IsDescending ? " desc" : "")}{NullsFirst switch { true => " nulls first", false => " nulls last", null => "" }}";

    public int Compare(PlainDocument left, PlainDocument right)
    {
        if (Field.Path.Length == 0)
        {
            int byId = PlainValues.CompareTexts(left.Id, right.Id);
            return IsDescending ? -byId : byId;
        }

        (JsonElement? first, JsonElement? second) = (KeyOf(left), KeyOf(right));
        if (first is null || second is null)
        {
            int byPresence = (first is null ? 0 : 1) - (second is null ? 0 : 1);
            bool isAscending = NullsFirst ?? !IsDescending;
            return isAscending ? byPresence : -byPresence;
        }

        int order = CompareKeys(first.Value, second.Value);
        return IsDescending ? -order : order;
    }

    private bool IsNumeric => Kind is " as long" or " as double";

    // The first value of the kind that is sorted by. Dates count as their ticks.
    private JsonElement? KeyOf(PlainDocument document)
    {
        foreach (JsonElement value in PlainValues.At(document.Body, Field.Path))
        {
            if (IsNumeric
                ? value.ValueKind == JsonValueKind.Number || PlainValues.TicksOf(value) is not null
                : PlainValues.TextOf(value, isExact: false) is not null)
            {
                return value;
            }
        }

        return null;
    }

    private int CompareKeys(JsonElement first, JsonElement second)
    {
        if (!IsNumeric)
        {
            return PlainValues.CompareTexts(SortedText(first), SortedText(second));
        }

        (JsonElement left, JsonElement right) = (ToNumber(first), ToNumber(second));
        return Kind == " as long" ? Whole(left).CompareTo(Whole(right)) : PlainValues.CompareNumbers(left, right);
    }

    // What a 64-bit integer cannot hold is the largest or the smallest one.
    private static System.Numerics.BigInteger Whole(JsonElement number) =>
        System.Numerics.BigInteger.Clamp(PlainValues.WholeOf(number), long.MinValue, long.MaxValue);

    private static JsonElement ToNumber(JsonElement value) =>
        PlainValues.TicksOf(value) is { } ticks ? JsonSerializer.SerializeToElement(ticks) : value;

    // Dates in the order of their times, whatever their precision and zone.
    private static string SortedText(JsonElement value) => PlainValues.TicksOf(value) is { } ticks
        ? new DateTime(ticks, DateTimeKind.Utc).ToString("yyyy-MM-dd't'HH:mm:ss.fffffff'z'", CultureInfo.InvariantCulture)
        : PlainValues.TextOf(value, isExact: false)!;
}
