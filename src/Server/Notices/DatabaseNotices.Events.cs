using Jackdaw.Documents.Operations;
using Jackdaw.Indexing;

namespace Jackdaw.Server.Notices;

/// <summary>Notices of indexes and operations.</summary>
internal sealed partial class DatabaseNotices
{
    private readonly Lock _eventLock = new(); // guards everything below; nothing that takes another lock is called while it is held
    private readonly Dictionary<Operation, bool> _operations = []; // operations to report; true for the end of one
    private readonly List<IndexChange> _indexChanges = [];
    private readonly Dictionary<string, IndexChangeKind> _lastOfIndex = []; // the last kind of change of each index to report
    private bool _isTelling;

    private void OnIndex(IndexChange change)
    {
        if (ReaderCount == 0)
        {
            return;
        }

        lock (_eventLock)
        {
            // Several batches of an index in one batch of notices are reported once.
            if (_lastOfIndex.TryGetValue(change.Name, out IndexChangeKind last) && last == change.Kind)
            {
                return;
            }

            _lastOfIndex[change.Name] = change.Kind;
            _indexChanges.Add(change);
        }

        BeginTelling();
    }

    private void OnOperation(Operation operation, bool isEnd)
    {
        if (ReaderCount == 0)
        {
            return;
        }

        lock (_eventLock)
        {
            _operations[operation] = isEnd || _operations.GetValueOrDefault(operation);
        }

        BeginTelling();
    }

    private void BeginTelling()
    {
        lock (_eventLock)
        {
            if (_isTelling)
            {
                return;
            }

            _isTelling = true;
        }

        _ = Task.Run(TellEventsAsync);
    }

    private async Task TellEventsAsync()
    {
        using NoticeBatchBuilder builder = new(_database.Replica, _database.Extensions);
        while (true)
        {
            long began = _time.GetTimestamp();
            if (!TryTakeEvents(out List<IndexChange> indexes, out List<KeyValuePair<Operation, bool>> operations))
            {
                return;
            }

            indexes.ForEach(builder.Add);
            foreach ((Operation operation, bool isEnd) in operations)
            {
                // The end is reported once, by its own event, which may have come in between.
                (OperationStatus Status, Exception? Failure, BulkInsertCounts Progress) state = operation.State;
                if (isEnd || state.Status == OperationStatus.InProgress)
                {
                    builder.Add(operation, state, WriteState);
                }
            }

            if (!builder.IsEmpty)
            {
                Publish(builder, last: null);
            }

            await PaceAsync(began).ConfigureAwait(false);
        }
    }

    private bool TryTakeEvents(out List<IndexChange> indexes, out List<KeyValuePair<Operation, bool>> operations)
    {
        lock (_eventLock)
        {
            indexes = [.. _indexChanges];
            operations = [.. _operations];
            _indexChanges.Clear();
            _lastOfIndex.Clear();
            _operations.Clear();
            return _isTelling = indexes.Count + operations.Count > 0;
        }
    }
}
