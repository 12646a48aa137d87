using System.Text;
using System.Text.RegularExpressions;

namespace Jackdaw.Repository.Tests.Rules;

/// <summary>The drawing of one project's layers in docs/ARCHITECTURE.md: the names of namespaces in each line, from top to bottom, and what each
/// one is for.</summary>
/// <remarks>
/// A drawing follows a line that begins with "In src/NAME". Its lines are names of namespaces below that of the project (<c>(root)</c> is that
/// one itself), separated by
/// <c>|</c>; then, after at least two spaces, as many descriptions, separated likewise. A namespace uses only those on lower lines, and none on
/// its own line.
/// </remarks>
public sealed partial class LayerDrawing
{
    private const string Root = "(root)";
    private const int NamesPerLineMax = 3;
    private const int DescriptionColumn = 44;
    private const int ColumnsMax = 150;

    private readonly string[][] _lines;
    private readonly Dictionary<string, string> _descriptions = new(StringComparer.Ordinal);

    private LayerDrawing(string project, string text)
    {
        Project = project;
        string[][] halves = [.. text.Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0).Select(line => Gap().Split(line, 2))];
        _lines = [.. halves.Select(half => Parts(half[0]))];
        foreach (string[] half in halves.Where(half => half.Length == 2 && Parts(half[0]).Length == Parts(half[1]).Length))
        {
            foreach ((string name, string description) in Parts(half[0]).Zip(Parts(half[1])))
            {
                _descriptions[name] = description;
            }
        }
    }

    /// <summary>The project's folder in src.</summary>
    public string Project { get; }

    /// <summary>The drawings of a page, in its order.</summary>
    public static IReadOnlyList<LayerDrawing> Read(string page) =>
        [.. Block().Matches(page.ReplaceLineEndings("\n")).Select(match => new LayerDrawing(match.Groups[1].Value, match.Groups[2].Value))];

    /// <summary>What is wrong with the drawings, and a right one for each project that has a wrong one or none. A project with one namespace
    /// needs no drawing.</summary>
    public static IEnumerable<string> Compare(IReadOnlyCollection<LayerDrawing> drawings, IReadOnlyCollection<SourceFile> sources)
    {
        Dictionary<string, SortedSet<string>> uses = NamespaceRules.Uses(sources);
        ILookup<string, string> projects = NamespaceRules.OfProjects(sources);
        foreach (LayerDrawing drawing in drawings.Where(drawing => !projects.Contains(drawing.Project)))
        {
            yield return $"There is no project src/{drawing.Project}.";
        }

        foreach (IGrouping<string, string> project in projects.Where(project => project.Count() > 1))
        {
            LayerDrawing drawing = drawings.FirstOrDefault(drawing => drawing.Project == project.Key) ?? new LayerDrawing(project.Key, "");
            var own = project.ToDictionary(drawing.NameOf, space => uses[space].Where(project.Contains).Select(drawing.NameOf).ToArray());
            string[] problems = [.. drawing.Problems(own)];
            foreach (string problem in problems)
            {
                yield return $"src/{project.Key}: {problem}";
            }

            if (problems.Length > 0)
            {
                yield return $"A right drawing of src/{project.Key}:\n```\n{drawing.Redraw(own)}```";
            }
        }
    }

    private static string[] Parts(string text) => text.Split(" | ", StringSplitOptions.TrimEntries);

    private string NameOf(string space)
    {
        string root = "Jackdaw." + Project;
        return space == root ? Root : space.StartsWith(root + ".", StringComparison.Ordinal) ? space[(root.Length + 1)..] : space;
    }

    private IEnumerable<string> Problems(Dictionary<string, string[]> uses)
    {
        var lineOf = new Dictionary<string, int>(StringComparer.Ordinal);
        for (int line = 0; line < _lines.Length; line++)
        {
            foreach (string name in _lines[line])
            {
                if (!lineOf.TryAdd(name, line))
                {
                    yield return $"{name} is drawn twice.";
                }
            }
        }

        foreach (string name in lineOf.Keys.Where(name => !uses.ContainsKey(name)))
        {
            yield return $"{name} is drawn and does not exist.";
        }

        foreach (string name in uses.Keys.Where(name => !lineOf.ContainsKey(name)))
        {
            yield return $"{name} is not drawn.";
        }

        foreach (string name in lineOf.Keys.Where(name => _descriptions.GetValueOrDefault(name, "").Trim('?', ' ').Length == 0))
        {
            yield return $"{name} has no description: a line needs one for each of its names.";
        }

        foreach ((string name, string[] used) in uses)
        {
            foreach (string other in used.Where(other => lineOf.ContainsKey(name) && lineOf.TryGetValue(other, out int line) && line <= lineOf[name]))
            {
                yield return $"{name} uses {other}, which is not on a lower line.";
            }
        }
    }

    /// <summary>Draws each namespace as low as what it uses allows, with the descriptions of this drawing.</summary>
    private string Redraw(Dictionary<string, string[]> uses)
    {
        var heights = new Dictionary<string, int>(StringComparer.Ordinal);
        int Height(string name)
        {
            if (!heights.TryGetValue(name, out int height))
            {
                heights[name] = 0; // ends a circle, of which no drawing is right
                heights[name] = height = uses[name].Select(Height).DefaultIfEmpty(-1).Max() + 1;
            }

            return height;
        }

        var text = new StringBuilder();
        foreach (IGrouping<int, string> level in uses.Keys.OrderBy(name => name, StringComparer.Ordinal).GroupBy(Height).OrderByDescending(level => level.Key))
        {
            var line = new List<string>();
            foreach (string name in level)
            {
                if (line.Count == NamesPerLineMax || (line.Count > 0 && Line([.. line, name]).Length > ColumnsMax))
                {
                    text.Append(Line(line)).Append('\n');
                    line.Clear();
                }

                line.Add(name);
            }

            text.Append(Line(line)).Append('\n');
        }

        return text.ToString();
    }

    private string Line(List<string> names) =>
        $" {string.Join(" | ", names).PadRight(DescriptionColumn - 3)}  {string.Join(" | ", names.Select(name => _descriptions.GetValueOrDefault(name, "?")))}";

    [GeneratedRegex(@"^In src/([\w.]+)[^\n]*\n\n```\n(.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Block();

    [GeneratedRegex(@"\s{2,}")]
    private static partial Regex Gap();
}
