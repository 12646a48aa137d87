using System.Text;

namespace Jackdaw.Client.Linq.Rql;

/// <summary>One step of a path; neither a name nor a position: each element.</summary>
internal readonly record struct PathPart(string? Name, int? Position);

/// <summary>Where a value lies in a document.</summary>
/// <param name="Steps">Empty: the document itself.</param>
/// <param name="Type">Of the value, as the program knows it.</param>
/// <param name="IsId">The id of the document, which is no property of it.</param>
internal sealed record RqlPath(IReadOnlyList<PathPart> Steps, Type Type, bool IsId = false)
{
    public bool IsDocument => Steps.Count == 0 && !IsId;

    /// <summary>Goes through all elements of an array.</summary>
    public bool IsOfEach => Steps.Any(step => step is { Name: null, Position: null });

    /// <summary>Of one property, and not of a property of it.</summary>
    public bool IsSimple => Steps.Count == 1;

    /// <summary>Without quotes.</summary>
    public string Name => IsId ? "id()" : Write(step => step, step => step);

    /// <summary>As it stands in a query.</summary>
    public string Text => IsId ? "id()" : Write(RqlNames.FirstName, RqlNames.Name);

    /// <summary>Name of the last property.</summary>
    public string LastName => Steps.LastOrDefault(step => step.Name is not null).Name ?? "Value";

    public RqlPath Member(string name, Type type) => this with { Steps = [.. Steps, new PathPart(name, null)], Type = type };

    public RqlPath Each(Type type) => this with { Steps = [.. Steps, default], Type = type };

    public RqlPath At(int position, Type type) => this with { Steps = [.. Steps, new PathPart(null, position)], Type = type };

    public override string ToString() => Text;

    private string Write(Func<string, string> first, Func<string, string> later)
    {
        var text = new StringBuilder();
        foreach (PathPart step in Steps)
        {
            if (step.Name is { } name)
            {
                text.Append(text.Length == 0 ? first(name) : "." + later(name));
            }
            else
            {
                text.Append(step.Position is { } position ? $"[{position}]" : "[]");
            }
        }

        return text.ToString();
    }
}
