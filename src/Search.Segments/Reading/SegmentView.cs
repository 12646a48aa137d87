using System.Numerics;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>A segment as one transaction sees it. A search uses it again for other segments. One thread.</summary>
internal sealed unsafe class SegmentView
{
    private PageReader _pages = null!; // set by Open
    private byte** _deleted;
    private int _deletedPages;
    private PartMeter? _meter;

    /// <summary>Its place in the list.</summary>
    public int Index { get; private set; }

    public Segment Stored { get; private set; } = null!;

    public long Id { get; private set; }

    /// <summary>Entries, including those that are deleted.</summary>
    public int Entries { get; private set; }

    public int DeletedCount { get; private set; }

    /// <summary>The number of its first entry in the index.</summary>
    public int Base { get; private set; }

    public byte* Directory { get; private set; }

    /// <summary>The bytes of the directory.</summary>
    public int DirectoryBytes { get; private set; }

    /// <summary>Memory for views, as long as the segment is open.</summary>
    public Arena Arena { get; private set; } = null!;

    /// <summary>Memory for what is found; whoever takes it may give it back.</summary>
    public Arena Scratch { get; private set; } = null!;

    private PartRecord* Records => (PartRecord*)(Directory + SegmentDirectory.SizeOf);

    /// <param name="pages">The transaction.</param>
    /// <param name="deleted">Bitmaps of deleted entries; null for those of the transaction.</param>
    public void Open(PageReader pages, SegmentState state, int index, Arena arena, Arena scratch, PartMeter? meter, byte** deleted)
    {
        Segment segment = state.Segments[index];
        Stored = segment;
        _pages = pages;
        _meter = meter;
        (Arena, Scratch) = (arena, scratch);
        Index = index;
        (Id, Entries, DeletedCount, Base) = (segment.Id, segment.Entries, state.DeletedOf(index), state.BaseOf(index));
        Directory = segment.OpenDirectory(pages);
        DirectoryBytes = segment.DirectoryBytes;
        _deletedPages = DeletedEntries.PagesOf(Entries);
        _deleted = DeletedCount == 0 ? null : deleted != null ? deleted : OpenDeleted(state, index);
    }

    /// <summary>Finds a part.</summary>
    /// <returns>False when the segment has nothing of the kind.</returns>
    public bool TryFind(int field, PartKind kind, out Part part)
    {
        ulong key = PartRecord.KeyOf(field, kind);
        PartRecord* records = Records;
        int low = 0;
        for (int length = ((SegmentDirectory*)Directory)->Parts; length > 0;)
        {
            int half = length >> 1;
            if (records[low + half].Key < key)
            {
                low += half + 1;
                length -= half + 1;
            }
            else
            {
                length = half;
            }
        }

        bool isFound = low < ((SegmentDirectory*)Directory)->Parts && records[low].Key == key;
        part = isFound ? new Part(this, records + low) : default;
        return isFound;
    }

    /// <summary>Begins to read the runs of a part, which will be used soon.</summary>
    /// <param name="bytesMax">The most bytes.</param>
    public void Prefetch(int field, PartKind kind, long bytesMax)
    {
        for (int i = 0; i < ((SegmentDirectory*)Directory)->Parts; i++)
        {
            PartRecord* record = Records + i;
            if (record->Key != PartRecord.KeyOf(field, kind) || record->Form == PartForm.Inline)
            {
                continue;
            }

            if (record->Form == PartForm.Run)
            {
                _pages.Prefetch(new PageNumber(record->Place), Math.Min(bytesMax, record->Bytes));
                continue;
            }

            long* runs = (long*)(Directory + record->Place);
            PartRun* run = (PartRun*)(runs + 1);
            for (long k = 0; k < *runs && run[k].Start < bytesMax; k++)
            {
                _pages.Prefetch(new PageNumber(run[k].Page), (k + 1 < *runs ? run[k + 1].Start : record->Bytes) - run[k].Start);
            }
        }
    }

    /// <summary>All parts.</summary>
    public List<(int Field, PartKind Kind)> ListParts()
    {
        List<(int, PartKind)> parts = [];
        for (int i = 0; i < ((SegmentDirectory*)Directory)->Parts; i++)
        {
            parts.Add((Records[i].Field, Records[i].Kind));
        }

        return parts;
    }

    /// <summary>The set of entries in a part; nobody when there is no such part.</summary>
    public Codes.EntrySet FindSet(int field, PartKind kind) =>
        TryFind(field, kind, out Part part) ? Codes.EntrySet.Open(part.Start, part.Bytes, Entries) : new Codes.EntrySet(null, Entries);

    public bool IsDeleted(int entry)
    {
        if (_deleted == null)
        {
            return false;
        }

        byte* page = _deleted[entry / DeletedEntries.PerPage];
        int bit = entry % DeletedEntries.PerPage;
        return page != null && (page[bit >> 3] >> (bit & 7) & 1) != 0;
    }

