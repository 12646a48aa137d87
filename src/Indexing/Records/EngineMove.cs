using System.Text.Json;
using System.Text.Json.Serialization;

namespace Jackdaw.Indexing.Records;

/// <summary>What a move of indexes to another search engine has done and has still to do. Immutable. Stored with the documents, so that it goes on after a
/// restart.</summary>
/// <param name="Engine">The name of the engine that the indexes get.</param>
/// <param name="State">Whether it goes on.</param>
/// <param name="BeganTicks">UTC.</param>
/// <param name="Indexes">All indexes that it is about, in the order in which they move; no name comes twice.</param>
internal sealed record EngineMove(string Engine, EngineMoveState State, long BeganTicks, IReadOnlyList<MovedIndex> Indexes)
{
    private static readonly JsonSerializerOptions s_json = new() { Converters = { new JsonStringEnumConverter() } };

    /// <summary>The indexes with an outcome.</summary>
    public IEnumerable<MovedIndex> With(MoveOutcome outcome) => Indexes.Where(index => index.Outcome == outcome);

    /// <summary>The same move after an index has come to its end. After the last one, a move that was not stopped is complete.</summary>
    public EngineMove After(MovedIndex ended)
    {
        EngineMove next = this with { Indexes = [.. Indexes.Select(index => index.IsOf(ended.Name) ? ended : index)] };
        return next.State == EngineMoveState.Running && !next.With(MoveOutcome.Left).Any() ? next with { State = EngineMoveState.Completed } : next;
    }

    /// <summary>The same move with more indexes, at the end. One that is in it already is replaced.</summary>
    public EngineMove Plus(IReadOnlyList<MovedIndex> more) => this with
    {
        Indexes = [.. Indexes.Where(known => !more.Any(index => index.IsOf(known.Name))), .. more],
    };

    public byte[] ToBytes() => JsonSerializer.SerializeToUtf8Bytes(this, s_json);

    public static EngineMove Parse(ReadOnlySpan<byte> stored) => JsonSerializer.Deserialize<EngineMove>(stored, s_json)!;
}

/// <summary>Whether a move goes on. The names are stored.</summary>
internal enum EngineMoveState
{
    Running,

    /// <summary>Somebody stopped it.</summary>
    Stopped,
    Completed,
}

/// <summary>One index of a move.</summary>
/// <param name="Reason">For people, when it did not move; otherwise null.</param>
internal sealed record MovedIndex(string Name, MoveOutcome Outcome, string? Reason = null)
{
    /// <summary>Whether this is the index with a name, in any casing.</summary>
    public bool IsOf(string name) => Name.Equals(name, StringComparison.OrdinalIgnoreCase);
}

/// <summary>What became of an index of a move. The names are stored.</summary>
internal enum MoveOutcome
{
    /// <summary>It has still to move.</summary>
    Left,
    Moved,
    Failed,

    /// <summary>It is not to move: its definition names another engine, or it was deleted.</summary>
    LeftOut,
}
