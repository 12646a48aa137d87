using System.Text;

namespace Jackdaw.TestKit;

/// <summary>Random documents, mostly well formed, made of what is hard: escapes, nesting, equal names, odd
/// metadata.</summary>
public sealed class RandomJson(Random random)
{
    private static readonly string[] s_names =
    [
        "a", "b", "name", "", "é", "a\0", "a b", "@metadata", "@id", "@collection",
        "long name of more than thirty-two bytes", "quote\"", "back\\slash", "tab\t", "😀", "Name",
        "@flags", "x1", "x2", "x3", "x4", "x5", "x6", "x7",
    ];

    private static readonly string[] s_metadataNames =
    [
        "@collection", "@id", "@change-vector", "@last-modified", "@flags", "@index-score", "@spatial", "@projection",
        "@attachments", "@counters", "@timeseries", "@expiry", "Raven-Node-Type", "@nested-object-types", "@i", "@idx",
    ];

    private static readonly string[] s_numbers =
    [
        "0", "-0", "1", "-12", "3.25", "1e5", "1E-7", "-2.5e+10", "123456789012345678901234567890", "0.1000",
    ];

    private static readonly byte[] s_interesting = "{}[]\",:\\ \t\n0123456789-+.eEuntfabd@\0\u001f\u007f"u8.ToArray();

    private readonly StringBuilder _text = new();
    private bool _isSpaced;

    /// <summary>A document; well formed but for an equal name or odd metadata now and then.</summary>
    public byte[] Document()
    {
        _text.Clear();
        _isSpaced = random.Next(2) == 0;
        Space();
        Object(random.Next(1, 6), isRoot: true);
        Space();
        return Encoding.UTF8.GetBytes(_text.ToString());
    }

    /// <summary>The bytes with a few random changes.</summary>
    public byte[] Mutate(byte[] json)
    {
        var bytes = new List<byte>(json);
        for (int change = random.Next(1, 4); change > 0 && bytes.Count > 0; change--)
        {
            int at = random.Next(bytes.Count);
            byte interesting = s_interesting[random.Next(s_interesting.Length)];
            byte value = random.Next(5) == 0 ? (byte)random.Next(256) : interesting;
            switch (random.Next(6))
            {
                case 0:
                    bytes[at] = value;
                    break;
                case 1:
                    bytes.Insert(at, value);
                    break;
                case 2:
                    bytes.RemoveAt(at);
                    break;
                case 3 when random.Next(4) == 0:
                    bytes.RemoveRange(at, bytes.Count - at);
                    break;
                case 4:
                    int length = Math.Min(random.Next(20), bytes.Count - at);
                    bytes.InsertRange(random.Next(bytes.Count), bytes.GetRange(at, length));
                    break;
                default:
                    bytes[at] ^= (byte)(1 << random.Next(8));
                    break;
            }
        }
        return [.. bytes];
    }

    private void Value(int depth)
    {
        switch (random.Next(depth > 0 ? 10 : 7))
        {
            case 0:
                _text.Append(random.Next(3) switch { 0 => "true", 1 => "false", _ => "null" });
                break;
            case 1 or 2:
                _text.Append(s_numbers[random.Next(s_numbers.Length)]);
                break;
            case < 7:
                String(RandomText());
                break;
            case 7:
                Array(depth - 1);
                break;
            default:
                Object(depth - 1, isRoot: false);
                break;
        }
    }

    private void Array(int depth)
    {
        _text.Append('[');
        Space();
        for (int count = random.Next(5); count > 0; count--)
        {
            Value(depth);
            Space();
            _text.Append(count > 1 ? "," : "");
            Space();
        }
        _text.Append(']');
    }

    private void Object(int depth, bool isRoot)
    {
        int count = random.Next(50) == 0 ? random.Next(30, 80) : random.Next(6);
        var names = new List<string>();
        for (int index = 0; index < count; index++)
        {
            names.Add(count > 20 ? $"name{index}" : s_names[random.Next(s_names.Length)]);
        }
        // Most objects must be free of equal names, or few documents would be accepted.
        names = random.Next(40) == 0 ? names : [.. names.Distinct()];
        if (isRoot && random.Next(2) == 0 && !names.Contains("@metadata"))
        {
            names.Insert(random.Next(names.Count + 1), "@metadata");
        }
        Members(names, name =>
        {
            if (isRoot && name == "@metadata" && random.Next(10) > 0)
            {
                Metadata(depth);
            }
            else
            {
                Value(depth);
            }
        });
    }

    private void Metadata(int depth)
    {
        if (random.Next(8) == 0)
        {
            _text.Append("null");
            return;
        }
        IEnumerable<string> names = Enumerable.Range(0, random.Next(6))
            .Select(_ => s_metadataNames[random.Next(s_metadataNames.Length)]);
        Members([.. names.Distinct()], name =>
        {
            if (name == "@collection" && random.Next(10) > 0)
            {
                String(random.Next(6) == 0 ? RandomText() : "Users");
            }
            else
            {
                Value(depth);
            }
        });
    }

    private void Members(List<string> names, Action<string> value)
    {
        _text.Append('{');
        Space();
        for (int index = 0; index < names.Count; index++)
        {
            String(names[index]);
            Space();
            _text.Append(':');
            Space();
            value(names[index]);
            Space();
            _text.Append(index < names.Count - 1 ? "," : "");
            Space();
        }
        _text.Append('}');
    }

    private void String(string characters)
    {
        _text.Append('"');
        bool escapesMuch = random.Next(6) == 0;
        foreach (char character in characters)
        {
            bool mustEscape = character is '"' or '\\' || (character < ' ' && random.Next(3) > 0);
            if (mustEscape || (escapesMuch && random.Next(2) == 0) || (escapesMuch && char.IsSurrogate(character)))
            {
                bool isShort = character is '"' or '\\' or '/' && random.Next(2) == 0;
                _text.Append(isShort ? $"\\{character}" : $"\\u{(int)character:x4}");
            }
            else
            {
                _text.Append(character);
            }
        }
        _text.Append('"');
    }

    private string RandomText()
    {
        string[] parts = ["a", "xyz", " ", "é", "😀", "\"", "\\", "/", "\n", "\0", "\u007f", "日本", "0123456789", "{",
            "]", ","];
        var text = new StringBuilder();
        for (int count = random.Next(random.Next(10) == 0 ? 60 : 6); count > 0; count--)
        {
            text.Append(parts[random.Next(parts.Length)]);
        }
        return text.ToString();
    }

    private void Space()
    {
        if (_isSpaced && random.Next(3) == 0)
        {
            _text.Append(" \t\r\n"[random.Next(4)], random.Next(1, random.Next(10) == 0 ? 40 : 4));
        }
    }
}
