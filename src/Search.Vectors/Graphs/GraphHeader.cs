using System.Runtime.InteropServices;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>What is stored of a graph besides its columns: one record per field. 128 bytes, little-endian.</summary>
/// <remarks>
/// <code>
/// offset size field
///      0    2 version of the format
///      2    2 edges: neighbours of a node on each level above the lowest, where it has twice as many
///      4    2 dimensions
///      6    1 kind of the codes, see <see cref="VectorCodeKind"/>
///      7    1 top level; -1 = no node yet
///      8    4 candidates for indexing
///     12    4 nodes, dead and free ones included
///     16    4 records of upper levels
///     20    4 entry: the node on the top level at which walks begin
///     24    4 dead nodes: no entry has them, but walks still go through them
///     28    4 free nodes
///     32    4 first free node, plus 1; 0 = none
///     36    4 nodes that have a code of the next kind, too; 0 while codes stay
///     40    8 seed of levels and hashes
///     48    8 vectors that came and went, ever
///     56    8 changes when a reconnection ended last; 0 = never, or before the last repair
///     64   64 zero
/// </code>
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = SizeOf)]
internal struct GraphHeader
{
    public const int SizeOf = 128;
    public const ushort CurrentVersion = 1;

    [FieldOffset(0)]
    public ushort Version;

    [FieldOffset(2)]
    public ushort Edges;

    [FieldOffset(4)]
    public ushort Dimensions;

    [FieldOffset(6)]
    public VectorCodeKind CodeKind;

    [FieldOffset(7)]
    public sbyte TopLevel;

    [FieldOffset(8)]
    public uint Candidates;

    [FieldOffset(12)]
    public uint Nodes;

    [FieldOffset(16)]
    public uint UpperRecords;

    [FieldOffset(20)]
    public uint Entry;

    [FieldOffset(24)]
    public uint Dead;

    [FieldOffset(28)]
    public uint Free;

    [FieldOffset(32)]
    public uint FirstFree;

    [FieldOffset(36)]
    public uint Recoded;

    [FieldOffset(40)]
    public ulong Seed;

    [FieldOffset(48)]
    public long Changes;

    [FieldOffset(56)]
    public long ConnectedAt;

    /// <summary>Nodes that entries have.</summary>
    public readonly uint Live => Nodes - Dead - Free;
}
