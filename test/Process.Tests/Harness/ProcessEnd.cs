namespace Jackdaw.ProcessTests.Harness;

/// <summary>How a process ended, and what it said.</summary>
internal sealed record ProcessEnd(int Code, string Output, string Errors, TimeSpan Time)
{
    /// <summary>Lines for people: what begins with "jackdaw: ".</summary>
    public string[] Complaints => [.. Errors.Split('\n').Where(line => line.StartsWith("jackdaw: ", StringComparison.Ordinal))];

    public override string ToString() => $"exit {Code} after {Time.TotalSeconds:0.0} s\n{Output}{Errors}";
}
