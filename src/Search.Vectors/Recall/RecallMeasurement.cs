using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Search.Vectors.Walks;

namespace Jackdaw.Search.Vectors.Recall;

/// <summary>Measures the recall of a graph in steps: stored vectors are searched for as if they were not in the graph, by walks and by comparing all.</summary>
/// <remarks>A stored vector is well connected to its neighbours, so that a walk that sees the sample finds far too much. A walk that does not see it finds too
/// little, because it has a place in the lists of its neighbours that would be another's. If the nearest of its own neighbours get these places, a walk finds
/// as much as a query does, or more. The truth was 0.5 to 1.1 of the way between the last two on most data, so that 0.6 is taken (decision 0067).</remarks>
internal sealed class RecallMeasurement
{
    private const int SamplesMax = 256;
    private const int SamplesPerStep = 4;
    private const int Nearest = 10;
    private const double ShareOfReplaced = 0.6;

    private static readonly int[] s_widths = [10, 16, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 256, 320, 400, 512, 640, 800];

    private readonly uint[] _samples;
    private readonly double[] _sums = new double[s_widths.Length];
    private readonly double[] _squares = new double[s_widths.Length];
    private readonly uint _live;
    private readonly long _changes;
    private int _next;
    private int _measured;

    public RecallMeasurement(GraphView view)
    {
        _live = view.Header.Live;
        _changes = view.Header.Changes;
        _samples = Choose(view);
    }

    /// <summary>Whether enough has changed since a graph was measured to measure it again.</summary>
    public static bool IsDue(in GraphHeader header, RecallTable? table) =>
        header.Live >= GraphSearcher.ScannedMax
        && (table is null || header.Live >= 2 * (long)table.Live || header.Changes - table.Changes >= Math.Max(1, table.Live / 5));

    /// <summary>Measures some samples. Returns null until the last one.</summary>
    public RecallTable? Step(GraphSearcher searcher)
    {
        for (int end = Math.Min(_samples.Length, _next + SamplesPerStep); _next < end; _next++)
        {
            if (_samples[_next] < searcher.View.Header.Nodes && searcher.View.Flags(_samples[_next]) == NodeFlags.None)
            {
                Measure(searcher, _samples[_next]);
            }
        }

        return _next < _samples.Length ? null : new RecallTable(_measured, _live, _changes, [.. s_widths.Select((width, i) => At(width, i))]);
    }

    private void Measure(GraphSearcher searcher, uint sample)
    {
        searcher.Hide(sample);
        try
        {
            HashSet<uint> exact = [.. NodeKey.Nodes(searcher.FindByScan(Nearest))];
            for (int i = 0; i < s_widths.Length && exact.Count > 0; i++)
            {
                double hidden = Recall(searcher, exact, s_widths[i], isReplaced: false);
                double replaced = Recall(searcher, exact, s_widths[i], isReplaced: true);
                double recall = hidden + (ShareOfReplaced * (replaced - hidden));
                _sums[i] += recall;
                _squares[i] += recall * recall;
            }

            _measured += exact.Count > 0 ? 1 : 0;
        }
        finally
        {
            searcher.Hide(null);
            searcher.Walk.IsReplaced = false;
        }
    }

    private static double Recall(GraphSearcher searcher, HashSet<uint> exact, int width, bool isReplaced)
    {
        searcher.Walk.IsReplaced = isReplaced;
        return NodeKey.Nodes(searcher.FindByWalk(Nearest, width)).Count(exact.Contains) / (double)exact.Count;
    }

    private RecallAt At(int width, int index)
    {
        double mean = _sums[index] / Math.Max(1, _measured);
        double variance = Math.Max(0, (_squares[index] / Math.Max(1, _measured)) - (mean * mean));
        return new RecallAt(width, (float)mean, (float)Math.Sqrt(variance / Math.Max(1, _measured)));
    }

    // Live nodes that lie as far apart as possible. Numbers follow arrival, so that each time of arrival has its share.
    private static uint[] Choose(GraphView view)
    {
        List<uint> samples = [];
        uint nodes = view.Header.Nodes;
        for (int i = 0; i < SamplesMax; i++)
        {
            uint first = (uint)(((ulong)nodes * (uint)i) / SamplesMax);
            uint end = (uint)(((ulong)nodes * ((uint)i + 1)) / SamplesMax);
            for (uint node = first; node < end; node++)
            {
                if (view.Flags(node) == NodeFlags.None)
                {
                    samples.Add(node);
                    break;
                }
            }
        }

        return [.. samples];
    }
}