    /// <summary>Whether the bitmaps have the entries that were deleted.</summary>
    public bool IsDeletedWhole()
    {
        bool isWhole = true;
        for (int page = 0; _deleted != null && page < _deletedPages; page++)
        {
            isWhole &= _deleted[page] == null || DeletedEntries.IsWhole(_deleted[page]);
        }

        return isWhole;
    }

    /// <summary>Removes the deleted ones from a list of entries.</summary>
    /// <returns>The number of those that stay.</returns>
    public int RemoveDeleted(int* entries, int count)
    {
        if (_deleted == null)
        {
            return count;
        }

        int kept = 0;
        for (int i = 0; i < count; i++)
        {
            int entry = entries[i];
            entries[kept] = entry;
            kept += IsDeleted(entry) ? 0 : 1;
        }

        return kept;
    }

    /// <summary>Removes the deleted entries from a bitmap.</summary>
    public void RemoveDeleted(ulong* words)
    {
        for (int page = 0; _deleted != null && page < _deletedPages; page++)
        {
            if (_deleted[page] != null)
            {
                int first = page * DeletedEntries.PageWords;
                Codes.Bits.AndNot(words + first, (ulong*)_deleted[page], Math.Min(DeletedEntries.PageWords, Codes.Bits.WordsOf(Entries) - first));
            }
        }
    }

    /// <summary>Counts the deleted entries in a bitmap.</summary>
    public int CountDeleted(ulong* words)
    {
        int count = 0;
        for (int page = 0; _deleted != null && page < _deletedPages; page++)
        {
            ulong* deleted = (ulong*)_deleted[page];
            int first = page * DeletedEntries.PageWords, most = Math.Min(DeletedEntries.PageWords, Codes.Bits.WordsOf(Entries) - first);
            for (int i = 0; deleted != null && i < most; i++)
            {
                count += BitOperations.PopCount(words[first + i] & deleted[i]);
            }
        }

        return count;
    }

    /// <summary>Copies the deleted entries in order.</summary>
    /// <param name="target">Space for <see cref="DeletedCount"/> entries.</param>
    /// <returns>Their number.</returns>
    public int CopyDeleted(int* target)
    {
        int count = 0;
        for (int page = 0; _deleted != null && page < _deletedPages; page++)
        {
            ulong* words = (ulong*)_deleted[page];
            int most = Math.Min(DeletedEntries.PageWords, Codes.Bits.WordsOf(Entries) - (page * DeletedEntries.PageWords));
            for (int i = 0; words != null && i < most; i++)
            {
                for (ulong left = words[i]; left != 0 && count < DeletedCount; left &= left - 1)
                {
                    target[count++] = (page * DeletedEntries.PerPage) + (i << 6) + BitOperations.TrailingZeroCount(left);
                }
            }
        }

        if (count != DeletedCount || (count > 0 && target[count - 1] >= Entries))
        {
            throw new CorruptionException($"Segment {Id} of the index has a list of deleted entries that does not have {DeletedCount} of {Entries}.");
        }

        return count;
    }

    /// <summary>The bytes of a part that is not cut.</summary>
    /// <exception cref="CorruptionException">It is not where the directory says.</exception>
    internal byte* OpenWhole(PartRecord* record)
    {
        if (record->Form != PartForm.Inline)
        {
            return OpenRun(record, 0, record->Place, record->Bytes);
        }

        _meter?.Note(Id, record->Field, record->Kind, 0, record->Bytes, isInline: true);
        return PartPlaces.Of(Directory + record->Place, record->Bytes);
    }

    internal byte* OpenRun(PartRecord* record, int chunk, long page, long bytes)
    {
        _meter?.Note(Id, record->Field, record->Kind, chunk, bytes, isInline: false);
        Page run = _pages.GetPage(new PageNumber(page));
        if (run.Header.Type != PageType.Overflow || run.Header.OverflowBytes < bytes)
        {
            throw new CorruptionException(
                $"Chunk {chunk} of part {record->Kind} of field {record->Field} of segment {Id} of the index has {bytes} bytes, and is not on page {page}.");
        }

        return PartPlaces.Of(run.Body, bytes);
    }

    private byte* OpenDeleted(PageNumber number)
    {
        Page page = _pages.GetPage(number);
        return page.Header.Type == PageType.Overflow && page.Header.OverflowBytes == DeletedEntries.PageBytes ? page.Body
            : throw new CorruptionException($"The deleted entries of segment {Id} of the index are not on page {number}.");
    }

    private byte** OpenDeleted(SegmentState state, int index)
    {
        byte** pages = (byte**)Arena.Take<nint>(_deletedPages);
        for (int i = 0; i < _deletedPages; i++)
        {
            PageNumber number = state.DeletedPage(index, i);
            pages[i] = number.IsNone ? null : OpenDeleted(number);
        }

        return pages;
    }
}
