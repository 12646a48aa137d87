using System.Text;
using System.Text.Json;
using System.Text.Unicode;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;
using Jackdaw.TestKit;

namespace Jackdaw.Json.Tests.Tape;

/// <summary>Compares every value that a tape finds with what the framework's own parser finds.</summary>
internal sealed class TapeOracle
{
    private static readonly JsonDocumentOptions s_options = new() { MaxDepth = 256 };

    private readonly string _place;
    private readonly bool _isSameText;

    private TapeOracle(string place, bool isSameText)
    {
        _place = place;
        _isSameText = isSameText;
    }

    /// <summary>The framework's document; null when the text must be refused: as the framework does, and for bytes and
    /// escapes that mean no characters, which it finds later.</summary>
    public static JsonDocument? Parse(byte[] json)
    {
        JsonDocument? document = null;
        try
        {
            if (!Utf8.IsValid(json))
            {
                return null;
            }

            document = JsonDocument.Parse(RawControls.Escape(json), s_options);
            DecodeAll(document.RootElement);
            return document;
        }
        catch (Exception refusal) when (refusal is JsonException or InvalidOperationException)
        {
            document?.Dispose();
            return null;
        }
    }

    /// <summary>Compares all values, each way that leads to them, and the paths that name them.</summary>
    public static int Compare(TapeValue root, JsonElement expected, byte[] json, string place)
    {
        bool isSameText = RawControls.Escape(json).Length == json.Length;
        return new TapeOracle(place, isSameText).Compare(root, root, expected, []);
    }

    private static void DecodeAll(JsonElement element)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Object:
                foreach (JsonProperty member in element.EnumerateObject())
                {
                    _ = member.Name;
                    DecodeAll(member.Value);
                }

                break;
            case JsonValueKind.Array:
                foreach (JsonElement item in element.EnumerateArray())
                {
                    DecodeAll(item);
                }

