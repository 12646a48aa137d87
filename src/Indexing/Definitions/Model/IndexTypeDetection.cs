using System.Text;

namespace Jackdaw.Indexing.Definitions.Model;

/// <summary>Finds out from the texts of a definition in which language it is written and what it reads.</summary>
internal static class IndexTypeDetection
{
    private static readonly string[] s_sources = ["timeSeries", "counters"];

    /// <exception cref="IndexDefinitionException">The maps contradict each other.</exception>
    public static (IndexType Type, IndexSourceType Source) Detect(IReadOnlyList<string> maps, string? reduce)
    {
        bool[] areScripts = [.. maps.Select(map => !IsCSharp(map))];
        if (areScripts.Distinct().Count() > 1)
        {
            throw new IndexDefinitionException(
                "An index has maps in C# and in JavaScript. Write all of them in one language.");
        }

        IndexSourceType[] sources = [.. maps.Select(SourceOf).Distinct()];
        if (sources.Length > 1)
        {
            throw new IndexDefinitionException($"An index has maps of {string.Join(" and ", sources)}. " +
                "Write an index for each of them.");
        }

        bool isReduced = !string.IsNullOrWhiteSpace(reduce);
        return (areScripts[0]
            ? isReduced ? IndexType.JavaScriptMapReduce : IndexType.JavaScriptMap
            : isReduced ? IndexType.MapReduce : IndexType.Map, sources[0]);
    }

    private static bool IsCSharp(string map)
    {
        string text = Significant(map);
        return text.StartsWith("from", StringComparison.Ordinal) || text.StartsWith("docs", StringComparison.Ordinal)
            || s_sources.Any(source => text.StartsWith(source, StringComparison.Ordinal)
                && !text.AsSpan(source.Length).TrimStart().StartsWith(".map(", StringComparison.Ordinal));
    }

    private static IndexSourceType SourceOf(string map)
    {
        string text = Significant(map);
        if (text.StartsWith("from", StringComparison.Ordinal))
        {
            int start = text.IndexOf(" in ", StringComparison.Ordinal);
            text = start < 0 ? text : text[(start + 4)..].TrimStart();
        }

        return text.StartsWith("timeSeries", StringComparison.Ordinal) ? IndexSourceType.TimeSeries
            : text.StartsWith("counters", StringComparison.Ordinal) ? IndexSourceType.Counters
            : IndexSourceType.Documents;
    }

    /// <summary>The text without the comments and whitespace before its first word, each later run of whitespace one
    /// space.</summary>
    private static string Significant(string text)
    {
        var result = new StringBuilder();
        for (int at = 0; at < text.Length && result.Length < 200;)
        {
            ReadOnlySpan<char> rest = text.AsSpan(at);
            if (rest.StartsWith("//"))
            {
                int end = rest.IndexOf('\n');
                at += end < 0 ? rest.Length : end + 1;
            }
            else if (rest.StartsWith("/*"))
            {
                int end = rest.IndexOf("*/");
                at += end < 0 ? rest.Length : end + 2;
            }
            else
            {
                char next = char.IsWhiteSpace(rest[0]) ? ' ' : rest[0];
                bool isLeading = next == ' ' && (result.Length == 0 || result[^1] == ' ');
                result.Append(isLeading ? "" : next.ToString());
                at++;
            }
        }

        return result.ToString();
    }
}
