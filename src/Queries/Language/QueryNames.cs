namespace Jackdaw.Queries.Language;

/// <summary>Names and texts as they are written in a query.</summary>
internal static class QueryNames
{
    private static readonly HashSet<string> s_words = new(
        [.. QueryParser.Reserved, "from", "index", "true", "false", "null", "not", "and", "or", "between", "in", "all", "declare", "distinct"],
        StringComparer.OrdinalIgnoreCase);

    /// <summary>A text in quotes.</summary>
    /// <param name="text">The text.</param>
    /// <param name="quote">Either kind of quotes.</param>
    public static string Quote(string text, char quote = '\'') =>
        $"{quote}{text.Replace("\\", @"\\", StringComparison.Ordinal).Replace(quote.ToString(), $"\\{quote}", StringComparison.Ordinal)}{quote}";

    /// <summary>A name that begins a path, or names a source; in quotes when it would be read as something else without them.</summary>
    public static string First(string name) => IsPlain(name) && !s_words.Contains(name) ? name : Quote(name);

    /// <summary>A name as a later part of a path.</summary>
    public static string Part(string name) => IsPlain(name) ? name : Quote(name);

    private static bool IsPlain(string name) =>
        name.Length > 0 && (char.IsLetter(name[0]) || name[0] is '_' or '@') && name.All(QueryScanner.IsInName);
}
