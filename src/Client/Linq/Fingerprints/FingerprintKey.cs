namespace Jackdaw.Client.Linq.Fingerprints;

/// <summary>One part of a tree: its kind, and the member, type or literal that it names.</summary>
internal readonly record struct FingerprintElement(int Kind, object? Name);

/// <summary>Identifies trees whose texts differ at most in their parameters.</summary>
internal sealed class FingerprintKey : IEquatable<FingerprintKey>
{
    private readonly FingerprintElement[] _parts;
    private readonly int _hash;

    public FingerprintKey(List<FingerprintElement> parts)
    {
        _parts = [.. parts];
        var hash = new HashCode();
        foreach (FingerprintElement part in _parts)
        {
            hash.Add(part.Kind);
            hash.Add(part.Name);
        }

        _hash = hash.ToHashCode();
    }

    public bool Equals(FingerprintKey? other) => other is not null && other._hash == _hash && other._parts.AsSpan().SequenceEqual(_parts);

    public override bool Equals(object? obj) => Equals(obj as FingerprintKey);

    public override int GetHashCode() => _hash;
}
