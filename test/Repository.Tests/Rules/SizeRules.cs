namespace Jackdaw.Repository.Tests.Rules;

/// <summary>How long files, bodies and lines may be. Figures from the code bases the house style was learnt from: 95 %
/// of their files have fewer than
/// 313 lines, 95 % of their bodies fewer than 28; what is three times as long is read by nobody.</summary>
public static class SizeRules
{
    public const int FileLinesWanted = 300;
    public const int FileLinesMax = 1000;
    public const int BodyLinesWanted = 30;
    public const int BodyLinesMax = 70;
    public const int ColumnsWanted = 120;

    /// <summary>Beyond this a line is cut off in a side-by-side review; between 120 and 160 it is only
    /// counted.</summary>
    public const int ColumnsMax = 160;

    public const int ProjectLinesMax = 30;
    public const int NotesLinesMax = 120;
    public const int MapLinesMax = 400;

    /// <summary>What everybody reads first is read to its end only when it is short.</summary>
    public const int ReadmeLinesMax = 139;

    public const int RoadmapLinesMax = 169;

    /// <summary>Share of src/Server in the lines of the product without its client.</summary>
    public const double ServerShareMax = 0.35;

    public static IEnumerable<Finding> LongFiles(SourceFile file)
    {
        if (LineLimit(file.Path) is { } limit && file.LineCount > limit)
        {
            string advice = IsProgram(file.Path) ? "split it by concept" : "say it shorter, or move it to a page of its own";
            yield return new Finding(file.Path, 0, $"{file.LineCount} lines, the limit is {limit}: {advice}", file.LineCount);
        }
    }

    public static IEnumerable<Finding> LongBodies(SourceFile file)
    {
        if (!file.IsCSharp)
        {
            return [];
        }

        string limit = $"the limit is {BodyLinesMax}: control flow here, computation in leaves";
        return file.Outline.Methods.Where(m => m.BodyLines > BodyLinesMax)
            .Select(m => new Finding(file.Path, m.Line, $"{m.Name} has {m.BodyLines} lines, {limit}", m.BodyLines));
    }

    public static IEnumerable<Finding> LongLines(SourceFile file) => LinesOver(file, ColumnsMax)
        .Select(line => new Finding(file.Path, line, $"more than {ColumnsMax} columns"));

    public static IEnumerable<int> LinesOver(SourceFile file, int columns) =>
        IsProgram(file.Path)
            ? Enumerable.Range(1, file.Lines.Count).Where(line => file.Lines[line - 1].Length > columns)
            : [];

    private static int? LineLimit(string path) => path switch
    {
        "AGENTS.md" => NotesLinesMax,
        "docs/ARCHITECTURE.md" => MapLinesMax,
        "README.md" => ReadmeLinesMax,
        "docs/ROADMAP.md" => RoadmapLinesMax,
        _ when path.EndsWith(".csproj", StringComparison.Ordinal) => ProjectLinesMax,
        _ when IsProgram(path) => FileLinesMax,
        _ => null,
    };

    private static bool IsProgram(string path) =>
        Path.GetExtension(path) is ".cs" or ".c" or ".h" or ".js" or ".zig" or ".sh";
}
