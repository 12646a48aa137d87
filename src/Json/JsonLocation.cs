using System.Globalization;
using System.Text;

namespace Jackdaw.Json;

/// <summary>A place in a JSON text, described so that a person can find it.</summary>
/// <param name="Offset">Bytes before the place; 0-based.</param>
/// <param name="Line">1-based; lines end with a line feed.</param>
/// <param name="Column">1-based, in bytes.</param>
/// <param name="Path">Members and array indexes that lead to the place, such as <c>lines[2].product</c>; empty at the
/// root.</param>
public readonly record struct JsonLocation(long Offset, int Line, int Column, string Path)
{
    /// <summary>Longest path reported. A path is read by people; a name can be as large as a document.</summary>
    private const int PathCharsMax = 256;

    /// <summary>Finds the place by walking over the text up to <paramref name="offset"/>, because nothing is tracked while a text is well
    /// formed.</summary>
    /// <remarks>Costs one pass over the text and some garbage. Accepts any text, because it is used on broken
    /// ones.</remarks>
    public static JsonLocation Find(ReadOnlySpan<byte> json, int offset)
    {
        offset = Math.Clamp(offset, 0, json.Length);
        ReadOnlySpan<byte> before = json[..offset];
        int lineStart = before.LastIndexOf((byte)'\n') + 1;
        return new JsonLocation(offset, before.Count((byte)'\n') + 1, offset - lineStart + 1, FindPath(before));
    }

    /// <summary>The location when the text begins at <paramref name="offset"/> of a longer one that is not
    /// available.</summary>
    public JsonLocation Within(long offset) => this with { Offset = Offset + offset };

    /// <inheritdoc/>
    public override string ToString()
    {
        string place = string.Create(CultureInfo.InvariantCulture, $"byte {Offset}, line {Line}, column {Column}");
        return Path.Length == 0 ? place : $"{place}, path '{Path}'";
    }

    private static string FindPath(ReadOnlySpan<byte> before)
    {
        var levels = new List<Level>();
        int position = 0;
        while (position < before.Length)
        {
            byte current = before[position++];
            if (current == '"')
            {
                position = SkipString(before, position, levels);
            }
            else if (current is (byte)'{' or (byte)'[')
            {
                levels.Add(new Level(current == '[', Index: 0, NameStart: -1, NameEnd: -1));
            }
            else if (levels.Count > 0)
            {
                Apply(current, levels);
            }
        }
        return Render(before, levels);
    }

    private static void Apply(byte current, List<Level> levels)
    {
        if (current is (byte)'}' or (byte)']')
        {
            levels.RemoveAt(levels.Count - 1);
        }
        else if (current == ',')
        {
            Level level = levels[^1];
            levels[^1] = level with { Index = level.Index + 1, NameStart = -1 };
        }
    }

    // The first string after '{' or ',' of an object is a name; one that follows is its value.
    private static int SkipString(ReadOnlySpan<byte> before, int start, List<Level> levels)
    {
        int end = start;
        while (end < before.Length && before[end] != '"')
        {
            end += before[end] == '\\' ? 2 : 1;
        }
        end = Math.Min(end, before.Length);
        if (levels.Count > 0 && levels[^1] is { IsArray: false, NameStart: < 0 })
        {
            levels[^1] = levels[^1] with { NameStart = start, NameEnd = Math.Min(end, start + PathCharsMax) };
        }
        return end + 1;
    }

    private static string Render(ReadOnlySpan<byte> before, List<Level> levels)
    {
        var path = new StringBuilder();
        foreach (Level level in levels)
        {
            if (level.IsArray)
            {
                path.Append(CultureInfo.InvariantCulture, $"[{level.Index}]");
            }
            else if (level.NameStart >= 0)
            {
                string name = Encoding.UTF8.GetString(before[level.NameStart..level.NameEnd]);
                path.Append(path.Length > 0 ? "." : "").Append(name);
            }
        }
        return path.Length <= PathCharsMax
            ? path.ToString()
            : $"...{path.ToString(path.Length - PathCharsMax, PathCharsMax)}";
    }

    private readonly record struct Level(bool IsArray, int Index, int NameStart, int NameEnd);
}
