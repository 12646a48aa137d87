namespace Jackdaw.Client.Linq.Shapes;

/// <summary>One thing that a tree consists of: what it is, and which member, type or literal it names.</summary>
internal readonly record struct ShapePart(int Kind, object? Name);

/// <summary>What two trees have in common whose texts differ in parameters only, if at all.</summary>
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
