using Jackdaw.Search.Entries;
using Jackdaw.Search.Segments.Fields;
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
        SegmentList.Write(_transaction.Trees, _records, _nextId);
        _transaction.ClientState = _state = SegmentState.Read(_index, _transaction.Trees, _state, _fields);
        _transaction.Commit();
        _isEnded = true;
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
            _index.Writer.Begin(_transaction, id, _index.Collector.Entries);
            _index.Collector.Write(_index.Writer, _index.Tools);
            _index.Writer.Finish();
            _records.Add(new SegmentRecord { Id = id, Entries = _index.Writer.Entries, Bytes = _index.Writer.Bytes });
            _index.Collector.Clear();
            _index.Collector.Begin(_fields);
        }

        SegmentList.Write(_transaction.Trees, _records, _nextId);
        _state = SegmentState.Read(_index, _transaction.Trees, _state, _fields);
    }

    private void DropEmpty()
    {
        foreach (SegmentRecord record in _records.Where(record => record.Live == 0))
        {
            SegmentTrees.PutToFree(_transaction.Trees, record.Id);
        }

        _records.RemoveAll(record => record.Live == 0);
    }
}
