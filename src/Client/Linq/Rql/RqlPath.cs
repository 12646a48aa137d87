using System.Globalization;
using System.Text;

namespace Jackdaw.Client.Linq.Rql;

/// <summary>One step of a path. Without a name and a position it stands for each element.</summary>
internal readonly record struct PathSegment(string? Name, int? Position);

/// <summary>Where a value is in a document.</summary>
/// <param name="Steps">Empty: the document itself.</param>
/// <param name="Type">Type of the value, as the program knows it.</param>
/// <param name="IsId">Whether it is the id of the document, which is not one of its properties.</param>
internal sealed record RqlPath(IReadOnlyList<PathSegment> Steps, Type Type, bool IsId = false)
{
    public bool IsDocument => Steps.Count == 0 && !IsId;

    /// <summary>Goes through all elements of an array.</summary>
    public bool IsOfEach => Steps.Any(step => step is { Name: null, Position: null });

    /// <summary>Whether it has one step only, a property of the document.</summary>
    public bool IsSimple => Steps.Count == 1;

    /// <summary>Without quotes.</summary>
    public string Name => IsId ? "id()" : Write(step => step, step => step);

    /// <summary>The path as it is written in a query.</summary>
    public string Text => IsId ? "id()" : Write(RqlNames.FirstName, RqlNames.Name);

    /// <summary>Name of the last property.</summary>
    public string LastName => Steps.LastOrDefault(step => step.Name is not null).Name ?? "Value";

    public RqlPath Member(string name, Type type) => this with { Steps = [.. Steps, new PathSegment(name, null)], Type = type };

    public RqlPath Each(Type type) => this with { Steps = [.. Steps, default], Type = type };

    public RqlPath At(int position, Type type) => this with { Steps = [.. Steps, new PathSegment(null, position)], Type = type };

    /// <summary>Reads a path as a program writes it: <c>Address.City</c>, <c>Lines[].Product</c>, <c>'a.b'.c</c>, or <c>id()</c>.</summary>
    /// <exception cref="ArgumentException">The text is not a path.</exception>
    public static RqlPath Parse(string text)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(text);
        if (text == "id()")
        {
            return new RqlPath([], typeof(string), IsId: true);
        }

        List<PathSegment> steps = [];
        for (int at = 0; at < text.Length || at == 0; at++)
        {
            at = ReadName(text, at, steps);
            while (at < text.Length && text[at] == '[')
            {
                at = ReadPosition(text, at, steps);
            }

            if (at < text.Length ? text[at] != '.' || at == text.Length - 1 : false)
            {
                throw NoPath(text);
            }
        }

        return new RqlPath(steps, typeof(object));
    }

    public override string ToString() => Text;

    private static int ReadName(string text, int start, List<PathSegment> steps)
    {
        bool isQuoted = start < text.Length && text[start] == '\'';
        int begin = isQuoted ? start + 1 : start;
        int end = isQuoted ? text.IndexOf('\'', begin) : text.AsSpan(begin).IndexOfAny('.', '[') is var length and >= 0 ? begin + length : text.Length;
        if (end <= begin)
        {
            throw NoPath(text);
        }

        steps.Add(new PathSegment(text[begin..end], null));
        return isQuoted ? end + 1 : end;
    }

    private static int ReadPosition(string text, int start, List<PathSegment> steps)
    {
        int end = text.IndexOf(']', start);
        if (end < 0 || (end > start + 1 && !int.TryParse(text.AsSpan(start + 1, end - start - 1), NumberStyles.None, CultureInfo.InvariantCulture, out _)))
        {
            throw NoPath(text);
        }

        steps.Add(end == start + 1 ? default : new PathSegment(null, int.Parse(text.AsSpan(start + 1, end - start - 1), CultureInfo.InvariantCulture)));
        return end + 1;
    }

    private static ArgumentException NoPath(string text) =>
        new($"'{text}' is not the path of a field: write Name, Address.City, Lines[].Product, or id(). Put a name that contains a dot in single quotes.",
            nameof(text));

    private string Write(Func<string, string> first, Func<string, string> later)
    {
        var text = new StringBuilder();
        foreach (PathSegment step in Steps)
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
