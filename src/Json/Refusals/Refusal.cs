namespace Jackdaw.Json.Refusals;

/// <summary>Why something is refused.</summary>
/// <param name="Kind">The kind, for programs.</param>
/// <param name="Message">What was wrong, where, and what to do: for people.</param>
public sealed record Refusal(RefusalKind Kind, string Message)
{
    /// <summary>What else a program needs to know, in the order in which it is shown.</summary>
    public IReadOnlyList<RefusalFact> Facts { get; init; } = [];

    /// <summary>The facts of a <see cref="RefusalKind.Conflict"/>.</summary>
    /// <param name="id">Of the document.</param>
    /// <param name="expected">Change vector that the caller expected; empty when it expected no document.</param>
    /// <param name="actual">Stored change vector; empty when there is no document.</param>
    public static IReadOnlyList<RefusalFact> ConflictFacts(string id, string expected, string actual) =>
        [new("Id", id), new("ExpectedChangeVector", expected), new("ActualChangeVector", actual)];
}

/// <summary>One fact of a refusal.</summary>
/// <param name="Value">A text, a number, or a list of lists of facts.</param>
public readonly record struct RefusalFact(string Name, object? Value);
