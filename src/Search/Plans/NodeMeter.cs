using System.Diagnostics;
using Jackdaw.Search.Results;

namespace Jackdaw.Search.Plans;

/// <summary>Counts the entries that a node of a search gives, and the time and the reads that it takes together with the nodes below it. One search, one
/// thread.</summary>
/// <param name="reads">The reads of the whole search so far.</param>
public sealed class NodeMeter(string name, string detail, IReadOnlyList<NodeMeter> inputs, Func<ReadCount> reads)
{
    /// <summary>The number of entries that the node gave to the one above. A node below an "and" is asked only from the place that the other nodes have
    /// reached.</summary>
    public long Rows { get; set; }

    /// <summary>The number of terms that it looks for; -1 when it finds them while it runs.</summary>
    public int Terms { get; set; } = -1;

    /// <summary>Ticks of <see cref="Stopwatch"/>.</summary>
    private long Ticks { get; set; }

    private ReadCount Reads { get; set; }

    /// <summary>Is called when the node begins to work.</summary>
    public Mark Begin() => new(Stopwatch.GetTimestamp(), reads());

    /// <summary>Is called when the node gives control back.</summary>
    public void End(Mark began)
    {
        Ticks += Stopwatch.GetTimestamp() - began.Timestamp;
        Reads = Reads.Plus(reads().Since(began.Reads));
    }

    /// <summary>The step of the node in a plan.</summary>
    public PlanNode ToPlan()
    {
        IReadOnlyList<PlanNode> below = [.. inputs.Select(input => input.ToPlan())];
        return new PlanNode(name, detail, Rows, Stopwatch.GetElapsedTime(0, Ticks), below)
        {
            RowsIn = below.Count == 0 ? -1 : below.Sum(input => input.RowsOut),
            Terms = Terms,
            Reads = Reads,
        };
    }

    /// <summary>The counts at the moment when the node began to work.</summary>
    public readonly record struct Mark(long Timestamp, ReadCount Reads);
}
