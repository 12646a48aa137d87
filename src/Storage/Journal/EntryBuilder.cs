using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Pal;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Journal;

/// <summary>Turns the changes of a transaction into the bytes of one journal entry. One thread at a time: the journal lane, or the
/// writer thread while the lane is idle.</summary>
/// <remarks>Also computes each changed page's checksum, before the diff: the checksum travels inside the diff, so replay
/// proves that base and diffs belong together, and flush writes exactly what replay would make.</remarks>
internal sealed unsafe class EntryBuilder(ulong salt, CompressionPolicy policy) : IDisposable
{
    /// <summary>Buffer kept between transactions; what a large transaction needed is given back when the lane is idle.</summary>
    private const long KeptBytesMax = 4 * 1024 * 1024;

    /// <summary>What a page takes beside its data: its number if it was freed before, its record, and the run for the words of its
    /// header that are filled in last.</summary>
    private const int BytesBesideData = sizeof(long) + PageRecord.SizeOf + 32;

    private static readonly nint s_zeroPage = (nint)NativeMemory.AlignedAlloc(Page.Size, 64);
    private readonly AlignedBuffer _raw = new(512 * 1024);
    private readonly AlignedBuffer _stored = new(512 * 1024);

    static EntryBuilder() => NativeMemory.Clear((void*)s_zeroPage, Page.Size);

    /// <summary>Most bytes that an entry for these changes can take in the journal.</summary>
    public static long Bound(ModifiedPages modified) => Sum(modified, isMeasured: false);

    /// <summary>The same from the differences themselves: tight, and as dear as building the entry. For large transactions, of
    /// which <see cref="Bound"/> asks many times too much when they change a little on many pages.</summary>
    public static long Measure(ModifiedPages modified) => Sum(modified, isMeasured: true);

    /// <summary>Builds header and payload; identity, position and CRC of the header are left to the journal's writer.</summary>
    /// <param name="modified">Changes of the transaction; its pages get a checksum.</param>
    /// <param name="transactionId">Id of the transaction.</param>
    /// <returns>The entry, padded with zeros to whole blocks, valid until the next call.</returns>
    public BuiltEntry Build(ModifiedPages modified, long transactionId)
    {
        _raw.Restart(JournalEntryHeader.SizeOf);
        int freed = AppendFreed(modified);
        int pages = AppendPages(modified, transactionId);
        long rawBytes = _raw.Length - JournalEntryHeader.SizeOf;
        AlignedBuffer chosen = policy.ShouldCompress(rawBytes) && TryCompress(rawBytes) ? _stored : _raw;
        long storedBytes = chosen.Length - JournalEntryHeader.SizeOf;
        Pad(chosen);
        ref JournalEntryHeader header = ref Unsafe.AsRef<JournalEntryHeader>(chosen.Address);
        header = new JournalEntryHeader
        {
            Magic = JournalEntryHeader.MagicValue,
            Version = JournalEntryHeader.FormatVersion,
            Flags = ReferenceEquals(chosen, _stored) ? JournalEntryOptions.Chunked : JournalEntryOptions.None,
            TransactionId = transactionId,
            StoredBytes = storedBytes,
            RawBytes = rawBytes,
            PageCount = pages,
            FreedCount = freed,
        };
        return new BuiltEntry(chosen.Address, chosen.Length);
    }

    /// <summary>Gives back what only a large transaction needed.</summary>
    public void Trim()
    {
        _raw.Trim(KeptBytesMax);
        _stored.Trim(KeptBytesMax);
    }

    /// <summary>Gives all memory back; the next entry takes some anew. For a storage that is idle.</summary>
    public void Release()
    {
        _raw.Trim(0);
        _stored.Trim(0);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _raw.Dispose();
        _stored.Dispose();
    }

    private static long Sum(ModifiedPages modified, bool isMeasured)
    {
        long bytes = JournalEntryHeader.SizeOf + JournalFormat.BlockSize;
        foreach (ref ModifiedPages.Entry entry in modified.Entries)
        {
            bytes += entry.IsFreed ? sizeof(long) : BytesBesideData + DataBytes(entry, isMeasured);
        }

        return bytes;
    }

    private static long DataBytes(in ModifiedPages.Entry entry, bool isMeasured)
    {
        if (entry.Pages > 1)
        {
            return (long)entry.Pages * Page.Size;
        }

        if (!isMeasured)
        {
            return PageDiff.BytesMax;
        }

        PageVersions page = VersionsOf(entry);
        PageChanges.Find(page, next: page, out PageChanges changes);
        return PageDiff.Measure(changes);
    }

    private static void Pad(AlignedBuffer buffer)
    {
        long padded = JournalFormat.BlocksFor(buffer.Length) * JournalFormat.BlockSize;
        byte* end = buffer.Ensure(padded - buffer.Length);
        NativeMemory.Clear(end, (nuint)(padded - buffer.Length));
        buffer.Length = padded;
    }

    private int AppendFreed(ModifiedPages modified)
    {
        int count = 0;
        foreach (ref ModifiedPages.Entry entry in modified.Entries)
        {
            if (entry.WasFreed)
            {
                Unsafe.WriteUnaligned(_raw.Ensure(sizeof(long)), entry.Number.Value);
                _raw.Length += sizeof(long);
                count++;
            }
        }

        return count;
    }

