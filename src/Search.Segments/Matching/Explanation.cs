using System.Globalization;
using System.Text;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>A score and the numbers it is made of.</summary>
internal sealed record Explanation(float Value, string Text, IReadOnlyList<Explanation> Parts)
{
    /// <summary>Lines for people: each number with its meaning, parts below what they are parts of.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        Write(text, 0);
        return text.ToString();
    }

    private void Write(StringBuilder text, int depth)
    {
        text.Append(' ', 2 * depth).Append(CultureInfo.InvariantCulture, $"{Value} = {Text}\n");
        foreach (Explanation part in Parts)
        {
            part.Write(text, depth + 1);
        }
    }
}
