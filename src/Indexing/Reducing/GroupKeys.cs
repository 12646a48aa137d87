using System.Buffers.Binary;

namespace Jackdaw.Indexing.Reducing;

/// <summary>Keys and values of the trees of <see cref="GroupStore"/>; the byte tables stand there.</summary>
internal static class GroupKeys
{
    public const int RowKeyBytes = KeyHash.SizeOf + sizeof(long);
    public const int PartialKeyBytes = KeyHash.SizeOf + 1 + sizeof(long);

    /// <summary>Key of a row.</summary>
    public static ReadOnlySpan<byte> Row(Span<byte> buffer, KeyHash group, long number)
    {
        group.Write(buffer);
        BinaryPrimitives.WriteInt64BigEndian(buffer[KeyHash.SizeOf..], number);
        return buffer[..RowKeyBytes];
    }

    /// <summary>Number of the row with a key.</summary>
    public static long RowNumber(ReadOnlySpan<byte> key) => BinaryPrimitives.ReadInt64BigEndian(key[KeyHash.SizeOf..]);

    /// <summary>Key of a partial result.</summary>
    public static ReadOnlySpan<byte> Partial(Span<byte> buffer, KeyHash group, int level, long node)
    {
        group.Write(buffer);
        buffer[KeyHash.SizeOf] = (byte)level;
        BinaryPrimitives.WriteInt64BigEndian(buffer[(KeyHash.SizeOf + 1)..], node);
        return buffer[..PartialKeyBytes];
    }

    /// <summary>Whether a key belongs to a group.</summary>
    public static bool IsOf(ReadOnlySpan<byte> key, KeyHash group) =>
        key.Length >= KeyHash.SizeOf && KeyHash.Read(key) == group;
}

/// <summary>The header of a group.</summary>
/// <param name="Next">The number of its next row; 0 if it has had no row yet.</param>
/// <param name="Count">Rows it has.</param>
/// <param name="HasPartials">Whether partial results are stored.</param>
internal readonly record struct GroupHeader(long Next, long Count, bool HasPartials)
{
    public const int SizeOf = (2 * sizeof(long)) + 1;

    public static GroupHeader Read(ReadOnlySpan<byte> source) => new(
        BinaryPrimitives.ReadInt64LittleEndian(source),
        BinaryPrimitives.ReadInt64LittleEndian(source[8..]),
        source[16] != 0);

    public void Write(Span<byte> target)
    {
        BinaryPrimitives.WriteInt64LittleEndian(target, Next);
        BinaryPrimitives.WriteInt64LittleEndian(target[8..], Count);
        target[16] = HasPartials ? (byte)1 : (byte)0;
    }
}