    private int AppendPages(ModifiedPages modified, long transactionId)
    {
        int count = 0;
        Span<ModifiedPages.Entry> entries = modified.Entries;
        for (int i = 0; i < entries.Length; i++)
        {
            ref ModifiedPages.Entry entry = ref entries[i];
            if (!entry.IsFreed)
            {
                var page = new Page(entry.Current);
                Invariant.Check(page.Number == entry.Number && page.PageCount == entry.Pages, "a page lost its own number");
                Invariant.Check(page.Header.LastTransactionId == transactionId, "a page is another transaction's");
                AppendPage(entry, page, VersionsOf(entries[Math.Min(i + 1, entries.Length - 1)]));
                count++;
            }
        }

        return count;
    }

    private void AppendPage(in ModifiedPages.Entry entry, Page page, PageVersions next)
    {
        byte* output = _raw.Ensure(PageRecord.SizeOf + (entry.Pages == 1 ? PageDiff.BytesMax : PageHeader.SizeOf + (long)page.Header.OverflowBytes));
        var record = new PageRecord { PageNumber = entry.Number.Value };
        byte* data = output + PageRecord.SizeOf;
        if (entry.Pages > 1)
        {
            record.Kind = PageRecordKind.Image;
            record.Bytes = WriteImage(entry, page, data);
        }
        else
        {
            record.Kind = entry.IsNew ? PageRecordKind.New : PageRecordKind.Diff;
            record.Bytes = WriteDiff(entry, page, next, data);
        }

        Unsafe.WriteUnaligned(output, record);
        _raw.Length += PageRecord.SizeOf + record.Bytes;
    }

    private int WriteImage(in ModifiedPages.Entry entry, Page page, byte* output)
    {
        Debug.Assert(!PageBytes.OfOverflowRun(page)[page.Header.OverflowBytes..].ContainsAnyExcept((byte)0),
            "replay makes the bytes behind a run's value zero");
        page.Header.Checksum = PageChecksum.Compute(entry.Current, entry.Number, entry.Pages, salt);
        int bytes = PageHeader.SizeOf + page.Header.OverflowBytes;
        Buffer.MemoryCopy(entry.Current, output, bytes, bytes);
        return bytes;
    }

    /// <summary>One look at both versions: it brings the checksum up to date and finds the runs.</summary>
    private int WriteDiff(in ModifiedPages.Entry entry, Page page, PageVersions next, byte* output)
    {
        PageVersions versions = VersionsOf(entry);
        page.Header.Checksum = new Page(versions.Before).Header.Checksum; // so that the field is no difference
        PageChanges.Find(versions, next, out PageChanges changes);
        ulong checksum = entry.IsNew ? PageChecksum.OfZeroPage(entry.Number, salt) : page.Header.Checksum;
        page.Header.Checksum = checksum + changes.SumDifference(versions);
        Debug.Assert(page.Header.Checksum == PageChecksum.Compute(entry.Current, entry.Number, 1, salt), "the checksum lost track of a change");
        changes.Add(PageChecksum.FieldWord);
        return PageDiff.Write(changes, entry.Current, output);
    }

    private static PageVersions VersionsOf(in ModifiedPages.Entry entry) =>
        new(entry.IsNew ? (byte*)s_zeroPage : entry.Previous, entry.Current);

    /// <summary>Chunks of {u32 raw bytes, u32 stored bytes; equal = not compressed} and data.</summary>
    private bool TryCompress(long rawBytes)
    {
        long started = Stopwatch.GetTimestamp();
        byte* source = _raw.Address + JournalEntryHeader.SizeOf;
        _stored.Restart(JournalEntryHeader.SizeOf);
        for (long done = 0; done < rawBytes;)
        {
            int bytes = (int)Math.Min(JournalFormat.ChunkBytes, rawBytes - done);
            int bound = Lz4.Bound(bytes);
            byte* output = _stored.Ensure(8 + bound);
            int written = Lz4.Compress(source + done, bytes, output + 8, bound);
            if (written <= 0 || written >= bytes)
            {
                Buffer.MemoryCopy(source + done, output + 8, bytes, bytes);
                written = bytes;
            }

            Unsafe.WriteUnaligned(output, (uint)bytes);
            Unsafe.WriteUnaligned(output + 4, (uint)written);
            _stored.Length += 8 + written;
            done += bytes;
        }

        Debug.Assert(_stored.Length > JournalEntryHeader.SizeOf);
        policy.OnCompressed(rawBytes, _stored.Length, Stopwatch.GetTimestamp() - started);
        return _stored.Length < _raw.Length;
    }
}

/// <summary>Header and payload in memory: whole blocks, the header not sealed yet. Borrowed from the builder.</summary>
internal readonly unsafe struct BuiltEntry(byte* address, long bytes)
{
    /// <summary>First byte; aligned.</summary>
    public byte* Address => address;

    /// <summary>Bytes, a multiple of the block size.</summary>
    public long Bytes => bytes;

    /// <summary>The header in place.</summary>
    public ref JournalEntryHeader Header => ref Unsafe.AsRef<JournalEntryHeader>(address);
}
