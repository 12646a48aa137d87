using System.Diagnostics;
using System.Runtime.CompilerServices;
using Jackdaw.Pal;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Journal.Recovery;

/// <summary>The last transaction that a recovery found, and whether later entries prove that it was durable. Opening
/// thread.</summary>
/// <remarks>The write of the last entry may have failed, or the process may have ended during it. The entry can then be
/// read, but only from a cache of the drive or of the system. Readers will see it from now on, and the next transaction
/// builds on it, so the same bytes are written again at the same place. A power cut during this write leaves the entry
/// intact, or torn like the first write.</remarks>
internal sealed unsafe class LastEntry(IPlatform platform, string storagePath)
{
    private JournalEntryHeader _header;
    private string? _path;
    private bool _isProven;

    /// <summary>Records a transaction that was found.</summary>
    public void OnTaken(in JournalEntryHeader header, string path)
    {
        Debug.Assert(header.IsTransaction && header.TransactionId > _header.TransactionId);
        _header = header;
        _path = path;
        _isProven = false;
    }

    /// <summary>Records that a later entry says everything up to a transaction is durable.</summary>
    public void OnDurable(long transaction) => _isProven |= transaction >= _header.TransactionId;

    /// <summary>Writes the entry again when nothing proves that it is durable.</summary>
    /// <exception cref="CorruptedJournalException">It has changed since it was found.</exception>
    public void Secure()
    {
        if (_path is null || _isProven)
        {
            return;
        }

        long offset = _header.Block * JournalFormat.BlockSize;
        long bytes = _header.BlockCount * JournalFormat.BlockSize;
        using var buffer = new AlignedBuffer(bytes);
        byte* entry = buffer.Ensure(bytes);
        using (PalFile read = platform.OpenFile(_path, FileOpening.Existing, FileUse.ReadOnly))
        {
            bool isSame = read.Read(offset, entry, bytes) == bytes
                && Unsafe.ReadUnaligned<JournalEntryHeader>(entry).HeaderCrc == _header.HeaderCrc
                && _header.ComputePayloadHash(entry + JournalEntryHeader.SizeOf) == _header.PayloadHash;
            if (!isSame)
            {
                throw new CorruptedJournalException(storagePath,
                    $"transaction {_header.TransactionId} in '{_path}' block {_header.Block} is not the same when it is read again. " +
                    JournalRecovery.Advice);
            }
        }

        using PalFile file = platform.OpenFile(_path, FileOpening.Existing, FileUse.Journal);
        var vector = new PalVector { Base = entry, Length = bytes };
        file.WriteJournal(new ReadOnlySpan<PalVector>(in vector), offset);
    }
}
