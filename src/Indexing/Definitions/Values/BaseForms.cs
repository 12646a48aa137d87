using System.Globalization;

namespace Jackdaw.Indexing.Definitions.Values;

/// <summary>The objects of the base library that a value can stand for: a document has only texts and numbers, so a text that is a date stands for
/// a text and for a date.</summary>
internal static class BaseForms
{
    /// <summary>The objects, the most natural first. Nothing for null.</summary>
    public static IEnumerable<object> Of(Value value) => value.Kind switch
    {
        <= ValueKind.Null => [],
        ValueKind.Boosted => Of(value.Unboosted()),
        ValueKind.Text or ValueKind.TapeText => OfText(value),
        ValueKind.Date => OfDate(value),
        ValueKind.Duration => [value.AsDuration(), .. TimeOf(value)],
        ValueKind.List or ValueKind.TapeArray => [new List<Value>(value.ToValues())],
        ValueKind.Pair => [new KeyValuePair<string, Value>(value.Member("Key").AsText(), value.Member("Value"))],
        ValueKind.TapeObject or ValueKind.Object or ValueKind.Metadata => [ToDictionary(value)],
        _ => [Natural(value)],
    };

    /// <summary>The one object that stands for a value where any object may stand.</summary>
    public static object Natural(Value value) => value.Kind switch
    {
        ValueKind.Bool => value.AsCondition(),
        ValueKind.Long => value.AsLong(),
        ValueKind.Decimal => value.AsDecimal(),
        ValueKind.Double => value.AsDouble(),
        ValueKind.TapeNumber => Natural(+value * 1),
        ValueKind.Text or ValueKind.TapeText => value.AsText(),
        ValueKind.Date => value.AsDate(),
        ValueKind.Duration => value.AsDuration(),
        ValueKind.Boosted => Natural(value.Unboosted()),
        _ => value,
    };

    public static Dictionary<string, Value> ToDictionary(Value value)
    {
        var members = new Dictionary<string, Value>(StringComparer.Ordinal);
        foreach (NamedValue member in value.Members())
        {
            members[member.Name] = member.Value;
        }

        return members;
    }

    private static IEnumerable<object> OfText(Value value)
    {
        string text = value.AsText();
        yield return text;
        if (value.TryGetDate(out DateTime date))
        {
            bool isDay = text.Length == 10;
            if (isDay)
            {
                yield return DateOnly.FromDateTime(date);
            }

            foreach (object form in OfDate(date))
            {
                if (!isDay || form is not DateOnly)
                {
                    yield return form;
                }
            }
        }
        else if (TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan duration))
        {
            yield return duration;
            foreach (object time in TimeOf(duration))
            {
                yield return time;
            }
        }
        else if (Guid.TryParse(text, out Guid guid))
        {
            yield return guid;
        }
    }

    private static IEnumerable<object> OfDate(Value value)
    {
        DateTime date = value.AsDate();
        yield return date;
        yield return (DateTimeOffset)value;
        yield return DateOnly.FromDateTime(date);
        yield return TimeOnly.FromDateTime(date);
    }

    private static IEnumerable<object> TimeOf(Value value)
    {
        TimeSpan duration = value.AsDuration();
        return duration >= TimeSpan.Zero && duration < TimeSpan.FromDays(1) ? [TimeOnly.FromTimeSpan(duration)] : [];
    }
}
