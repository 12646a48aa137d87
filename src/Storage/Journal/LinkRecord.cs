using System.Buffers.Binary;
using System.Diagnostics;
using System.Text;

namespace Jackdaw.Storage.Journal;

/// <summary>Says under which name a branch has linked the journal that contains the record.</summary>
/// <param name="StorageId">Identity of the branch.</param>
/// <param name="Number">The branch's own number of the file.</param>
/// <param name="Folder">Folder of the branch, relative to that of the storage that writes the file.</param>
/// <remarks>In the payload of an entry: 16 bytes storage id, u64 number, u16 bytes of the folder's name, the name in
/// UTF-8.</remarks>
internal readonly record struct LinkRecord(Guid StorageId, long Number, string Folder)
{
    /// <summary>Most bytes of a record: each fits one block together with the entry's header.</summary>
    public const int BytesMax = JournalFormat.BlockSize - JournalEntryHeader.SizeOf;

    private const int IdBytes = 16;
    private const int FixedBytes = IdBytes + sizeof(long) + sizeof(ushort);

    /// <summary>Bytes of the record.</summary>
    public int Bytes => FixedBytes + Encoding.UTF8.GetByteCount(Folder);

    /// <summary>Writes the record; returns its bytes.</summary>
    public int Write(Span<byte> destination)
    {
        Debug.Assert(Bytes <= BytesMax);
        StorageId.TryWriteBytes(destination);
        BinaryPrimitives.WriteInt64LittleEndian(destination[IdBytes..], Number);
        int length = Encoding.UTF8.GetBytes(Folder, destination[FixedBytes..]);
        BinaryPrimitives.WriteUInt16LittleEndian(destination[(IdBytes + sizeof(long))..], checked((ushort)length));
        return FixedBytes + length;
    }

    /// <summary>Reads all records of a payload whose hash was right; an incomplete record ends the list.</summary>
    public static List<LinkRecord> ReadAll(ReadOnlySpan<byte> payload)
    {
        List<LinkRecord> records = [];
        while (payload.Length >= FixedBytes)
        {
            int end = FixedBytes + BinaryPrimitives.ReadUInt16LittleEndian(payload[(IdBytes + sizeof(long))..]);
            if (end > payload.Length)
            {
                break;
            }

            long number = BinaryPrimitives.ReadInt64LittleEndian(payload[IdBytes..]);
            records.Add(new LinkRecord(new Guid(payload[..IdBytes]), number, Encoding.UTF8.GetString(payload[FixedBytes..end])));
            payload = payload[end..];
        }

        return records;
    }
}

/// <summary>A record that recovery found.</summary>
/// <param name="Record">The record.</param>
/// <param name="Journal">Full name of the file that contains it.</param>
internal readonly record struct FoundLink(LinkRecord Record, string Journal);
