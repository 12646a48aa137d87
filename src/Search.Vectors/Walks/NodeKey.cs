using System.Runtime.CompilerServices;

namespace Jackdaw.Search.Vectors.Walks;

/// <summary>A node with its distance in one number: keys are ordered by distance, then by node.</summary>
/// <remarks>
/// <code>
/// bits  meaning
/// 32-63 the distance, in a form whose order as a whole number is that of the distances
///  1-31 the node
///     0 whether a walk has been at the neighbours of the node
/// </code>
/// </remarks>
internal static class NodeKey
{
    /// <summary>Nodes have 31 bits.</summary>
    public const uint NodesMax = int.MaxValue;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Of(float distance, uint node) => ((ulong)Ordered(distance) << 32) | (node << 1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Node(ulong key) => (uint)key >> 1;

    /// <summary>The nodes of keys, in their order.</summary>
    public static uint[] Nodes(ReadOnlySpan<ulong> keys)
    {
        uint[] nodes = new uint[keys.Length];
        for (int i = 0; i < nodes.Length; i++)
        {
            nodes[i] = Node(keys[i]);
        }

        return nodes;
    }

    public static float Distance(ulong key)
    {
        int bits = (int)((uint)(key >> 32) - 0x80000000u);
        return BitConverter.Int32BitsToSingle(bits ^ ((bits >> 31) & int.MaxValue));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Ordered(float distance)
    {
        int bits = BitConverter.SingleToInt32Bits(distance);
        return (uint)(bits ^ ((bits >> 31) & int.MaxValue)) + 0x80000000u;
    }
}
