using System.Buffers.Binary;
using System.Numerics;

namespace Jackdaw.ProcessTests.Harness;

/// <summary>The header file of a storage, as docs/formats/headers.md describes it.</summary>
internal static class StoredHeader
{
    private const int CopyBytes = 8192;
    private const int HeaderBytes = 168;
    private const int VersionOffset = 8;
    private const int ChecksumOffset = 12;

    /// <summary>Makes both copies those of another format version, with right checksums.</summary>
    public static void SetVersion(string storageFolder, ushort version)
    {
        string path = Path.Combine(storageFolder, "headers");
        byte[] file = File.ReadAllBytes(path);
        for (int copy = 0; copy < 2; copy++)
        {
            Span<byte> header = file.AsSpan(copy * CopyBytes, HeaderBytes);
            BinaryPrimitives.WriteUInt16LittleEndian(header[VersionOffset..], version);
            header.Slice(ChecksumOffset, sizeof(uint)).Clear();
            BinaryPrimitives.WriteUInt32LittleEndian(header[ChecksumOffset..], Checksum(header));
        }

        File.WriteAllBytes(path, file);
    }

    private static uint Checksum(ReadOnlySpan<byte> bytes)
    {
        uint crc = uint.MaxValue;
        foreach (byte next in bytes)
        {
            crc = BitOperations.Crc32C(crc, next);
        }

        return ~crc;
    }
}
