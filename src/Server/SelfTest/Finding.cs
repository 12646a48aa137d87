namespace Jackdaw.Server.SelfTest;

/// <summary>Result of one part of the self test.</summary>
/// <param name="Part">Name of the part.</param>
/// <param name="Verdict">What it comes to.</param>
/// <param name="Summary">What was done and seen, in one line.</param>
/// <param name="Details">Lines below it: figures, and what to do.</param>
internal sealed record Finding(string Part, Verdict Verdict, string Summary, IReadOnlyList<string> Details);
