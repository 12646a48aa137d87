using Jackdaw.Search.Entries;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Merging;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Segments;

/// <summary>One transaction of the storage, with a new segment of the entries that were added.</summary>
internal sealed class SegmentBatch : IndexBatch
{
    /// <summary>The bytes of collected entries at which they become a segment of their own: batches should stay below 32 MB.</summary>
    private const long CollectedBytesMax = 16 << 20;

    private readonly SegmentSearchIndex _index;
    private readonly WriteTransaction _transaction;
    private readonly List<SegmentRecord> _records;
    private readonly List<Segment> _replaced = [];
    private SegmentState _state;
    private FieldTable _fields;
    private long _nextId;
    private bool _isEnded;

    public SegmentBatch(SegmentSearchIndex index)
    {
        _index = index;
        _transaction = index.Storage.BeginWrite();
        try
        {
            _records = SegmentList.Read(_transaction.Trees, out _nextId);
            _state = index.State;
            _fields = _state.Fields;
            index.Collector.Begin(_fields);
        }
        catch
        {
            _transaction.Dispose();
            throw;
        }
    }

    public override WriteTransaction Transaction => _transaction;

    public override void Delete(ReadOnlySpan<byte> id)
    {
        if (_index.Collector.HasId(id))
        {
            Flush();
        }

        _index.Remover.Add(id);
    }

    public override void Add(IndexEntry entry)
    {
        ArgumentNullException.ThrowIfNull(entry);
        if (_index.Collector.Bytes > CollectedBytesMax && !_index.Collector.IsLastId(entry.Id))
        {
            Flush(); // a segment has all entries of an id
        }

        _index.Collector.Add(entry);
    }

    public override void Commit()
    {
        Flush();
        MergeSmall();
        _transaction.ClientState = _state;
        _transaction.Commit();
        _isEnded = true;
        foreach (Segment segment in _replaced)
        {
            _index.Replaced.Add(segment, _transaction.TransactionId);
        }

        _index.State = _state;
    }

    protected override void Dispose(bool isDisposing)
    {
        if (!_isEnded)
        {
            _isEnded = true;
            _index.Collector.RollBack();
            _index.Remover.Clear();
            _transaction.Dispose();
        }
    }

    // Removes what the earlier segments have of the noted ids, then writes the collected entries as a segment.
    private void Flush()
    {
        if (!_index.Remover.IsEmpty)
        {
            _index.Remover.Run(_transaction, _state, _records);
            DropEmpty();
        }

        if (_index.Collector.Entries > 0)
        {
            List<FieldRecord> changed = _index.Collector.ChangedFields();
            SegmentList.WriteFields(_transaction.Trees, changed);
            _fields = _fields.With(changed);
            long id = _nextId++;
            _index.Writer.Begin(_transaction, id, _index.Collector.Entries, isDirect: _index.Collector.Bytes >= _index.Sizes.DirectBatchBytesMin);
            _index.Collector.Write(_index.Writer, _index.Tools);
            _index.Writer.Finish();
            _records.Add(new SegmentRecord
            {
                Id = id,
                Entries = _index.Writer.Entries,
                Bytes = _index.Writer.Bytes,
                Checksum = _index.Writer.Checksum,
            });
            _index.Collector.Clear();
            _index.Collector.Begin(_fields);
        }

        ReadState();
    }

    private void ReadState()
    {
        SegmentList.Write(_transaction.Trees, _records, _nextId);
        _state = SegmentState.Read(_index, _transaction.Trees, _state, _fields);
    }

    // A segment that is being merged keeps its place until then.
    private void DropEmpty()
    {
        foreach (SegmentRecord record in _records.Where(IsDropped))
        {
            SegmentTrees.PutToFree(_transaction.Trees, record.Id);
            _replaced.Add(_state.Segments[_state.IndexOf(record.Id)]);
        }

        _records.RemoveAll(IsDropped);
    }

    private bool IsDropped(SegmentRecord record) => record.Live == 0 && !_index.Merges.Reads(record.Id);

    // Batches of few entries make many small segments.
    private void MergeSmall()
    {
        while (true)
        {
            int fixedCount = 1 + _records.FindLastIndex(record => _index.Merges.Reads(record.Id));
            if (!MergePolicy.TryChoose(_records[fixedCount..], isIdle: false, out int first, out int count)
                || _records.Skip(fixedCount + first).Take(count).Sum(record => record.Entries) > _index.Sizes.BatchMergeEntriesMax)
            {
                return;
            }

            using var merge = new SegmentMerge(
                _transaction, _state, fixedCount + first, count, _nextId++, isDirect: false, _index.Writer, _index.Tools);
            while (merge.Step())
            {
            }

            merge.Finish();
            MaintenanceSlice.Replace(_transaction, _records, _nextId, merge);
            _replaced.AddRange(merge.Sources.Select(id => _state.Segments[_state.IndexOf(id)]));
            ReadState();
        }
    }
}
