using Jackdaw.Pal;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Journal.Recovery;

/// <summary>Reads entry headers and payloads of one journal file for recovery. Bytes come from a disk and are trusted
/// only after their checks.</summary>
internal readonly unsafe struct JournalScan(PalFile file, Guid incarnation, long blocks)
{
    /// <summary>First valid entry header at or after a block; negative when the rest of the file has none.</summary>
    public long FindEntry(long block, out JournalEntryHeader header)
    {
        header = default;
        for (; block < blocks; block++)
        {
            if (TryReadEntry(block, out header))
            {
                return block;
            }
        }

        return -1;
    }

    /// <summary>The header of the entry that begins at a block; false when none does.</summary>
    /// <exception cref="NotSupportedException">A newer version wrote it.</exception>
    public bool TryReadEntry(long block, out JournalEntryHeader header)
    {
        JournalEntryHeader candidate = default;
        long read = file.Read(block * JournalFormat.BlockSize, (byte*)&candidate, JournalEntryHeader.SizeOf);
        header = candidate;
        if (read == JournalEntryHeader.SizeOf && candidate.IsValid(incarnation, block, blocks))
        {
            return true;
        }

        if (candidate.IsOfNewerFormat(incarnation, block))
        {
            throw new NotSupportedException(
                $"The journal '{file.Path}' has entries of format {candidate.Version}; this version of Jackdaw reads up to " +
                $"{JournalEntryHeader.FormatVersion}. Use the newer version that wrote it.");
        }

        return false;
    }

    /// <summary>The stored payload; null when it does not have the hash of its header.</summary>
    public byte* ReadPayload(in JournalEntryHeader header, AlignedBuffer buffer)
    {
        buffer.Length = 0;
        byte* payload = buffer.Ensure(Math.Max(1, header.StoredBytes));
        long read = file.Read((header.Block * JournalFormat.BlockSize) + JournalEntryHeader.SizeOf, payload, header.StoredBytes);
        return read == header.StoredBytes && header.ComputePayloadHash(payload) == header.PayloadHash ? payload : null;
    }
}
