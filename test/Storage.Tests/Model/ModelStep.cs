namespace Jackdaw.Storage.Tests.Model;

/// <summary>What one step of a script does. Every step is legal in every state, so that any part of a script is a
/// script.</summary>
internal enum StepKind
{
    Put,

    /// <summary>A run that goes to the data file at once, when the value is large enough for one.</summary>
    PutDirect,
    Delete,

    /// <summary>Keys that begin like one; the length decides about how many bytes go.</summary>
    DeletePrefix,
    Get,
    Range,
    DropTree,
    PutRow,
    DeleteRow,
    GetRow,

    /// <summary>Direct runs are written before the transaction ends.</summary>
    WriteDirect,
    Commit,
    Submit,
    Rollback,
    OpenReader,
    CheckReader,
    CloseReader,
    Flush,
    Sync,
    Punch,
    Settle,
    Verify,
    Reopen,
    Abandon,
}

/// <summary>One step with all its choices, so that it does the same whatever was left out before it.</summary>
/// <param name="Kind">What it does.</param>
/// <param name="Target">Tree, or which of the open readers.</param>
/// <param name="Key">Number of the key.</param>
/// <param name="Length">Bytes of the value.</param>
/// <param name="Seed">Content of the value.</param>
internal readonly record struct ModelStep(StepKind Kind, int Target, int Key, int Length, int Seed)
{
    public override string ToString() => $"new(StepKind.{Kind}, {Target}, {Key}, {Length}, {Seed}),";
}
