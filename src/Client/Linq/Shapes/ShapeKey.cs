namespace Jackdaw.Client.Linq.Shapes;

/// <summary>One part of a tree: its kind, and the member, type or literal that it names.</summary>
internal readonly record struct ShapePart(int Kind, object? Name);

/// <summary>Identifies trees whose texts differ at most in their parameters.</summary>
internal sealed class ShapeKey : IEquatable<ShapeKey>
{
    private readonly ShapePart[] _parts;
    private readonly int _hash;

    public ShapeKey(List<ShapePart> parts)
    {
        _parts = [.. parts];
        var hash = new HashCode();
        foreach (ShapePart part in _parts)
        {
            hash.Add(part.Kind);
            hash.Add(part.Name);
        }

        _hash = hash.ToHashCode();
    }

    public bool Equals(ShapeKey? other) => other is not null && other._hash == _hash && other._parts.AsSpan().SequenceEqual(_parts);

    public override bool Equals(object? obj) => Equals(obj as ShapeKey);

    public override int GetHashCode() => _hash;
}
