using System.Diagnostics;

namespace Jackdaw.Storage.Merging;

/// <content>Handles a batch in which a command failed.</content>
public sealed partial class TransactionMerger
{
    /// <summary>Runs a batch again after its rollback, without the command that failed; after the last rerun, each
    /// command alone.</summary>
    private void RunAgain(CommandBatch batch)
    {
        Debug.Assert(_turn.IsHeldByCurrentThread);
        CommandBatch rest = batch;
        for (int round = 0; round < RerunsMax; round++)
        {
            Statistics.AddRollback();
            rest = RemoveFailed(rest);
            if (rest.Commands.Count == 0 || TryRunAll(rest))
            {
                return;
            }
        }

        RunEachAlone(RemoveFailed(rest));
    }

    private void RunEachAlone(CommandBatch batch)
    {
        foreach (WriteCommand command in batch.Commands)
        {
            var alone = new CommandBatch(_gate, _observer) { CloseReason = BatchCloseReason.Alone };
            alone.Add(command);
            if (!TryRunAll(alone))
            {
                RemoveFailed(alone);
            }
        }
    }

    private CommandBatch RemoveFailed(CommandBatch batch)
    {
        var failed = new CommandBatch(_gate, _observer);
        var rest = new CommandBatch(_gate, _observer) { CloseReason = batch.CloseReason };
        foreach (WriteCommand command in batch.Commands)
        {
            (command.Failure is null ? rest : failed).Add(command);
        }

        Debug.Assert(failed.Commands.Count <= 1, "a batch ends with the first command that fails");
        failed.Fail(new InvalidOperationException("A command failed without a cause."));
        return rest;
    }

    private bool TryRunAll(CommandBatch batch) =>
        TryTransact(batch, static (all, transaction) => all.Commands.TrueForAll(command => TryRun(all, command, transaction)));
}
