using System.Globalization;
using System.Text;
using Jackdaw.Json.Tape;

namespace Jackdaw.Indexing.Definitions.Values;

public readonly partial struct Value
{
    /// <summary>Longest name that is made UTF-8 on the stack. Bytes.</summary>
    private const int NameBytesMax = 256;

    public Value this[string name] => Member(name);

    public Value this[int position] => Element(position);

    public Value this[Value key] => key.IsNumber ? Element((int)key.AsLong()) : Member(key.AsText());

    /// <summary>A member of a value of any kind; missing if it has no member with this name.</summary>
    public static Value Get(Value value, MemberName name)
    {
        if (value._kind == ValueKind.TapeObject)
        {
            TapeValue found = value.Tape[name.Utf8];
            return found.Exists ? FromTape(value.Document, found.Index) : value.ComputedMember(name.Text);
        }

        return value.IsNull ? value.MemberOfNull(name.Text) : value.Member(name.Text);
    }

    public Value ReadMember(MemberName name) => Get(this, name);

    /// <summary>True when an object has a member with this name, even if it is null.</summary>
    internal bool HasMember(string name) => _kind switch
    {
        ValueKind.TapeObject => FindInTape(name).IsMissing is false,
        ValueKind.Object => Made<ObjectValue>().TryGet(name, out _),
        ValueKind.Metadata => !MetadataMember(name).IsMissing,
        _ => false,
    };

    internal Value Member(string name)
    {
        switch (_kind)
        {
            case <= ValueKind.Null:
                return MemberOfNull(name);
            case ValueKind.TapeObject:
                Value found = FindInTape(name);
                return found.IsMissing ? ComputedMember(name) : found;
            case ValueKind.Metadata:
                return MetadataMember(name);
            case ValueKind.Object:
                return Made<ObjectValue>().TryGet(name, out Value made) ? made : ComputedMember(name);
            case ValueKind.Pair:
                NamedValue pair = Made<NamedValue>();
                return name switch { "Key" => pair.Name, "Value" => pair.Value, _ => pair.Value.Member(name) };
            case ValueKind.Boosted:
                return Unboosted().Member(name);
            default:
                return ComputedMember(name);
        }
    }

    internal Value Element(int position)
    {
        if (position < 0 || IsNull)
        {
            return default;
        }

        switch (_kind)
        {
            case ValueKind.List:
                return position < List.Length ? List[position] : default;
            case ValueKind.TapeArray:
                TapeValue element = Tape[position];
                return element.Exists ? FromTape(Document, element.Index) : default;
            case ValueKind.Text or ValueKind.TapeText:
                string text = AsText();
                return position < text.Length ? text[position] : default(Value);
            default:
                return default;
        }
    }

    private Value FindInTape(string name)
    {
        Span<byte> buffer = stackalloc byte[NameBytesMax];
        ReadOnlySpan<byte> utf8 = Encoding.UTF8.TryGetBytes(name, buffer, out int written)
            ? buffer[..written]
            : Encoding.UTF8.GetBytes(name);
        TapeValue found = Tape[utf8];
        return found.Exists ? FromTape(Document, found.Index) : default;
    }

    /// <summary>What the server knows has priority over what is stored: stored metadata cannot claim another id.</summary>
    private Value MetadataMember(string name)
    {
        DocumentOrigin origin = Document.Origin;
        Value known = name switch
        {
            "@id" => origin.Id,
            "@collection" when origin.Collection is not null => origin.Collection,
            "@change-vector" when origin.ChangeVector is not null => origin.ChangeVector,
            "@flags" when origin.Flags is not null => origin.Flags,
            "@last-modified" when origin.LastModifiedTicks > 0 =>
                new DateTime(origin.LastModifiedTicks, DateTimeKind.Utc),
            _ => default,
        };
        return known.IsMissing && _bits >= 0 ? new Value(ValueKind.TapeObject, _object, _bits).Member(name) : known;
    }

    private Value MemberOfNull(string name) => name == "HasValue" ? false : this;

    /// <summary>Members of the types of .NET. They count if the value has no member with this name.</summary>
    private Value ComputedMember(string name) => name switch
    {
        "Id" when IsDocument => Document.Id,
        "HasValue" when !IsObject => true,
        "Value" when !IsObject => this,
        "Length" when IsText => AsText().Length,
        "Count" or "Length" when IsList || IsObject => Count(),
        "Keys" when IsObject && !IsDocument => FromList([.. Members().Select(member => (Value)member.Name)]),
        "Values" when IsObject && !IsDocument => FromList([.. Members().Select(member => member.Value)]),
        _ when _kind == ValueKind.Duration => DurationMember(AsDuration(), name),
        _ when TryGetDate(out DateTime date) => DateMember(date, name),
        _ when IsText && TimeSpan.TryParse(AsText(), CultureInfo.InvariantCulture, out TimeSpan duration) =>
            DurationMember(duration, name) is { IsMissing: false } member ? member : TimeMember(duration, name),
        _ => IsObject || IsList ? default : BaseMembers.Read(this, name),
    };

    private static Value DateMember(DateTime date, string name) => name switch
    {
        "Year" => date.Year,
        "Month" => date.Month,
        "Day" => date.Day,
        "Hour" => date.Hour,
        "Minute" => date.Minute,
        "Second" => date.Second,
        "Millisecond" => date.Millisecond,
        "Date" => date.Date,
        "Ticks" => date.Ticks,
        "DayOfWeek" => date.DayOfWeek,
        "DayOfYear" => date.DayOfYear,
        "TimeOfDay" => date.TimeOfDay,
        _ => BaseMembers.Read(date, name),
    };

    /// <summary>Members of a time of day, as the type TimeOnly has them.</summary>
    private Value TimeMember(TimeSpan time, string name) => name switch
    {
        "Hour" => time.Hours,
        "Minute" => time.Minutes,
        "Second" => time.Seconds,
        "Millisecond" => time.Milliseconds,
        _ => BaseMembers.Read(this, name),
    };

    private static Value DurationMember(TimeSpan duration, string name) => name switch
    {
        "TotalDays" => duration.TotalDays,
        "TotalHours" => duration.TotalHours,
        "TotalMinutes" => duration.TotalMinutes,
        "TotalSeconds" => duration.TotalSeconds,
        "TotalMilliseconds" => duration.TotalMilliseconds,
        "Days" => duration.Days,
        "Hours" => duration.Hours,
        "Minutes" => duration.Minutes,
        "Seconds" => duration.Seconds,
        "Milliseconds" => duration.Milliseconds,
        "Ticks" => duration.Ticks,
        _ => default(Value),
    };
}
