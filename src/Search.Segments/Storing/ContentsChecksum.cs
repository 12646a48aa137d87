using System.Numerics;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Search.Segments.Storing;

/// <summary>Checksums of the contents of segments. A page's own checksum says that the page is whole; this one says that its contents belong to the
/// segment.</summary>
internal static class ContentsChecksum
{
    private const int KindBits = 8;
    private const ulong FieldFactor = 0x9E3779B97F4A7C15;

    /// <summary>The share of a chunk in the checksum of its segment, which is the sum of all shares.</summary>
    public static ulong OfChunk(int field, PartKind kind, int chunk, ReadOnlySpan<byte> bytes) =>
        Checksum.Compute(bytes, (PartRecord.KeyOf(field, kind) * FieldFactor) + (((ulong)(uint)chunk << KindBits) | (byte)kind));

    /// <summary>The share of the directory, which has the small parts.</summary>
    public static ulong OfDirectory(ReadOnlySpan<byte> bytes) => Checksum.Compute(bytes, FieldFactor);

    /// <summary>The checksum of a field, which its record has behind the traits.</summary>
    /// <param name="key">Its number.</param>
    /// <param name="value">Its record.</param>
    public static ushort OfField(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        ulong sum = Checksum.Compute(value[sizeof(int)..], BitOperations.RotateLeft(Checksum.Compute(key, 0), 16) ^ value[0] ^ ((ulong)value[1] << 8));
        return (ushort)(sum ^ (sum >> 16) ^ (sum >> 32) ^ (sum >> 48));
    }
}
