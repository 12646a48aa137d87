using System.Runtime.CompilerServices;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Diagnostics;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage;
using Jackdaw.Storage.Merging;
using Microsoft.Extensions.ObjectPool;

namespace Jackdaw.Documents.Database;

/// <summary>Writes: they are prepared on the caller's thread, merged and answered.</summary>
public sealed partial class DocumentDatabase
{
    /// <summary>The most idle batches that are kept: as many as may wait for the writer.</summary>
    private const int IdleBatchesMax = TransactionMerger.QueueCommandsMax;

    private readonly ObjectPool<MergedBatch> _batches;

    /// <summary>Writes all commands in one transaction or none of them; the commands hold their results.</summary>
    public ValueTask<WriteOutcome> WriteAsync(WriteBatch batch, CancellationToken cancellationToken) => WriteAsync(batch, mayRunHere: false, cancellationToken);

    /// <inheritdoc cref="WriteAsync(WriteBatch, CancellationToken)"/>
    /// <param name="mayRunHere">Whether the caller's thread may execute and write the batch. Only for requests that write a little: the thread waits for the
    /// disk.</param>
    public ValueTask<WriteOutcome> WriteAsync(WriteBatch batch, bool mayRunHere, CancellationToken cancellationToken) =>
        Probe is null ? WriteMergedAsync(batch, mayRunHere, cancellationToken) : WriteProbedAsync(Probe, batch, mayRunHere, cancellationToken);

    // This is a method of its own because its closure is allocated.
    private ValueTask<WriteOutcome> WriteProbedAsync(IDatabaseProbe probe, WriteBatch batch, bool mayRunHere, CancellationToken cancellationToken) =>
        probe.OnWriteAsync(batch, () => WriteMergedAsync(batch, mayRunHere, CancellationToken.None), cancellationToken);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<WriteOutcome> WriteMergedAsync(WriteBatch batch, bool mayRunHere, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (!TryEnterWrite())
        {
            return new WriteOutcome { Status = WriteStatus.Closing };
        }

        try
        {
            MergedBatch merged = _batches.Get();
            merged.Prepare(batch, this);
            merged.Origin = DatabaseActivities.CurrentContext;
            CommandCosts costs = await _merger.ExecuteAsync(merged, mayRunHere, cancellationToken).ConfigureAwait(false);
            WriteOutcome outcome = merged.MakeOutcome(
                new WriteCost(costs.QueueMicroseconds, costs.BatchSize, costs.Commit.WriteMicroseconds));
            merged.Clear();
            _batches.Return(merged);
            return outcome;
        }
        catch (Exception e) when (ToStatus(e) is { } status)
        {
            // The batch is not used again, because its state is unknown after a failure.
            return e is BatchRefusedException refused ? ToOutcome(batch, refused) : new WriteOutcome { Status = status };
        }
        finally
        {
            LeaveWrite();
        }
    }

    /// <summary>Runs after the rollback, so that the stored versions were there before the batch, or were written since. It is part of the write, so that a
    /// conflict is reported as one even while the database is being closed.</summary>
    private WriteOutcome ToOutcome(WriteBatch batch, BatchRefusedException refused)
    {
        if (refused.Status == WriteStatus.Conflict)
        {
            using DocumentReadScope read = BeginScopeOfWrite();
            batch.Commands.Span[refused.Command].ReadActual(read);
        }

        return new WriteOutcome { Status = refused.Status, FailedCommand = refused.Command };
    }

    /// <summary>The outcome that corresponds to an exception of the engine; null when it stays an exception.</summary>
    private WriteStatus? ToStatus(Exception failure)
    {
        switch (failure)
        {
            case BatchRefusedException refused:
                return refused.Status;
            case QueueFullException or ScratchFullException:
                return WriteStatus.QueueFull;
            case DiskFullException:
                return WriteStatus.DiskFull;
            case TransactionTooLargeException:
                return WriteStatus.TooLarge;
            case StoragePoisonedException poisoned:
                TellFailure(poisoned);
                return null;
            default:
                return null;
        }
    }
}
