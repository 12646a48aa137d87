using System.Diagnostics;
using System.Text;
using Jackdaw.Storage.Transactions;
using MergedCommand = Jackdaw.Storage.Merging.WriteCommand;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>A batch of a request as one command of the merger. Prepared on the request's thread, executed on the
/// writer's, answered on
/// the request's. Pooled.</summary>
/// <remarks>
/// All or nothing without undoing: every demand is checked before anything is written, with what earlier commands of
/// the batch will
/// have done by then. Where the check cannot know (an id that only the writer completes), the write itself finds out:
/// as the first
/// write of the batch it is refused, later it throws and the merger rolls back.
/// </remarks>
internal sealed partial class BatchCommand(DocumentWriter writer) : MergedCommand
{
    /// <summary>Outcomes kept for the next batch: more would pin the memory of one large batch in an idle
    /// object.</summary>
    private const int KeptCommandsMax = 1024;

    private readonly PreparedRows _rows = new();
    private WriteBatch? _batch;
    private int[]? _earlier;
    private CommandOutcome[] _outcomes = new CommandOutcome[1];
    private bool _hasWritten;
    private Etag _before; // the last etag when the execution began

    public override int SizeBytes => _rows.Bytes;

    /// <summary>Applied, Conflict or NumbersExhausted, after the execution.</summary>
    public WriteStatus Status { get; private set; }

    public int FailedCommand { get; private set; }

    public Etag ActualEtag { get; private set; }

    public bool IsChangedEarlier { get; private set; }

    private ReadOnlySpan<WriteCommand> Commands => _batch!.Commands.Span;

    /// <summary>Builds what can be built before the writer's turn.</summary>
    public void Prepare(WriteBatch batch)
    {
        _batch = batch;
        ReadOnlySpan<WriteCommand> commands = batch.Commands.Span;
        _rows.Prepare(commands);
        _earlier = EarlierTouches.Find(commands);
        if (_outcomes.Length < commands.Length)
        {
            _outcomes = new CommandOutcome[commands.Length];
        }
    }

    /// <summary>The answer, after the execution.</summary>
    public WriteResult MakeResult(in WriteCost cost) => new()
    {
        Status = Status,
        Results = Status == WriteStatus.Applied && _batch!.ResultsWanted ? MakeResults() : null,
        FailedCommand = FailedCommand,
        ActualEtag = ActualEtag,
        IsChangedEarlier = IsChangedEarlier,
        Cost = cost,
    };

    /// <summary>Forgets the batch; the object can be used again.</summary>
    public void Clear()
    {
        _rows.Clear();
        _batch = null;
        _earlier = null;
        if (_outcomes.Length > KeptCommandsMax)
        {
            _outcomes = new CommandOutcome[1];
        }
    }

    protected override void Execute(WriteTransaction transaction)
    {
        DocumentTransaction documents = writer.For(transaction);
        Status = WriteStatus.Applied;
        FailedCommand = 0;
        ActualEtag = Etag.None;
        IsChangedEarlier = false;
        _hasWritten = false;
        _before = documents.LastEtag;
        if (_earlier is not null && !AreDemandsMet(documents))
        {
            return;
        }

        for (int i = 0; i < Commands.Length; i++)
        {
            _outcomes[i] = default;
            if (!TryApply(documents, i, ref _outcomes[i]))
            {
                return;
            }
        }
    }

    private bool AreDemandsMet(DocumentTransaction documents)
    {
        ReadOnlySpan<WriteCommand> commands = Commands;
        for (int i = 0; i < commands.Length; i++)
        {
            ref readonly WriteCommand command = ref commands[i];
            if (command.Expected.Kind == ExpectedVersionKind.Any || command.Kind == WriteCommandKind.DeletePrefix ||
                PreparedRows.IsCompletedByWriter(command))
            {
                continue;
            }

            Etag stored = documents.FindEtag(command.Key.Span);
            Etag met = _earlier![i] < 0 ? stored : EtagAfter(documents, _earlier[i]);
            if (!command.Expected.IsSatisfiedBy(met))
            {
                IsChangedEarlier = met != stored;
                return Refuse(i, command.Key.Span, stored);
            }
        }

        return true;
    }

    // What an earlier put of the batch gets is not known yet, but it is new: no client can have named it.
    private Etag EtagAfter(DocumentTransaction documents, int earlier) =>
        Commands[earlier].Kind == WriteCommandKind.Put ? new Etag(documents.LastEtag.Value + 1 + earlier) : Etag.None;

    private bool Refuse(int command, ReadOnlySpan<byte> key, Etag met)
    {
        IsChangedEarlier |= met.Value > _before.Value;
        if (_hasWritten)
        {
            throw new BatchRefusedException(WriteStatus.Conflict, command, key.ToArray(), IsChangedEarlier);
        }

        Status = WriteStatus.Conflict;
        FailedCommand = command;
        ActualEtag = met;
        return false;
    }

    private bool RefuseExhausted(int command)
    {
        if (_hasWritten)
        {
            throw new BatchRefusedException(WriteStatus.NumbersExhausted, command, [], isChangedEarlier: false);
        }

        Status = WriteStatus.NumbersExhausted;
        FailedCommand = command;
        return false;
    }

    private WriteCommandResult[] MakeResults()
    {
        Debug.Assert(Status == WriteStatus.Applied);
        ReadOnlySpan<WriteCommand> commands = Commands;
        var results = new WriteCommandResult[commands.Length];
        for (int i = 0; i < results.Length; i++)
        {
            ref CommandOutcome outcome = ref _outcomes[i];
            results[i] = new WriteCommandResult
            {
                Id = outcome.Id ?? Encoding.UTF8.GetString(commands[i].Id.Span),
                Etag = outcome.Etag,
                LastModifiedTicks = outcome.Ticks,
                Flags = outcome.Flags,
                Deleted = outcome.Deleted,
            };
        }

        return results;
    }
}
