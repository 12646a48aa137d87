using System.Diagnostics;
using Jackdaw.Search.Results;
using Jackdaw.Search.Segments.Reading;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>Counts what a node of a search gives, and the time and the reads that it takes together with the nodes below it. One search.</summary>
internal sealed class MatcherMeter(string name, string detail, IReadOnlyList<MatcherMeter> inputs, PartMeter reads)
{
    /// <summary>Entries that it gave to the node above.</summary>
    public long Rows { get; set; }

    /// <summary>Terms that it looks for; -1 when it finds them while it runs.</summary>
    public int Terms { get; set; } = -1;

    private long Ticks { get; set; }

    private ReadCount Reads { get; set; } = ReadCount.Unknown;

    public Mark Begin() => new(Stopwatch.GetTimestamp(), reads.Count);

    public void End(Mark began)
    {
        Ticks += Stopwatch.GetTimestamp() - began.Timestamp;
        Reads = Reads.Plus(reads.Count.Since(began.Reads));
    }

    public PlanNode ToPlan()
    {
        IReadOnlyList<PlanNode> nodes = [.. inputs.Select(input => input.ToPlan())];
        return new PlanNode(name, detail, Rows, Stopwatch.GetElapsedTime(0, Ticks), nodes)
        {
            RowsIn = nodes.Count == 0 ? -1 : nodes.Sum(node => node.RowsOut),
            Terms = Terms,
            Reads = Reads,
        };
    }

    /// <summary>The counts when the node began to work.</summary>
    public readonly record struct Mark(long Timestamp, ReadCount Reads);
}
