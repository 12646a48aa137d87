using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Commands;

/// <summary>A command as a part of a cluster-wide transaction.</summary>
internal interface IClusterWideCommand
{
    /// <summary>Applied: index of the transaction; greater than 0.</summary>
    long TransactionIndex { get; }

    /// <summary>Why the transaction was refused, as far as this command is concerned; null when it is not.</summary>
    ClusterWideViolation? Violation { get; }
}

/// <summary>A version that a cluster-wide transaction expected and did not find.</summary>
/// <param name="Type">Document or CompareExchange.</param>
/// <param name="Id">Id or key.</param>
/// <param name="Expected">Index that the transaction expected; 0: none.</param>
/// <param name="Actual">Index that is stored; 0: none.</param>
internal sealed record ClusterWideViolation(string Type, string Id, long Expected, long Actual)
{
    public override string ToString() =>
        $"{(Type == "Document" ? "Document" : "Compare exchange value")} '{Id}' has index {Actual}, but the transaction expected {Expected}" +
        (Actual == Expected ? ", and changes it twice." : ".");
}

/// <summary>The refusal of a cluster-wide transaction: it names everything that others changed.</summary>
internal static class ClusterWideRefusal
{
    public static Refusal Make(WriteBatch batch)
    {
        // Copied: when the answer is written, the command objects may already serve another request.
        ClusterWideViolation[] violations =
            [.. batch.Commands.ToArray().OfType<IClusterWideCommand>().Select(command => command.Violation).OfType<ClusterWideViolation>()];
        return new Refusal(
            RefusalKind.ClusterConflict,
            $"{string.Join<ClusterWideViolation>('\n', violations)}\nNothing of this transaction was written; get the values again and decide. " +
            "An index of 0 stands for no value.")
        {
            Facts = [new RefusalFact("ConcurrencyViolations", violations.Select(FactsOf).ToArray())],
        };
    }

    private static IReadOnlyList<RefusalFact> FactsOf(ClusterWideViolation violation) =>
    [
        new("Id", violation.Id), new("Type", violation.Type), new("Expected", violation.Expected), new("Actual", violation.Actual),
    ];
}
