using System.Diagnostics;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Merging;
using Jackdaw.Storage.Transactions;
using Microsoft.Extensions.ObjectPool;

namespace Jackdaw.Documents.Commands;

/// <summary>A batch of a request as one command of the merger. Prepared on the request's thread, executed on the
/// writer's, answered on the request's. Pooled.</summary>
/// <remarks>
/// A batch is written completely or not at all, usually without a rollback: every demand is checked before anything is written, and the check knows the effects
/// of earlier commands of the batch. When the check cannot know (an id that only the writer completes), the write itself finds out: the first write of a batch
/// is refused; a later one throws, and the merger rolls back.
/// </remarks>
internal sealed class MergedBatch(DocumentTransactions transactions) : WriteCommand
{
    private readonly CommandPreparation _preparation = new();
    private WriteBatch? _batch;
    private int[]? _earlier;
    private WriteStatus _status; // of the execution
    private int _failedCommand;
    private Etag _lastEtag;

    /// <summary>The activity of the request; default when there is none.</summary>
    public ActivityContext Origin { get; set; }

    public override int SizeBytes => _preparation.SizeBytes;

    private ReadOnlySpan<DocumentCommand> Commands => _batch!.Commands.Span;

    /// <summary>Does the work that does not need the writer's thread.</summary>
    public void Prepare(WriteBatch batch, INamedDatabase database)
    {
        _batch = batch;
        _preparation.Prepare(batch, database);
        _earlier = EarlierWrites.Find(Commands);
    }

    /// <summary>The outcome, after the execution.</summary>
    public WriteOutcome MakeOutcome(in WriteCost cost) => new()
    {
        Status = _status,
        FailedCommand = _failedCommand,
        LastEtag = _lastEtag,
        Cost = cost,
    };

    /// <summary>Forgets the batch, so that the object can be used again.</summary>
    public void Clear()
    {
        _preparation.Clear();
        _batch = null;
        _earlier = null;
        Origin = default;
    }

    protected override void Execute(WriteTransaction transaction)
    {
        DocumentTransaction documents = transactions.For(transaction);
        documents.BeginBatch();
        _status = WriteStatus.Applied;
        _failedCommand = 0;
        if (_earlier is not null)
        {
            CheckDemands(documents);
        }

        ReadOnlySpan<DocumentCommand> commands = Commands;
        for (int i = 0; i < commands.Length && _status == WriteStatus.Applied; i++)
        {
            _status = commands[i].Apply(documents);
            _failedCommand = _status == WriteStatus.Applied ? 0 : i;
        }

        if (_status != WriteStatus.Applied && documents.HasWrittenInBatch)
        {
            throw new BatchRefusedException(_status, _failedCommand);
        }

        if (_status == WriteStatus.Applied)
        {
            documents.EndBatch();
        }

        _lastEtag = documents.LastEtag;
    }

    // All demands are checked, even after one that is not met, because an answer may name every command that was refused.
    private void CheckDemands(DocumentTransaction documents)
    {
        Debug.Assert(!documents.HasWrittenInBatch);
        ReadOnlySpan<DocumentCommand> commands = Commands;
        for (int i = 0; i < commands.Length; i++)
        {
            int earlier = _earlier![i];
            KeyEffect effect = earlier < 0 ? KeyEffect.None : commands[earlier].Effect;
            if (commands[i].HasDemand && !commands[i].IsDemandMet(documents, effect) && _status == WriteStatus.Applied)
            {
                _status = WriteStatus.Conflict;
                _failedCommand = i;
            }
        }
    }

    /// <summary>Makes batches for the pool of one database.</summary>
    internal sealed class Policy(DocumentTransactions transactions) : PooledObjectPolicy<MergedBatch>
    {
        public override MergedBatch Create() => new(transactions);

        public override bool Return(MergedBatch obj) => true;
    }
}
