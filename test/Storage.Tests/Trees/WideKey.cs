using System.Numerics;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Tests.Trees;

/// <summary>A key of the largest size allowed: few fit a page, so small trees become deep.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4, Size = Page.BodySize / 16)]
public readonly struct WideKey(int value) : IComparisonOperators<WideKey, WideKey, bool>, IEquatable<WideKey>
{
    public int Value { get; } = value;

    public static bool operator ==(WideKey left, WideKey right) => left.Value == right.Value;

    public static bool operator !=(WideKey left, WideKey right) => left.Value != right.Value;

    public static bool operator <(WideKey left, WideKey right) => left.Value < right.Value;

    public static bool operator >(WideKey left, WideKey right) => left.Value > right.Value;

    public static bool operator <=(WideKey left, WideKey right) => left.Value <= right.Value;

    public static bool operator >=(WideKey left, WideKey right) => left.Value >= right.Value;

    public bool Equals(WideKey other) => Value == other.Value;

    public override bool Equals(object? obj) => obj is WideKey other && Equals(other);

    public override int GetHashCode() => Value;
}
