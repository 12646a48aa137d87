namespace Jackdaw.Storage.Trees;

/// <summary>Equality of tree names, so that a name is looked up by its bytes without a copy.</summary>
internal sealed class TreeNameComparer :
    IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
{
    public static readonly TreeNameComparer Instance = new();

    public bool Equals(byte[]? left, byte[]? right) => left.AsSpan().SequenceEqual(right);

    public int GetHashCode(byte[] name) => GetHashCode(name.AsSpan());

    public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

    public int GetHashCode(ReadOnlySpan<byte> alternate) => (int)TreeCatalog.OwnerTagOf(alternate);

    public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();
}
