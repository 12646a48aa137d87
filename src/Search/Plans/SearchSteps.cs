using System.Diagnostics;
using System.Globalization;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;

namespace Jackdaw.Search.Plans;

/// <summary>What a search has done, for its plan.</summary>
/// <param name="Started">The timestamp of <see cref="Stopwatch"/> at its beginning.</param>
/// <param name="Entries">The entries of the index.</param>
/// <param name="Total">The entries that match.</param>
/// <param name="Hits">The hits of the page.</param>
public readonly record struct SearchSteps(long Started, long Entries, long Total, int Hits)
{
    /// <summary>The reads until the hits were found.</summary>
    public ReadCount ReadsToFind { get; init; }

    /// <summary>All reads.</summary>
    public ReadCount Reads { get; init; }

    /// <summary>The plan at the end of the search.</summary>
    /// <param name="meters">The meters of the condition; empty when nothing was measured.</param>
    /// <remarks>The time of the whole search includes collecting and sorting, which its inputs do not include.</remarks>
    public PlanNode ToPlan(SearchRequest request, IReadOnlyList<NodeMeter> meters)
    {
        IReadOnlyList<PlanNode> inputs = [.. meters.Select(meter => meter.ToPlan())];
        string order = string.Join(", ", request.Sort.Select(NodeText.Of));
        string page = string.Create(CultureInfo.InvariantCulture, $"skip {request.Skip}, take {request.Take}");
        if (inputs.Count > 0)
        {
            string name = request.Sort.Count == 0 ? "collect" : "sort";
            inputs = [new PlanNode(name, order, Hits, Stopwatch.GetElapsedTime(Started), inputs) { RowsIn = Total, Reads = ReadsToFind }];
        }

        return new PlanNode("search", page, Hits, Stopwatch.GetElapsedTime(Started), inputs) { RowsIn = Entries, Reads = Reads };
    }
}
