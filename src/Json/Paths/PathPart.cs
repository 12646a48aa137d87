namespace Jackdaw.Json.Paths;

/// <summary>One step of a path.</summary>
/// <param name="Name">The name of a member; null for brackets.</param>
/// <param name="Position">The number of <c>[3]</c>, counted from 0; null for a member, and for <c>[]</c>, which stands for each element.</param>
internal readonly record struct PathPart(string? Name, int? Position)
{
    /// <summary>The step to each element of an array.</summary>
    public static PathPart Each => default;

    /// <summary>Whether the step stands for each element of an array.</summary>
    public bool IsEach => Name is null && Position is null;

    public static PathPart Member(string name) => new(name, null);

    public static PathPart Element(int position) => new(null, position);
}
