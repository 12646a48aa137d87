namespace Jackdaw.Server.SelfTest;

/// <summary>Result of one part of the self test.</summary>
/// <param name="Part">Name of the part.</param>
/// <param name="Verdict">The outcome.</param>
/// <param name="Summary">What was done and seen, in one line.</param>
/// <param name="Details">Lines below it: figures, and what to do.</param>
internal sealed record Finding(string Part, Verdict Verdict, string Summary, IReadOnlyList<string> Details);

/// <summary>What a part of the self test found; the worst is that of the whole.</summary>
public enum Verdict
{
    /// <summary>Nothing is wrong.</summary>
    Passed,

    /// <summary>Nothing is proven wrong, but the disk behaves as one that loses or delays writes.</summary>
    Suspicious,

    /// <summary>Acknowledged data was lost or came back wrong.</summary>
    Failed,
}
