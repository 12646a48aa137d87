using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Models;

/// <summary>Random documents with odd names, and paths that mostly lead somewhere in them.</summary>
internal sealed class RandomPaths(Random random)
{
    private static readonly string[] s_names =
    [
        "A", "a", "B", "A.B", "A.B.C", ".", "..", "", " ", "odd name", "it's", "q\"x", "'", "''", "select", "where", "null", "true", "not", "and", "from",
        "id()", "Count", "Length", "Year", "Date", "Hours", "Keys", "Values", "Tags", "Tags[0]", "[]", "]", "[0", "0", "12", "search(A)", "exact(A)",
        "objects(A)", "sum(A)", "count()", "key()", "@x", "@metadata.@id", "ünïcode", "日本", "\u0001L", "A\u0001L", "back\\slash", "\\", "x,y", "tab\tx",
        "a-b/c", "\U0001F600", "Lines", "P", "d", "$Keys", "A B.C",
    ];

    private static readonly string[] s_texts =
    [
        "", "a", "A", "abc", "ünïcode", "日本", "it's", "5", "true", "null", "2024-03-01", "2024-02-29T10:20:30", "2024-02-29T23:59:59.5000000Z",
        "2023-12-31T23:30:00.0000000-05:00", "1998-05-06T00:00:00", "07:08:09", "23:59:59.5000000", "1.02:03:04", "-00:00:30", "12.00:00:00",
        "2024-13-01", "not a date",
    ];

    private static readonly string[] s_kept = ["@id", "@collection", "@change-vector", "@last-modified", "@expires", "@flags", "@own", "@counters"];

    public JsonObject Document()
    {
        JsonObject document = Object(3);
        document.Remove("@metadata");
        return document;
    }

    /// <summary>A path into a document, which may end in a computed member, and may lead nowhere.</summary>
    public PlainPath Path(JsonNode document)
    {
        List<PlainPart> parts = [];
        if (random.Next(8) == 0)
        {
            parts.AddRange([new PlainPart("@metadata", null), new PlainPart(s_kept[random.Next(s_kept.Length)], null)]);
        }
        else
        {
            Descend(document, parts);
        }

        if (parts.Count == 0 || random.Next(3) == 0)
        {
            string name = random.Next(4) == 0 ? s_names[random.Next(s_names.Length)] : PlainMembers.Names[random.Next(PlainMembers.Names.Count)];
            parts.Add(new PlainPart(name, null));
        }

        if (parts.Count > 0 && random.Next(15) == 0)
        {
            parts.Add(random.Next(2) == 0 ? default : new PlainPart(null, random.Next(3)));
        }

        return new PlainPath(parts[0].Name is null ? [new PlainPart("A", null), .. parts] : parts);
    }

    /// <summary>One of the ways to write a path.</summary>
    /// <param name="path">The path.</param>
    /// <param name="alias">The alias of the documents; null for none.</param>
    public string Rql(PlainPath path, string? alias)
    {
        var text = new StringBuilder(alias);
        foreach (PlainPart part in path.Parts)
        {
            bool isFirst = text.Length == 0;
            string word = part.Name switch
            {
                null => part.Position is { } position ? $"[{position.ToString(CultureInfo.InvariantCulture)}]" : "[]",
                "@metadata" => "@metadata",
                { } name when !isFirst && random.Next(5) == 0 => $"[{Quoted(name)}]",
                { } name when IsWord(name) && random.Next(3) > 0 => name,
                { } name => Quoted(name),
            };
            text.Append(isFirst || word[0] == '[' ? "" : ".").Append(word);
        }

        return text.ToString();
    }

    /// <summary>A value to compare with: mostly one that some document has at the path.</summary>
    public JsonNode? Value(IReadOnlyList<JsonNode?> found) =>
        found.Count > 0 && random.Next(5) > 0 ? found[random.Next(found.Count)]?.DeepClone() : Scalar();

    private static bool IsWord(string name) => name is "A" or "a" or "B" or "Tags" or "Lines" or "P"
        || (PlainMembers.Names.Contains(name) && !name.StartsWith('$'))
        || (name.Length > 2 && name[0] == '@' && name.All(letter => char.IsAsciiLetter(letter) || letter is '-' or '@'));

    private string Quoted(string name)
    {
        char quote = random.Next(2) == 0 ? '\'' : '"';
        string escaped = name.Replace("\\", "\\\\", StringComparison.Ordinal)
            .Replace(quote.ToString(), random.Next(2) == 0 ? $"{quote}{quote}" : $"\\{quote}", StringComparison.Ordinal);
        return $"{quote}{escaped}{quote}";
    }

    private void Descend(JsonNode? value, List<PlainPart> parts)
    {
        while (value is JsonArray or JsonObject && (parts.Count == 0 || random.Next(6) > 0))
        {
            if (value is JsonArray list)
            {
                int position = list.Count == 0 ? 0 : random.Next(list.Count);
                switch (random.Next(3))
                {
                    case 0:
                        parts.Add(default);
                        break;
                    case 1:
                        parts.Add(new PlainPart(null, position));
                        break;
                }

                value = list.Count == 0 ? null : list[position];
            }
            else if (value is JsonObject { Count: > 0 } owner)
            {
                KeyValuePair<string, JsonNode?>[] members = [.. owner.Where(member => member.Key != "@metadata")];
                if (members.Length == 0)
                {
                    return;
                }

                KeyValuePair<string, JsonNode?> member = members[random.Next(members.Length)];
                parts.Add(new PlainPart(member.Key, null));
                value = member.Value;
            }
            else
            {
                return;
            }
        }
    }

    private JsonObject Object(int depth)
    {
        var made = new JsonObject();
        for (int count = random.Next(depth == 3 ? 4 : 1, 7); count > 0; count--)
        {
            made[s_names[random.Next(s_names.Length)]] = Anything(depth - 1);
        }

        return made;
    }

    private JsonNode? Anything(int depth) => random.Next(depth > 0 ? 8 : 4) switch
    {
        4 or 5 => Object(depth),
        6 => new JsonArray([.. Enumerable.Range(0, random.Next(4)).Select(_ => (JsonNode?)Object(depth - 1))]),
        7 => new JsonArray([.. Enumerable.Range(0, random.Next(4)).Select(_ => Anything(depth - 1))]),
        _ => Scalar(),
    };

    private JsonNode? Scalar() => random.Next(8) switch
    {
        0 => null,
        1 => random.Next(2) == 0,
        2 or 3 => JsonNode.Parse(((string[])["0", "1", "2", "5", "1998", "2.5", "5.0", "-1", "9"])[random.Next(9)]),
        _ => s_texts[random.Next(s_texts.Length)],
    };
}
