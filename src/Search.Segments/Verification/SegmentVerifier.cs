using System.Runtime.InteropServices;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Verification;

/// <summary>Checks each part of a segment, and the parts against each other.</summary>
internal sealed unsafe class SegmentVerifier(SegmentView segment, FieldTable fields)
{
    private readonly List<string> _problems = [];
    private readonly Dictionary<(int Field, PartKind Index), int> _terms = [];

    /// <summary>The problems, as texts for people.</summary>
    public IReadOnlyList<string> Run()
    {
        foreach ((int field, PartKind kind) in segment.ListParts())
        {
            var mark = segment.Scratch.Now();
            Try(field, kind, () => Check(field, kind));
            segment.Scratch.Return(mark);
        }

        Try(FieldRecord.OfEntries, PartKind.Present, CheckDeleted);
        return _problems;
    }

    private void Try(int field, PartKind kind, Action check)
    {
        try
        {
            check();
        }
        catch (Exception damage) when (damage is DamagedPartException or Jackdaw.Storage.CorruptionException)
        {
            string name = field == FieldRecord.OfEntries ? "of its entries" : $"of field '{fields.NameOf(field)}'";
            _problems.Add($"Segment {segment.Id} of the index: part {kind} {name} is damaged: {damage.Message}.");
        }
    }

    private void Check(int field, PartKind kind)
    {
        switch (kind)
        {
            case PartKind.Present or PartKind.Nulls or PartKind.DatesFirst:
                CheckSet(PartOf(field, kind), 0);
                break;
            case PartKind.TermIndex:
                bool isText = segment.TryFind(field, PartKind.Positions, out _);
                CheckDictionary(field, isText ? DictionaryParts.Text : DictionaryParts.Keywords);
                break;
            case PartKind.SortIndex:
                CheckDictionary(field, DictionaryParts.SortTexts);
                break;
            case PartKind.CellIndex:
                CheckDictionary(field, DictionaryParts.Cells);
                break;
            case PartKind.Ordinals:
                CheckPlaces(field, kind, PartKind.OrdinalRows, PartKind.TermIndex);
                break;
            case PartKind.SortOrdinals:
                CheckPlaces(field, kind, PartKind.SortOrdinalRows, PartKind.SortIndex);
                break;
            case PartKind.Norms:
                CheckColumn(field, kind, PartKind.NormRows);
                break;
            case PartKind.Boosts:
                CheckColumn(field, kind, PartKind.BoostRows);
                break;
            case PartKind.Ids:
                CheckIds();
                break;
            case PartKind.Stored or PartKind.Shapes or PartKind.LongTexts:
                CheckBlobs(field, kind);
                break;
            case PartKind.Longs or PartKind.Doubles or PartKind.Dates or PartKind.Nodes:
                CheckNumbers(field, kind);
                break;
        }
    }

    private Part PartOf(int field, PartKind kind) =>
        segment.TryFind(field, kind, out Part part) ? part : throw new DamagedPartException($"it has no {kind}");

    // A set in a part from an offset on; its entries are in order.
    private EntrySet CheckSet(Part part, int offset)
    {
        if (part.Bytes < offset + 8 || EntrySet.BytesOf(part.Start + offset, segment.Entries) != part.Bytes - offset)
        {
            throw new DamagedPartException($"a set of {segment.Entries} entries has {part.Bytes - offset} bytes");
        }

        var set = new EntrySet(part.Start + offset, segment.Entries);
        if (set.Count <= 0 || set.Count > segment.Entries || (set.HasAll && set.Count != segment.Entries))
        {
            throw new DamagedPartException($"a set has {set.Count} of {segment.Entries} entries");
        }

        int last = -1;
        for (int i = 0; set.List != null && i < set.Count; i++)
        {
            if (set.List[i] <= last || set.List[i] >= segment.Entries)
            {
                throw new DamagedPartException("a set is not in order");
            }

            last = set.List[i];
        }

        if (set.Words != null && Bits.Count(set.Words, Bits.WordsOf(segment.Entries)) != set.Count)
        {
            throw new DamagedPartException($"a set does not have the {set.Count} entries that it says");
        }

        return set;
    }

