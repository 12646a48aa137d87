namespace Jackdaw.Storage.Tests.Trees;

/// <summary>The order of keys, told a second time for the model.</summary>
internal sealed class KeyComparer : IComparer<byte[]>
{
    public static readonly KeyComparer Instance = new();

    public int Compare(byte[]? left, byte[]? right) => left.AsSpan().SequenceCompareTo(right);
}
