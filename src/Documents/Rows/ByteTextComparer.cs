using System.Diagnostics.CodeAnalysis;

namespace Jackdaw.Documents.Rows;

/// <summary>Compares texts as bytes, so that dictionaries of them can be searched by spans.</summary>
internal sealed class ByteTextComparer :
    IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
{
    public static readonly ByteTextComparer Instance = new();

    public bool Equals(byte[]? left, byte[]? right) => left.AsSpan().SequenceEqual(right);

    public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

    public int GetHashCode([DisallowNull] byte[] text) => GetHashCode(text.AsSpan());

    public int GetHashCode(ReadOnlySpan<byte> alternate)
    {
        var hash = default(HashCode);
        hash.AddBytes(alternate);
        return hash.ToHashCode();
    }

    public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();
}