    private void CheckDictionary(int field, DictionaryParts parts)
    {
        var dictionary = new DictionaryVerifier(segment, field, parts);
        dictionary.Run();
        _terms[(field, parts.Index)] = dictionary.Count;
        if (field == FieldRecord.OfEntries && dictionary.EntrySum != segment.Entries)
        {
            throw new DamagedPartException($"{dictionary.EntrySum} of {segment.Entries} entries have an id");
        }
    }

    private ColumnReader CheckColumn(int field, PartKind head, PartKind rows)
    {
        Part part = PartOf(field, head);
        if (part.Bytes < ColumnHead.SizeOf)
        {
            throw new DamagedPartException($"the head of a column has {part.Bytes} bytes");
        }

        ColumnHead found = *(ColumnHead*)part.Start;
        int count = found.Rows == 0 ? 0 : CheckSet(part, ColumnHead.SizeOf).Count;
        long bytes = segment.TryFind(field, rows, out Part values) ? values.Bytes : 0;
        if (count != found.Rows || found.Width is not (0 or 1 or 2 or 4 or 8) || bytes != (long)found.Rows * found.Width)
        {
            throw new DamagedPartException($"a column of {count} entries says {found.Rows} rows of {found.Width} bytes, and has {bytes} bytes");
        }

        var column = ColumnReader.Open(segment, field, head, rows);
        for (int row = 0; row < found.Rows; row++)
        {
            long value = column.ReadRow(row);
            if (value < found.Least || value > found.Greatest)
            {
                throw new DamagedPartException($"row {row} is {value}, which is not between {found.Least} and {found.Greatest}");
            }
        }

        return column;
    }

    private void CheckPlaces(int field, PartKind head, PartKind rows, PartKind index)
    {
        ColumnReader column = CheckColumn(field, head, rows);
        int terms = _terms.GetValueOrDefault((field, index));
        if (column.Head.Rows > 0 && (column.Head.Least < 0 || column.Head.Greatest >= Math.Max(1, terms)))
        {
            throw new DamagedPartException($"the places of terms go up to {column.Head.Greatest}, and there are {terms} terms");
        }
    }

    // Each id is that which the dictionary has for the entry.
    private void CheckIds()
    {
        var ids = DictionaryView.Open(segment, FieldRecord.OfEntries, DictionaryParts.Keywords);
        Part part = PartOf(FieldRecord.OfEntries, PartKind.Ids);
        byte[] id = [];
        for (int entry = 0; entry < segment.Entries; entry += IdsWriter.BlockIds)
        {
            byte* chunk = part.Chunk(entry >> ColumnHead.ChunkShift, out long left);
            int block = (entry & (ColumnHead.ChunkRows - 1)) / IdsWriter.BlockIds;
            int offset = (block + 1L) * sizeof(int) <= left ? ((int*)chunk)[block] : -1;
            if (offset < 0 || offset >= left)
            {
                throw new DamagedPartException($"the id of entry {entry} is not in its chunk");
            }

            var reader = new ByteReader(new ReadOnlySpan<byte>(chunk + offset, (int)(left - offset)));
            for (int i = entry; i < Math.Min(segment.Entries, entry + IdsWriter.BlockIds); i++)
            {
                int shared = reader.Byte();
                id = shared <= id.Length
                    ? [.. id.AsSpan(0, shared), .. reader.Bytes(reader.Number())]
                    : throw new DamagedPartException($"the id of entry {i} shares {shared} bytes with a shorter one");
                CheckId(ids, id, i);
            }
        }
    }

    private void CheckId(in DictionaryView ids, byte[] id, int entry)
    {
        fixed (byte* text = id)
        {
            int found = entry;
            if (!ids.TryFind(text, id.Length, out TermEntries entries) || PostingsFilter.Filter(ids, entries, &found, 1) == 0)
            {
                throw new DamagedPartException($"the dictionary does not have the id of entry {entry}");
            }
        }
    }

