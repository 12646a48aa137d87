namespace Jackdaw.Server.SelfTest;

/// <summary>Result of one stage of the self test.</summary>
/// <param name="Part">The name of the stage.</param>
/// <param name="Verdict">The outcome.</param>
/// <param name="Summary">The test and its result, in one line.</param>
/// <param name="Details">More lines: figures, and what to do.</param>
internal sealed record Finding(string Part, Verdict Verdict, string Summary, IReadOnlyList<string> Details);

/// <summary>The verdict of a stage of the self test. The worst one is the verdict of the whole test.</summary>
public enum Verdict
{
    /// <summary>Nothing is wrong.</summary>
    Passed,

    /// <summary>Nothing is proven wrong, but the disk behaves like one that loses or delays writes.</summary>
    Suspicious,

    /// <summary>Acknowledged data was lost or came back wrong.</summary>
    Failed,
}
