using System.Text;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;

namespace Jackdaw.Indexing.Definitions.Values;

public readonly partial struct Value
{
    /// <summary>Longest name that is made UTF-8 on the stack. Bytes.</summary>
    private const int NameBytesMax = 256;

    public Value this[string name] => IsDocument && name == "@metadata" ? DocumentMetadata() : Member(name);

    public Value this[int position] => Element(position);

    public Value this[Index position] => ElementOrPair(position.IsFromEnd ? Count() - position.Value : position.Value);

    /// <summary>A part of a text, or elements of a list. Like <c>Substring</c> it stops at the end of the text, because documents differ.</summary>
    public Value this[Range range]
    {
        get
        {
            int count = Count();
            int start = Math.Clamp(range.Start.GetOffset(count), 0, count);
            int end = Math.Clamp(range.End.GetOffset(count), start, count);
            return IsNull ? this : IsText ? AsText()[start..end] : FromList(ToValues()[start..end]);
        }
    }

    public Value this[Value key] => key.IsNumber ? Element((int)key.AsLong()) : Member(key.AsText());

    /// <summary>The metadata of a document: what it stores, and what the server keeps.</summary>
    internal Value DocumentMetadata()
    {
        TapeValue stored = Tape["@metadata"u8];
        return new Value(ValueKind.Metadata, Document, stored.Exists ? stored.Index : -1);
    }

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

    /// <summary>An element, as a walk over the value would find it: of an object it is a name with its value.</summary>
    internal Value ElementOrPair(int position) => IsObject ? Pairs().ElementAtOrDefault(position) : Element(position);

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
            case ValueKind.Text or ValueKind.TapeText or ValueKind.Date or ValueKind.Duration:
                string text = AsText();
                return position < text.Length ? text[position] : default(Value);
            case ValueKind.Boosted:
                return Unboosted().Element(position);
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
            "@change-vector" when origin.ChangeVectorText is { } vector => vector,
            "@etag" when origin.Kept is { } kept => kept.Etag.Value,
            "@flags" when origin.FlagsText is { } flags => flags,
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
        _ when (IsList || (IsObject && !IsDocument)) && ComputedMembers.IsCount(name) => Count(),
        "Keys" when IsObject && !IsDocument => FromList([.. Members().Select(member => (Value)member.Name)]),
        "Values" when IsObject && !IsDocument => FromList([.. Members().Select(member => member.Value)]),
        _ => IsObject || IsList ? default : ScalarMember(name),
    };

    private Value ScalarMember(string name)
    {
        Value computed = _kind == ValueKind.Duration ? Of(ComputedMembers.OfDuration(AsDuration(), name))
            : TryGetDate(out DateTime date) ? Of(ComputedMembers.OfDate(date, name))
            : IsText ? Of(ComputedMembers.OfText(AsText(), name))
            : default;
        return computed.IsMissing ? BaseMembers.Read(this, name) : computed;
    }

    private static Value Of(ComputedMember member) => member.Kind switch
    {
        ComputedKind.Whole => member.Bits,
        ComputedKind.Number => BitConverter.Int64BitsToDouble(member.Bits),
        ComputedKind.Text => member.Text,
        ComputedKind.Date => DateTime.FromBinary(member.Bits),
        ComputedKind.Duration => new TimeSpan(member.Bits),
        _ => default,
    };
}