    private void CheckBlobs(int field, PartKind kind)
    {
        EntrySet set = CheckSet(PartOf(field, kind.Of(BlobPart.Entries)), 0);
        Part index = PartOf(field, kind.Of(BlobPart.Index)), bytes = PartOf(field, kind.Of(BlobPart.Bytes));
        if (index.Bytes == 0 || index.Bytes % BlobWriter.IndexRecordBytes != 0)
        {
            throw new DamagedPartException($"the index of its blocks has {index.Bytes} bytes");
        }

        long last = -1;
        for (long at = 0; at < index.Bytes; at += BlobWriter.IndexRecordBytes)
        {
            long place = *(long*)(index.Start + at + 8);
            if (place <= last || place >= bytes.Bytes || *(int*)(index.Start + at) < 0 || *(int*)(index.Start + at) >= set.Count)
            {
                throw new DamagedPartException("its blocks are not in order");
            }

            last = place;
        }

        BlobReader reader = BlobReader.Open(segment, field, kind);
        int* entries = segment.Scratch.Take<int>(set.Count);
        set.CopyTo(entries);
        for (int i = 0; i < set.Count; i++)
        {
            reader.TryRead(entries[i], out _);
        }
    }

    private void CheckNumbers(int field, PartKind kind)
    {
        ColumnReader column = CheckColumn(field, kind.Of(NumberPart.Column), kind.Of(NumberPart.Rows));
        int count = column.Head.Values;
        long order = PartOf(field, kind.Of(NumberPart.Order)).Bytes;
        long samples = segment.TryFind(field, kind.Of(NumberPart.Samples), out Part sampled) ? sampled.Bytes : 0;
        long values = segment.TryFind(field, kind.Of(NumberPart.Values), out Part several) ? several.Bytes : 0;
        long sampleCount = count > NumberWriter.SampleInterval ? (count + NumberWriter.SampleInterval - 1) / NumberWriter.SampleInterval : 0;
        if (count <= 0 || order != (long)count * NumberWriter.OrderWidth(segment.Entries) || samples != sampleCount * sizeof(long)
            || values != (column.Head.HasSeveral == 0 ? 0 : (long)count * sizeof(long)))
        {
            throw new DamagedPartException($"{count} numbers have an order of {order} bytes, samples of {samples} and values of {values}");
        }

        ReadOnlySpan<byte> sampleBytes = sampleCount == 0 ? default : new ReadOnlySpan<byte>(sampled.Start, (int)samples);
        CheckOrder(NumberView.Open(segment, field, kind), MemoryMarshal.Cast<byte, long>(sampleBytes));
    }

    private void CheckOrder(NumberView numbers, ReadOnlySpan<long> samples)
    {
        long last = long.MinValue;
        int lastEntry = -1;
        for (int place = 0; place < numbers.Count; place++)
        {
            int entry = numbers.EntryAt(place);
            if (entry < 0 || entry >= segment.Entries || (numbers.IsSingle && !numbers.Column.Entries.Has(entry)))
            {
                throw new DamagedPartException($"the order has entry {entry}, which has no number");
            }

            long value = numbers.ValueAt(place);
            if (value < last || (value == last && entry < lastEntry))
            {
                throw new DamagedPartException($"the order is broken at place {place}");
            }

            if (!samples.IsEmpty && place % NumberWriter.SampleInterval == 0 && samples[place / NumberWriter.SampleInterval] != value)
            {
                throw new DamagedPartException($"the sample of place {place} is not its value");
            }

            (last, lastEntry) = (value, entry);
        }
    }

    private void CheckDeleted()
    {
        ulong* words = segment.Scratch.TakeZeroed<ulong>(Bits.WordsOf(segment.Entries));
        Bits.AddRange(words, 0, segment.Entries);
        segment.RemoveDeleted(words);
        int deleted = segment.Entries - Bits.Count(words, Bits.WordsOf(segment.Entries));
        if (deleted != segment.DeletedCount || !segment.IsDeletedWhole())
        {
            throw new DamagedPartException($"{deleted} entries are deleted, and the list says {segment.DeletedCount}");
        }
    }
}
