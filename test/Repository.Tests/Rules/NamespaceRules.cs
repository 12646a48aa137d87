using System.Text.RegularExpressions;

namespace Jackdaw.Repository.Tests.Rules;

/// <summary>How namespaces of the product use each other, how large folders are, and that a name stands for one thing.</summary>
public static partial class NamespaceRules
{
    /// <summary>Most C# files in one folder: what a reader takes in at a glance.</summary>
    public const int FilesPerFolderMax = 25;

    /// <summary>Groups of namespaces that use each other in a circle, each with its names in order.</summary>
    public static IReadOnlyList<string[]> Circles(IReadOnlyCollection<SourceFile> sources) => FindCircles(Uses(sources));

    /// <summary>Folders with too many files.</summary>
    public static IEnumerable<Finding> LargeFolders(IReadOnlyCollection<SourceFile> sources) =>
        sources.Where(IsProduct)
            .GroupBy(file => Path.GetDirectoryName(file.Path)!)
            .Where(folder => folder.Count() > FilesPerFolderMax)
            .Select(folder => new Finding(folder.Key, 0, $"{folder.Count()} files: split it by idea", folder.Count()));

    /// <summary>Type names that stand in two namespaces. The client is a program of its own: it names the things of the server as its users know
    /// them, and no reader has both in one file.</summary>
    public static IEnumerable<Finding> NamesOfTwoThings(IReadOnlyCollection<SourceFile> sources) =>
        Types(sources)
            .GroupBy(type => (IsOfClient: type.Space.StartsWith("Jackdaw.Client", StringComparison.Ordinal), type.Name))
            .Select(name => (Key: name.Key.Name, Spaces: name.Select(type => type.Space).Distinct().Order(StringComparer.Ordinal).ToArray()))
            .Where(name => name.Spaces.Length > 1)
            .Select(name => new Finding(name.Key, 0, $"stands in {string.Join(" and ", name.Spaces)}: one name, one thing"));

    /// <summary>Which namespaces each one uses: by a using directive (unused ones are errors of the build), by a name that begins with the last
    /// word of another namespace, or by a type of a namespace around it, which needs neither.</summary>
    public static Dictionary<string, SortedSet<string>> Uses(IReadOnlyCollection<SourceFile> sources)
    {
        ILookup<string, string> types = Types(sources).ToLookup(type => type.Space, type => type.Name);
        var uses = new Dictionary<string, SortedSet<string>>(StringComparer.Ordinal);
        foreach (SourceFile file in sources.Where(IsProduct))
        {
            if (SpaceOf(file) is { } space)
            {
                uses.TryAdd(space, new SortedSet<string>(StringComparer.Ordinal));
                uses[space].UnionWith(UsedBy(file, space, types));
            }
        }

        return uses;
    }

    /// <summary>The namespaces of each project, by the name of its folder in src.</summary>
    public static ILookup<string, string> OfProjects(IReadOnlyCollection<SourceFile> sources) =>
        sources.Where(IsProduct)
            .Where(file => SpaceOf(file) is not null)
            .Select(file => (Project: file.Path.Split('/')[1], Space: SpaceOf(file)!))
            .Distinct()
            .ToLookup(file => file.Project, file => file.Space);

    private static IEnumerable<string> UsedBy(SourceFile file, string space, ILookup<string, string> types)
    {
        HashSet<string> directives = [.. UsingLine().Matches(file.Code).Select(match => match.Groups[1].Value)];
        HashSet<string> words = [.. Word().Matches(UsingLine().Replace(file.Code, "")).Select(match => match.Value)];
        foreach (IGrouping<string, string> other in types.Where(other => other.Key != space))
        {
            bool isAround = space.StartsWith(other.Key + ".", StringComparison.Ordinal);
            string last = other.Key[(other.Key.LastIndexOf('.') + 1)..];
            if (directives.Contains(other.Key) || (isAround && other.Any(words.Contains)) ||
                (words.Contains(last) && other.Any(type => words.Contains(type) && IsQualified(file.Code, last, type))))
            {
                yield return other.Key;
            }
        }
    }

    private static bool IsQualified(string code, string space, string type) =>
        Regex.IsMatch(code, $@"(?<!namespace [\w.]*)\b{space}\.{type}\b");

    private static List<string[]> FindCircles(Dictionary<string, SortedSet<string>> uses)
    {
        var reached = uses.Keys.ToDictionary(space => space, space => Reach(space, uses));
        return
        [
            .. uses.Keys
                .Where(space => reached[space].Contains(space))
                .Select(space => reached[space].Where(other => reached[other].Contains(space)).Order(StringComparer.Ordinal).ToArray())
                .DistinctBy(circle => string.Join(' ', circle)),
        ];
    }

    /// <summary>All that a namespace uses, directly or through others; itself only when there is a way back.</summary>
    private static HashSet<string> Reach(string from, Dictionary<string, SortedSet<string>> uses)
    {
        var reached = new HashSet<string>(StringComparer.Ordinal);
        var open = new Stack<string>(uses[from]);
        while (open.TryPop(out string? space))
        {
            if (reached.Add(space))
            {
                foreach (string next in uses[space])
                {
                    open.Push(next);
                }
            }
        }

        return reached;
    }

    private static IEnumerable<(string Space, string Name)> Types(IReadOnlyCollection<SourceFile> sources) =>
        from file in sources.Where(IsProduct)
        let space = SpaceOf(file)
        where space is not null
        from type in file.Outline.Types
        where !type.IsNested
        select (space, type.Name);

    private static bool IsProduct(SourceFile file) => file.IsCSharp && file.IsUnder("src");

    private static string? SpaceOf(SourceFile file) =>
        SpaceLine().Match(file.Code) is { Success: true } match ? match.Groups[1].Value : null;

    [GeneratedRegex(@"^namespace\s+([\w.]+)\s*;", RegexOptions.Multiline)]
    private static partial Regex SpaceLine();

    [GeneratedRegex(@"^using\s+(?:static\s+)?(?:\w+\s*=\s*)?([\w.]+)\s*;", RegexOptions.Multiline)]
    private static partial Regex UsingLine();

    [GeneratedRegex(@"\b[A-Z]\w*\b")]
    private static partial Regex Word();
}
