using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Resources;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Trees;
using K4os.Compression.LZ4;

namespace Jackdaw.Storage.Journal;

/// <summary>Turns the changes of a transaction into the bytes of one journal entry. One thread at a time: the
/// committer, or the writer thread while the committer is idle.</summary>
/// <remarks>Computes the checksum of each changed page before its diff, so that the diff contains the checksum. Replay
/// thereby proves that base and diffs belong together, and a flush writes exactly what replay would produce.</remarks>
internal sealed unsafe class EntryBuilder(ulong salt, CompressionPolicy policy, MemoryBudget? memory = null) : IDisposable
{
    /// <summary>Bytes of the buffer kept between transactions; a larger buffer is released when the committer is
    /// idle.</summary>
    private const long CachedBytesMax = 4 * 1024 * 1024;

    /// <summary>What a page takes in addition to its data: its number if it was freed before, its record, and the run
    /// with the words of its header that are filled in last.</summary>
    private const int BytesBesideData = sizeof(long) + PageRecord.SizeOf + 32;

    /// <summary>The first compression of a process includes JIT compilation, fifty times as long as the compression
    /// itself: it says nothing about the speed. Set by any builder; when two set it at the same time, measuring only
    /// starts one entry later.</summary>
    private static volatile bool s_isCompressionCompiled;

    private static readonly nint s_zeroPage = (nint)NativeMemory.AlignedAlloc(Page.Size, 64);
    private readonly AlignedBuffer _raw = new(512 * 1024, memory);
    private readonly AlignedBuffer _stored = new(512 * 1024, memory);

    static EntryBuilder() => NativeMemory.Clear((void*)s_zeroPage, Page.Size);

    /// <summary>Most bytes that an entry for these changes can take in the journal.</summary>
    public static long Bound(ModifiedPages modified) => Sum(modified, isMeasured: false);

    /// <summary>Like <see cref="Bound"/>, but from the differences themselves: a tight bound that is as expensive as
    /// building the entry. For large transactions that change little on many pages, for which <see cref="Bound"/> is
    /// many times too high.</summary>
    public static long Measure(ModifiedPages modified) => Sum(modified, isMeasured: true);

    /// <summary>Builds header and payload; identity, position and CRC of the header are left to the journal's
    /// writer.</summary>
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
        Debug.Assert(header.BlockCount * JournalFormat.BlockSize == chosen.Length);
        Debug.Assert(chosen.Length <= Bound(modified), "the bound is what space is reserved by");
        return new BuiltEntry(chosen.Address, chosen.Length);
    }

    /// <summary>Releases memory that only a large transaction needed.</summary>
    public void Trim()
    {
        _raw.Trim(CachedBytesMax);
        _stored.Trim(CachedBytesMax);
    }

    /// <summary>Releases all memory; the next entry allocates it again. For an idle storage.</summary>
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
        if (entry.Way != PageWay.Journal)
        {
            return PageHeader.SizeOf;
        }

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
            if (entry.Way != PageWay.Journal)
            {
                AppendDirect(modified.Direct.HeaderOf(entry.Number), entry, transactionId);
                count++;
            }
            else if (!entry.IsFreed)
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

    /// <summary>Names a run whose content is durable in the data file.</summary>
    private void AppendDirect(in PageHeader header, in ModifiedPages.Entry entry, long transactionId)
    {
        Invariant.Check(entry.Way == PageWay.Written, "a direct run is named that was not written");
        Invariant.Check(header.PageNumber == entry.Number && Page.CountPages(header.OverflowBytes) == entry.Pages, "a direct run lost its own number");
        Invariant.Check(header.LastTransactionId == transactionId, "a direct run is another transaction's");
        byte* output = _raw.Ensure(PageRecord.SizeOf + PageHeader.SizeOf);
        Unsafe.WriteUnaligned(output, new PageRecord { PageNumber = entry.Number.Value, Kind = PageRecordKind.Direct, Bytes = PageHeader.SizeOf });
        Unsafe.WriteUnaligned(output + PageRecord.SizeOf, header);
        _raw.Length += PageRecord.SizeOf + PageHeader.SizeOf;
    }

    private int WriteImage(in ModifiedPages.Entry entry, Page page, byte* output)
    {
        Debug.Assert(!PageBytes.OfOverflowRun(page)[page.Header.OverflowBytes..].ContainsAnyExcept((byte)0),
            "replay makes the bytes after a run's value zero");
        page.Header.Checksum = PageChecksum.Compute(entry.Current, entry.Number, entry.Pages, salt);
        int bytes = PageHeader.SizeOf + page.Header.OverflowBytes;
        Buffer.MemoryCopy(entry.Current, output, bytes, bytes);
        return bytes;
    }

    /// <summary>One pass over both versions updates the checksum and finds the runs.</summary>
    private int WriteDiff(in ModifiedPages.Entry entry, Page page, PageVersions next, byte* output)
    {
        PageVersions versions = VersionsOf(entry);
        page.Header.Checksum = new Page(versions.Before).Header.Checksum; // so that the field does not differ
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
            int bound = LZ4Codec.MaximumOutputSize(bytes);
            byte* output = _stored.Ensure(8 + bound);
            int written = LZ4Codec.Encode(source + done, bytes, output + 8, bound, LZ4Level.L00_FAST);
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
        if (s_isCompressionCompiled)
        {
            policy.OnCompressed(rawBytes, _stored.Length, Stopwatch.GetTimestamp() - started);
        }

        s_isCompressionCompiled = true;
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
