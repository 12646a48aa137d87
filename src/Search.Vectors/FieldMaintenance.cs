using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Search.Vectors.Recall;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Vectors;

/// <summary>What is done for a graph between batches, a step at a time: a graph without live nodes is dropped, dead nodes are taken out, nodes out of reach are
/// linked, and the recall is measured.
/// The writer's thread.</summary>
internal sealed class FieldMaintenance(FieldGraph graph)
{
    private GraphRepair? _repair; // read by batches, which may give a listed node back
    private GraphReconnection? _reconnection;
    private RecallMeasurement? _measurement;

    /// <summary>The repair between whose steps a batch comes; null for none.</summary>
    public GraphRepair? Repair => _repair;

    /// <summary>Does a step in a transaction of its own. Returns whether there is more to do.</summary>
    /// <param name="memory">The bytes that the walked records of the graph may take.</param>
    public bool Step(StorageEnvironment storage, long memory)
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

        if (header.Generation != graph.Generation)
        {
            return false; // It was dropped, and the field has no other one yet.
        }

        if (header.Nodes > 0 && header.Live == 0)
        {
            return Drop(storage, header);
        }

        if (_repair is not null || GraphRepair.IsDue(header))
        {
            return DoRepair(storage, header);
        }

        if (_reconnection is not null || GraphReconnection.IsDue(header))
        {
            return Reconnect(storage, header);
        }

        if (GraphRecoding.IsDue(header, graph.Layout, memory))
        {
            return Recode(storage, header);
        }

        return (_measurement is not null || RecallMeasurement.IsDue(header, table)) && Measure(storage, header);
    }

    private bool Drop(StorageEnvironment storage, in GraphHeader header)
    {
        (_repair, _reconnection, _measurement) = (null, null, null);
        using WriteTransaction transaction = storage.BeginWrite();
        DroppedGraphs.Add(transaction.Trees, graph.Field, header);
        transaction.Commit();
        return true;
    }

    private bool DoRepair(StorageEnvironment storage, in GraphHeader header)
    {
        Write(storage, header, writer =>
        {
            _repair ??= new GraphRepair(writer.View);
            if (!_repair.Step(writer))
            {
                (_repair, _reconnection) = (null, null);
                writer.View.Header.ConnectedAt = 0;
            }
        });
        return true;
    }

    private bool Reconnect(StorageEnvironment storage, in GraphHeader header)
    {
        Write(storage, header, writer =>
        {
            _reconnection ??= new GraphReconnection(writer.View);
            if (!_reconnection.Step(writer.View))
            {
                writer.View.Header.ConnectedAt = Math.Max(1, _reconnection.Changes); // 0 means never.
                _reconnection = null;
            }
        });
        return true;
    }

    private bool Recode(StorageEnvironment storage, in GraphHeader header)
    {
        Write(storage, header, writer =>
        {
            writer.Recoding.Step();
            if (writer.View.Header.CodeKind != VectorCodeKind.Bytes)
            {
                RecallTable.Delete(writer.Trees, graph.Field); // Walks go by other codes now.
                _measurement = null;
            }
        });
        return true;
    }

    private void Write(StorageEnvironment storage, in GraphHeader header, Action<GraphWriter> change)
    {
        bool isCommitted = false;
        try
        {
            using WriteTransaction transaction = storage.BeginWrite();
            using (GraphWriter writer = graph.BeginWrite(transaction, header))
            {
                change(writer);
                writer.Complete();
            }

            transaction.Commit();
            isCommitted = true;
        }
        finally
        {
            if (!isCommitted)
            {
                (_repair, _reconnection) = (null, null); // They would go on after a step that is not stored.
            }
        }
    }

    private bool Measure(StorageEnvironment storage, in GraphHeader header)
    {
        RecallTable? table;
        using (ReadTransaction read = storage.BeginRead())
        {
            using GraphLease lease = graph.Rent(read, header);
            _measurement ??= new RecallMeasurement(lease.Searcher.View);
            table = _measurement.Step(lease.Searcher);
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
