using Jackdaw.Json.Paths;

namespace Jackdaw.Documents.Parsing;

/// <summary>The place at which a document names others: <c>companyId</c>, <c>lines.product</c>, <c>lines[].product</c>,
/// <c>customer(customers/)</c>, <c>customer[{0}-suffix]</c>, <c>attributes.$Keys</c>, <c>attributes.$Values[].ref</c>.</summary>
/// <remarks>It is a path as queries have it. The value at the place is an id, or the part of an id that the prefix or the pattern completes.
/// Immutable.</remarks>
public sealed class IncludePath
{
    private const string Placeholder = "{0}";

    private IncludePath(DocumentPath members, string before, string after)
    {
        Members = members;
        Before = before;
        After = after;
    }

    /// <summary>The place of the value.</summary>
    internal DocumentPath Members { get; }

    /// <summary>The part of an id before the value.</summary>
    internal string Before { get; }

    /// <summary>The part of an id after the value.</summary>
    internal string After { get; }

    /// <summary>Whether numbers count too: a number alone is not an id, but it is with a prefix or a suffix.</summary>
    internal bool TakesNumbers => Before.Length + After.Length > 0;

    /// <summary>Reads a path. Returns false for a path without a member.</summary>
    public static bool TryParse(string path, out IncludePath include)
    {
        string members = path;
        string before = "";
        string after = "";
        if (path.EndsWith(')') && path.IndexOf('(', StringComparison.Ordinal) is > 0 and int open)
        {
            members = path[..open];
            before = path[(open + 1)..^1];
        }
        else if (path.EndsWith(']') && path.LastIndexOf('[') is > 0 and int bracket
            && path.IndexOf(Placeholder, bracket, StringComparison.Ordinal) is > 0 and int value)
        {
            members = path[..bracket];
            before = path[(bracket + 1)..value];
            after = path[(value + Placeholder.Length)..^1];
        }
        if (DocumentPath.TryParse(members, out DocumentPath? place))
        {
            include = new IncludePath(place, before, after);
            return true;
        }

        // Superfluous dots are left out.
        string[] names = members.Replace("[]", "", StringComparison.Ordinal).Split('.', StringSplitOptions.RemoveEmptyEntries);
        include = new IncludePath(new DocumentPath(names.Select(PathPart.Member)), before, after);
        return names.Length > 0;
    }
}
