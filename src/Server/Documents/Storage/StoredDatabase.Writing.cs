using System.Runtime.CompilerServices;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Merging;
using Microsoft.Extensions.ObjectPool;
using MergedCommand = Jackdaw.Storage.Merging.WriteCommand;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>Writes: prepared on the caller's thread, merged, answered.</summary>
internal sealed partial class StoredDatabase
{
    /// <summary>Idle batches kept: as many as may wait for the writer.</summary>
    private const int IdleBatchesMax = TransactionMerger.QueueCommandsMax;

    private readonly ObjectPool<BatchCommand> _batches;

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<WriteResult> WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (!TryEnterWrite())
        {
            return new WriteResult { Status = WriteStatus.Closing };
        }

        try
        {
            BatchCommand command = _batches.Get();
            command.Prepare(batch);
            CommandCosts costs = await _merger.ExecuteAsync(command, cancellationToken).ConfigureAwait(false);
            WriteResult result = command.MakeResult(ToCost(costs));
            command.Clear();
            _batches.Return(command);
            return result;
        }
        catch (Exception e) when (ToStatus(e) is { } status)
        {
            // The command is not used again: what it holds is in doubt after a failure.
            return e is BatchRefusedException refused ? ToResult(refused) : new WriteResult { Status = status };
        }
        finally
        {
            LeaveWrite();
        }
    }

    public override async ValueTask<HiLoRange> NextHiLoAsync(HiLoRequest request, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(request.Size, nameof(request));
        var command = new NextHiLoCommand(_writer, request);
        (WriteStatus status, WriteCost cost) = await ExecuteAsync(command, cancellationToken).ConfigureAwait(false);
        status = status == WriteStatus.Applied && command.IsExhausted ? WriteStatus.NumbersExhausted : status;
        return new HiLoRange(status, command.Low, command.High, cost);
    }

    public override async ValueTask<WriteStatus> ReturnHiLoAsync(
        string tag, long end, long last, CancellationToken cancellationToken) =>
        (await ExecuteAsync(new ReturnHiLoCommand(_writer, tag, end, last), cancellationToken)
            .ConfigureAwait(false)).Status;

    public override ValueTask<IdentityResult> NextIdentityAsync(string name, CancellationToken cancellationToken) =>
        ExecuteAsync(new IdentityCommand(_writer, name, null, false), cancellationToken);

    public override ValueTask<IdentityResult> SeedIdentityAsync(
        string name, long value, bool force, CancellationToken cancellationToken) =>
        ExecuteAsync(new IdentityCommand(_writer, name, value, force), cancellationToken);

    private static WriteCost ToCost(in CommandCosts costs) =>
        new(costs.QueueMicroseconds, costs.BatchSize, costs.Commit.WriteMicroseconds);

    private async ValueTask<IdentityResult> ExecuteAsync(IdentityCommand command, CancellationToken cancellationToken)
    {
        (WriteStatus status, WriteCost cost) =
            await ExecuteAsync((MergedCommand)command, cancellationToken).ConfigureAwait(false);
        status = status == WriteStatus.Applied && command.IsExhausted ? WriteStatus.NumbersExhausted : status;
        return new IdentityResult(status, command.Value, cost);
    }

    private async ValueTask<(WriteStatus Status, WriteCost Cost)> ExecuteAsync(
        MergedCommand command, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (!TryEnterWrite())
        {
            return (WriteStatus.Closing, default);
        }

        try
        {
            CommandCosts costs = await _merger.ExecuteAsync(command, cancellationToken).ConfigureAwait(false);
            return (WriteStatus.Applied, ToCost(costs));
        }
        catch (Exception e) when (ToStatus(e) is { } status)
        {
            return (status, default);
        }
        finally
        {
            LeaveWrite();
        }
    }

    /// <summary>After the rollback: what is stored is what was stored before the batch, or was written since.</summary>
    private WriteResult ToResult(BatchRefusedException refused)
    {
        Etag actual = Etag.None;
        if (refused.Status == WriteStatus.Conflict)
        {
            using DocumentReadScope read = BeginRead();
            actual = read.TryGet(refused.Key, out StoredDocument stored) ? stored.Etag : Etag.None;
        }

        return new WriteResult
        {
            Status = refused.Status,
            FailedCommand = refused.Command,
            ActualEtag = actual,
            IsChangedEarlier = refused.IsChangedEarlier,
        };
    }

    /// <summary>The outcome that an exception of the engine stands for; null when it stays an exception.</summary>
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
