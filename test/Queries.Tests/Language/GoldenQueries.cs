namespace Jackdaw.Queries.Tests.Language;

/// <summary>The queries of a golden file: a line with the text, a line with its tree, an empty line; lines that begin
/// with # are comments.</summary>
internal static class GoldenQueries
{
    public static IReadOnlyList<(string Text, string Tree)> Read(string name)
    {
        using Stream stream = typeof(GoldenQueries).Assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream);
        string[] lines = [.. reader.ReadToEnd().Split('\n').Where(line => line.Length > 0 && line[0] != '#')];
        Assert.True(lines.Length % 2 == 0, $"{name} has a text without a tree");
        return [.. lines.Chunk(2).Select(pair => (pair[0].Replace("\\n", "\n", StringComparison.Ordinal), pair[1]))];
    }
}
