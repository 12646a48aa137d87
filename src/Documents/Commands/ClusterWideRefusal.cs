using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Commands;

/// <summary>A command as a part of a cluster-wide transaction.</summary>
internal interface IClusterWideCommand
{
    /// <summary>After it is applied, the index of the transaction; greater than 0.</summary>
    long TransactionIndex { get; }

    /// <summary>The reason of this command for a refusal of the transaction; null when it has none.</summary>
    ClusterWideViolation? Violation { get; }
}

/// <summary>A version that a cluster-wide transaction expected and did not find.</summary>
/// <param name="Type">Document or CompareExchange.</param>
/// <param name="Id">Id or key.</param>
/// <param name="Expected">The index that the transaction expected; 0 for no value.</param>
/// <param name="Actual">The stored index; 0 for no value.</param>
internal sealed record ClusterWideViolation(string Type, string Id, long Expected, long Actual)
{
    public override string ToString() =>
        $"{(Type == "Document" ? "Document" : "Compare exchange value")} '{Id}' has index {Actual}, but the transaction expected {Expected}" +
        (Actual == Expected ? ", and changes it twice." : ".");
}

/// <summary>Makes the refusal of a cluster-wide transaction, which names everything that others changed.</summary>
internal static class ClusterWideRefusal
{
    public static Refusal Make(WriteBatch batch)
    {
        // The violations are copied, because the command objects may already serve another request when the answer is written.
        ClusterWideViolation[] violations =
            [.. batch.Commands.ToArray().OfType<IClusterWideCommand>().Select(command => command.Violation).OfType<ClusterWideViolation>()];
        return new Refusal(
            RefusalKind.ClusterConflict,
            $"{string.Join<ClusterWideViolation>('\n', violations)}\nNothing of this transaction was written; get the values again and decide. " +
            "An index of 0 means that there is no value.")
        {
            Facts = [new RefusalFact("ConcurrencyViolations", violations.Select(FactsOf).ToArray())],
        };
    }

    private static IReadOnlyList<RefusalFact> FactsOf(ClusterWideViolation violation) =>
    [
        new("Id", violation.Id), new("Type", violation.Type), new("Expected", violation.Expected), new("Actual", violation.Actual),
    ];
}
