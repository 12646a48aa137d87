using System.Diagnostics;
using System.Runtime.InteropServices;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Segments.Writing;

/// <summary>Writes the parts of one segment after another into the storage. Parts come in the order of fields and kinds; several may be open at a time. The
/// thread of the index.</summary>
/// <remarks>Small parts wait in memory for the directory. When they become too many, the larger ones of them get runs.</remarks>
internal sealed unsafe class SegmentWriter(RunSizes sizes) : IDisposable
{
    /// <summary>Parts up to this size are always in the directory, because a run of their own would waste most of a page.</summary>
    private const int RunBytesMin = BTree.InlineValueBytesMax + 1;

    private readonly Stack<PartBuilder> _spare = new();
    private readonly List<PartRecord> _records = [];
    private readonly List<PartRun[]> _runs = []; // of records with several runs; their place is the index here
    private readonly NativeBuffer _inline = new();
    private readonly NativeBuffer _directory = new();
    private long _id;
    private int _entries;
    private long _bytes;
    private ulong _sum;
    private int _inlineMax; // the bytes of small parts at which the larger ones of them are moved
    private bool _isDirect;

    /// <summary>The transaction in which runs are written. A merge continues in another one.</summary>
    public WriteTransaction Transaction { get; set; } = null!; // set before the first part

    public RunSizes Sizes => sizes;

    /// <summary>The bytes of the closed parts.</summary>
    public long Bytes => _bytes;

    public int Entries => _entries;

    /// <summary>The checksum of the segment, after <see cref="Finish"/>.</summary>
    public ulong Checksum => _sum;

    /// <summary>Begins a segment.</summary>
    /// <param name="isDirect">Whether larger runs bypass the journal. Then the commit of each transaction waits for a sync of the data file (decision
    /// 0079).</param>
    public void Begin(WriteTransaction transaction, long id, int entries, bool isDirect)
    {
        Transaction = transaction;
        _isDirect = isDirect;
        (_id, _entries, _bytes, _sum) = (id, entries, 0, 0);
        _inlineMax = sizes.InlineBytesMax;
        _records.Clear();
        _runs.Clear();
        _inline.Trim(4 * sizes.InlineBytesMax);
    }

    public PartBuilder Open(int field, PartKind kind)
    {
        PartBuilder part = _spare.Count > 0 ? _spare.Pop() : new PartBuilder(this);
        part.Begin(field, kind);
        return part;
    }

    /// <summary>Ends a part; one without bytes is left out.</summary>
    public void Close(PartBuilder part)
    {
        _bytes += part.Offset;
        if (part.Runs.Count > 0)
        {
            AddRuns(part);
        }
        else if (part.Bytes.Length > 0)
        {
            _inline.Align(sizeof(long));
            _records.Add(new PartRecord { Field = part.Field, Kind = part.Kind, Bytes = part.Bytes.Length, Place = _inline.Length });
            _inline.AddBytes(part.Bytes.Start, part.Bytes.Length);
        }

        _spare.Push(part);
        if (_inline.Length > _inlineMax)
        {
            MoveToRuns();

            // Of very many fields the parts that are too small for runs are more than that: looking at all of them again after each part would take a
            // time that grows with their square.
            _inlineMax = _inline.Length + sizes.InlineBytesMax;
        }
    }

    /// <summary>Forgets a part.</summary>
    public void Discard(PartBuilder part) => _spare.Push(part);

    /// <summary>Writes the directory: then the segment is complete.</summary>
    public void Finish()
    {
        _records.Sort((left, right) => left.Key.CompareTo(right.Key));
        int place = SegmentDirectory.SizeOf + (_records.Count * PartRecord.SizeOf);
        _directory.Clear();
        byte* head = _directory.Extend(place);
        *(SegmentDirectory*)head = new SegmentDirectory { Entries = _entries, Parts = _records.Count, Bytes = _bytes };
        for (int i = 0; i < _records.Count; i++)
        {
            PartRecord record = _records[i];
            AddToDirectory(ref record);
            ((PartRecord*)(_directory.Start + SegmentDirectory.SizeOf))[i] = record;
        }

        _sum += ContentsChecksum.OfDirectory(_directory.Span);
        SegmentTrees.PutDirectory(Transaction.Trees, _id, _directory.Span);
    }

    public void Dispose()
    {
        foreach (PartBuilder part in _spare)
        {
            part.Dispose();
        }

        _inline.Dispose();
        _directory.Dispose();
    }

    internal long WriteRun(int field, PartKind kind, int chunk, ReadOnlySpan<byte> bytes)
    {
        _sum += ContentsChecksum.OfChunk(field, kind, chunk, bytes);
        return SegmentTrees.PutChunk(Transaction.Trees, _id, field, kind, chunk, bytes, _isDirect && bytes.Length >= sizes.DirectBytesMin).Value;
    }

    private void AddToDirectory(ref PartRecord record)
    {
        if (record.Form == PartForm.Run)
        {
            return;
        }

        _directory.Align(sizeof(long));
        long place = _directory.Length;
        if (record.Form == PartForm.Inline)
        {
            _directory.AddBytes(_inline.Start + record.Place, (int)record.Bytes);
        }
        else
        {
            PartRun[] runs = _runs[(int)record.Place];
            _directory.AddUInt64((ulong)runs.Length);
            _directory.AddBytes(MemoryMarshal.AsBytes<PartRun>(runs));
        }

        record.Place = place;
    }

    private void AddRuns(PartBuilder part)
    {
        long bytes = part.Offset;
        if (part.Bytes.Length > 0)
        {
            // The last chunk may be too small for a run: then it is longer than its bytes.
            int missing = RunBytesMin - part.Bytes.Length;
            if (missing > 0)
            {
                new Span<byte>(part.Bytes.Extend(missing), missing).Clear();
            }

            part.WriteChunk();
        }

        bool isOne = part.Runs.Count == 1;
        _records.Add(new PartRecord
        {
            Field = part.Field,
            Kind = part.Kind,
            Form = isOne ? PartForm.Run : PartForm.Runs,
            Bytes = bytes,
            Place = isOne ? part.Runs[0].Page : _runs.Count,
        });
        if (!isOne)
        {
            _runs.Add([.. part.Runs]);
        }
    }

    private void MoveToRuns()
    {
        int kept = 0;
        for (int i = 0; i < _records.Count; i++)
        {
            PartRecord record = _records[i];
            if (record.Form != PartForm.Inline)
            {
                continue;
            }

            if (record.Bytes >= RunBytesMin)
            {
                record.Place = WriteRun(record.Field, record.Kind, 0, new ReadOnlySpan<byte>(_inline.Start + record.Place, (int)record.Bytes));
                record.Form = PartForm.Run;
            }
            else
            {
                int place = (kept + 7) & ~7;
                Debug.Assert(place <= record.Place);
                Buffer.MemoryCopy(_inline.Start + record.Place, _inline.Start + place, record.Bytes, record.Bytes);
                record.Place = place;
                kept = place + (int)record.Bytes;
            }

            _records[i] = record;
        }

        _inline.Cut(kept);
    }
}
