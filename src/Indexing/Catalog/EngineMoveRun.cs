using System.Text.Json;
using Jackdaw.Documents.Operations;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing.Catalog;

/// <summary>The work on one move of indexes, since it was begun or the database was opened.</summary>
/// <param name="operation">By which clients watch it.</param>
internal sealed class EngineMoveRun(Operation operation, EngineMoveFigures figures)
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _isEnded;
    private volatile bool _isStarted;

    public Operation Operation => operation;

    public EngineMoveFigures Figures => figures;

    /// <summary>Whether it takes no more indexes. Set under the gate of the catalog where it can be.</summary>
    public bool IsEnded
    {
        get => _isEnded;
        set => _isEnded = value;
    }

    /// <summary>Completes when nothing is done any more.</summary>
    public Task Ended => _isStarted ? _ended.Task : Task.CompletedTask;

    public void Start() => _isStarted = true;

    public void End()
    {
        _isEnded = true;
        _ended.TrySetResult();
    }
}

/// <summary>What an operation shows of a move of indexes.</summary>
internal sealed class EngineMoveFigures : OperationFigures
{
    private volatile EngineMove _move = null!;

    /// <summary>As it was stored last.</summary>
    public required EngineMove Move
    {
        get => _move;
        set => _move = value;
    }

    public override string ResultType => "MoveEngineResult";

    public override void WriteProgress(Utf8JsonWriter json)
    {
        EngineMove move = Move;
        int left = move.With(MoveOutcome.Left).Count();
        json.WriteNumber("Processed"u8, move.Indexes.Count - left);
        json.WriteNumber("Total"u8, move.Indexes.Count);
        json.WriteString("Message"u8, move.With(MoveOutcome.Left).FirstOrDefault() is { } next
            ? $"'{next.Name}' moves to {move.Engine}, {left} left"
            : $"none is left to move to {move.Engine}");
    }

    public override void WriteResult(Utf8JsonWriter json)
    {
        EngineMove move = Move;
        int moved = move.With(MoveOutcome.Moved).Count();
        int failed = move.With(MoveOutcome.Failed).Count();
        int leftOut = move.With(MoveOutcome.LeftOut).Count();
        json.WriteString("Message"u8, $"{moved} indexes are of {move.Engine}, {failed} failed, {leftOut} were left out.");
        json.WriteNumber("Moved"u8, moved);
        json.WriteNumber("Failed"u8, failed);
        json.WriteNumber("LeftOut"u8, leftOut);
    }
}
