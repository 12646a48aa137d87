using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing.Tests.Records;

/// <summary>The stored state of a move of indexes to another engine.</summary>
public sealed class EngineMoveTests
{
    private static readonly EngineMove s_move = new(
        "Corax", EngineMoveState.Running, 17, [new("A", MoveOutcome.Left), new("B", MoveOutcome.Left), new("C", MoveOutcome.LeftOut, "pinned")]);

    [Fact]
    public void Bytes_GiveTheSameMove()
    {
        EngineMove read = EngineMove.Parse(s_move.ToBytes());
        Assert.Equal((s_move.Engine, s_move.State, s_move.BeganTicks), (read.Engine, read.State, read.BeganTicks));
        Assert.Equal(s_move.Indexes, read.Indexes);
    }

    [Fact]
    public void Bytes_HaveNamesAndNoNumbersOfStates() =>
        Assert.Equal(
            """{"Engine":"Corax","State":"Running","BeganTicks":17,"Indexes":[{"Name":"A","Outcome":"Left","Reason":null},"""
            + """{"Name":"B","Outcome":"Left","Reason":null},{"Name":"C","Outcome":"LeftOut","Reason":"pinned"}]}""",
            System.Text.Encoding.UTF8.GetString(s_move.ToBytes()));

    [Fact]
    public void After_TheLastIndex_IsComplete_InAnyCasing()
    {
        EngineMove first = s_move.After(new MovedIndex("a", MoveOutcome.Moved));
        Assert.Equal(EngineMoveState.Running, first.State);
        EngineMove last = first.After(new MovedIndex("b", MoveOutcome.Failed, "no room"));
        Assert.Equal(EngineMoveState.Completed, last.State);
        Assert.Equal(["a Moved ", "b Failed no room", "C LeftOut pinned"], last.Indexes.Select(index => $"{index.Name} {index.Outcome} {index.Reason}"));
    }

    [Fact]
    public void After_TheLastIndexOfAStoppedMove_StaysStopped() => Assert.Equal(
        EngineMoveState.Stopped,
        (s_move with { State = EngineMoveState.Stopped }).After(new("A", MoveOutcome.Moved)).After(new("B", MoveOutcome.Moved)).State);

    [Fact]
    public void Plus_IndexThatIsThere_IsReplaced() =>
        Assert.Equal(["A Left", "B Left", "c Left", "D Left"], s_move.Plus([new("c", MoveOutcome.Left), new("D", MoveOutcome.Left)])
            .Indexes.Select(index => $"{index.Name} {index.Outcome}"));
}