                break;
            case JsonValueKind.String:
                _ = element.GetString();
                break;
            default:
                break;
        }
    }

    // A null path: one that leads to another value of the same name.
    private int Compare(TapeValue root, TapeValue value, JsonElement expected, PathPart[]? parts)
    {
        DocumentPath? path = parts is null ? null : new DocumentPath(parts);
        string place = $"{_place}, at '{path}'";
        Assert.True(KindOf(expected) == value.Kind, place);
        if (_isSameText)
        {
            Assert.True(expected.GetRawText() == Encoding.UTF8.GetString(value.Source), place);
        }

        ComparePath(root, value, path, place);
        return 1 + expected.ValueKind switch
        {
            JsonValueKind.Object => CompareMembers(root, value, expected, parts, place),
            JsonValueKind.Array => CompareElements(root, value, expected, parts, place),
            JsonValueKind.String => CompareText(value, expected, place),
            _ => CompareScalar(value, expected, place),
        };
    }

    private int CompareMembers(TapeValue root, TapeValue value, JsonElement expected, PathPart[]? parts, string place)
    {
        Assert.True(value.Count == expected.GetPropertyCount(), place);
        Assert.False(value["no such member"u8].Exists, place);
        Assert.False(value[0].Exists, place);
        int compared = 0;
        var seen = new HashSet<string>();
        TapeMembers members = value.Members;
        foreach (JsonProperty member in expected.EnumerateObject())
        {
            Assert.True(members.MoveNext(), place);
            TapeMember found = members.Current;
            byte[] name = Encoding.UTF8.GetBytes(member.Name);
            byte[] decoded = new byte[found.NameSource.Length];
            Assert.True(decoded.AsSpan(0, found.CopyName(decoded)).SequenceEqual(name), place);
            Assert.True(found.NameEquals(name), place);
            Assert.False(found.NameEquals([.. name, 0]), place);
            Assert.False(name.Length > 0 && found.NameEquals(name.AsSpan(1)), place);
            bool isFirst = seen.Add(member.Name);
            Assert.True(value[name].Index == found.Value.Index == isFirst, place);
            compared += Compare(root, found.Value, member.Value, isFirst && parts is not null ? [.. parts, PathPart.Member(member.Name)] : null);
        }

        Assert.False(members.MoveNext(), place);
        return compared;
    }

    private int CompareElements(TapeValue root, TapeValue value, JsonElement expected, PathPart[]? parts, string place)
    {
        int length = expected.GetArrayLength();
        Assert.True(value.Count == length, place);
        Assert.False(value[length].Exists, place);
        Assert.False(value[-1].Exists, place);
        Assert.False(value["a"u8].Exists, place);
        int compared = 0;
        TapeElements elements = value.Elements;
        for (int index = 0; index < length; index++)
        {
            Assert.True(elements.MoveNext(), place);
            Assert.True(value[index].Index == elements.Current.Index, place);
            compared += Compare(root, elements.Current, expected[index], parts is null ? null : [.. parts, PathPart.Element(index)]);
        }

        Assert.False(elements.MoveNext(), place);
        return compared;
    }

    private static int CompareText(TapeValue value, JsonElement expected, string place)
    {
        byte[] text = Encoding.UTF8.GetBytes(expected.GetString()!);
        byte[] decoded = new byte[value.TextBytesMax];
        Assert.True(decoded.AsSpan(0, value.CopyText(decoded)).SequenceEqual(text), place);
        Assert.True(value.ToText() == expected.GetString(), place);
        Assert.True(value.TextEquals(text), place);
        Assert.False(value.TextEquals([.. text, (byte)'x']), place);
        Assert.True(value.TryGetPlainText(out ReadOnlySpan<byte> plain) != value.HasEscapes, place);
        Assert.True(value.HasEscapes || plain.SequenceEqual(text), place);
        Assert.False(value.TryGetInt64(out _) || value.TryGetDouble(out _) || value.TryGetDecimal(out _), place);
        return 0;
    }

    private static int CompareScalar(TapeValue value, JsonElement expected, string place)
    {
        long expectedInteger = 0;
        double expectedDouble = 0;
        decimal expectedDecimal = 0;
        bool isNumber = expected.ValueKind == JsonValueKind.Number;
        Assert.True(value.TryGetInt64(out long integer) == (isNumber && expected.TryGetInt64(out expectedInteger)), place);
        Assert.True(integer == expectedInteger, place);
        Assert.True(value.TryGetDouble(out double number) == (isNumber && expected.TryGetDouble(out expectedDouble)), place);
        Assert.True(BitConverter.DoubleToInt64Bits(number) == BitConverter.DoubleToInt64Bits(expectedDouble), place);
        Assert.True(value.TryGetDecimal(out decimal exact) == (isNumber && expected.TryGetDecimal(out expectedDecimal)), place);
        Assert.True(exact == expectedDecimal, place);
        Assert.True(value.Count == 0 && value.TextBytesMax == 0 && value.ToText() is null && !value.TextEquals("null"u8), place);
        return 0;
    }

    /// <summary>The path finds this value.</summary>
    private static void ComparePath(TapeValue root, TapeValue value, DocumentPath? path, string place)
    {
        var found = default(FoundIndex);
        Assert.True(path is null || (path.AnyWhole(root, ref found) && found.Value == value.Index), place);
    }

    private struct FoundIndex : IValueTest
    {
        public int Value { get; private set; }

        public bool Test(TapeValue value)
        {
            Value = value.Index;
            return true;
        }
    }

    private static JsonKind KindOf(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Object => JsonKind.Object,
        JsonValueKind.Array => JsonKind.Array,
        JsonValueKind.String => JsonKind.String,
        JsonValueKind.Number => JsonKind.Number,
        JsonValueKind.True => JsonKind.True,
        JsonValueKind.False => JsonKind.False,
        JsonValueKind.Null => JsonKind.Null,
        _ => JsonKind.Missing,
    };
}
