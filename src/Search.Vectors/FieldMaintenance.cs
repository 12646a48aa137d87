using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Search.Vectors.Recall;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Vectors;

/// <summary>What is done for a graph between batches, a step at a time: dead nodes are taken out, nodes out of reach are linked, and the recall is measured.
/// The writer's thread.</summary>
internal sealed class FieldMaintenance(FieldGraph graph)
{
    private GraphRepair? _repair;
    private GraphReconnection? _reconnection;
    private RecallMeasurement? _measurement;
    private long _connectedAt;
    private bool _wasConnected;

    /// <summary>Does a step in a transaction of its own. Returns whether there is more to do.</summary>
    public bool Step(StorageEnvironment storage, CancellationToken cancellation)
    {
        GraphHeader header;
        RecallTable? table;
        using (ReadTransaction read = storage.BeginRead())
        {
            if (!VectorGraph.TryReadHeader(read.Trees, graph.Field, out header))
            {
                return false;
            }

            table = RecallTable.Read(read.Trees, graph.Field);
        }

        if (_repair is not null || GraphRepair.IsDue(header))
        {
            return Repair(storage, header);
        }

        if (_reconnection is not null || IsReconnectionDue(header))
        {
            return Reconnect(storage, header);
        }

        return (_measurement is not null || RecallMeasurement.IsDue(header, table)) && Measure(storage, header, cancellation);
    }

    private bool IsReconnectionDue(in GraphHeader header) =>
        header.Live > 1 && (!_wasConnected || header.Changes - _connectedAt >= Math.Max(64, header.Live / 10));

    private bool Repair(StorageEnvironment storage, in GraphHeader header)
    {
        using WriteTransaction transaction = storage.BeginWrite();
        using (GraphWriter writer = graph.BeginWrite(transaction, header))
        {
            _repair ??= new GraphRepair(writer.View);
            if (!_repair.Step(writer))
            {
                _repair = null;
                _wasConnected = false;
            }

            writer.Complete();
        }

        transaction.Commit();
        return true;
    }

    private bool Reconnect(StorageEnvironment storage, in GraphHeader header)
    {
        using WriteTransaction transaction = storage.BeginWrite();
        using (GraphWriter writer = graph.BeginWrite(transaction, header))
        {
            _reconnection ??= new GraphReconnection(writer.View);
            if (!_reconnection.Step(writer.View))
            {
                _reconnection = null;
                (_wasConnected, _connectedAt) = (true, header.Changes);
            }

            writer.Complete();
        }

        transaction.Commit();
        return true;
    }

    private bool Measure(StorageEnvironment storage, in GraphHeader header, CancellationToken cancellation)
    {
        RecallTable? table;
        using (ReadTransaction read = storage.BeginRead())
        {
            GraphSearcher searcher = graph.Rent(read, header);
            try
            {
                _measurement ??= new RecallMeasurement(searcher.View);
                table = _measurement.Step(searcher, cancellation);
            }
            finally
            {
                graph.Return(searcher);
            }
        }

        if (table is not null)
        {
            _measurement = null;
            using WriteTransaction transaction = storage.BeginWrite();
            table.Write(transaction.Trees, graph.Field);
            transaction.Commit();
        }

        return true;
    }
}
