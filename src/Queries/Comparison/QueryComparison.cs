using System.Diagnostics;
using Jackdaw.Indexing.Comparison;

namespace Jackdaw.Queries.Comparison;

/// <summary>Asks one query of several engines, measures it, and compares what they find. One thread.</summary>
internal sealed class QueryComparison
{
    /// <summary>Measured runs of each engine.</summary>
    public const int RunsMax = 100;

    private readonly List<EngineAnswer> _answers = [];
    private readonly List<RowDifference> _differences = [];

    private QueryComparison(string query) => Query = query;

    public string Query { get; }

    /// <summary>One for each engine.</summary>
    public IReadOnlyList<EngineAnswer> Answers => _answers;

    /// <summary>Between the first engine and each other one; only where both have answered with rows that are not cut.</summary>
    public IReadOnlyList<RowDifference> Differences => _differences;

    /// <summary>Whether rows are documents, so that differences name their keys.</summary>
    public bool AreDocuments { get; private set; }

    /// <summary>Compares.</summary>
    /// <param name="builds">What is asked. One whose engine has failed is left out.</param>
    /// <param name="patience">The time of all runs; there are fewer runs when it is over.</param>
    public static QueryComparison Run(ComparedQuery query, IReadOnlyList<EngineBuild> builds, TimeSpan patience, CancellationToken ended)
    {
        var comparison = new QueryComparison(query.Text);
        List<Asked> asked = [.. builds.Where(build => build.Failure is null).Select(build => new Asked(build))];
        asked.ForEach(one => one.Find(query, ended));
        long began = Stopwatch.GetTimestamp();
        for (int run = 0; run < RunsMax && (run == 0 || Stopwatch.GetElapsedTime(began) < patience); run++)
        {
            asked.ForEach(one => one.Measure(query, ended)); // alternately, so that what else the machine does hits all of them
        }

        comparison._answers.AddRange(asked.Select(one => one.ToAnswer()));
        List<Asked> answered = asked.FindAll(one => one.Error is null && !one.Rows.IsCut);
        comparison._differences.AddRange(answered.Skip(1).Select(other =>
            RowDifference.Of(answered[0].Engine, answered[0].Rows, other.Engine, other.Rows, query.HasOrder)));
        comparison.AreDocuments = answered.TrueForAll(one => one.Rows.AreDocuments);
        return comparison;
    }

    private sealed class Asked(EngineBuild build)
    {
        private readonly List<TimeSpan> _times = [];

        public string Engine => build.Engine;

        public FoundRows Rows { get; } = new();

        public string? Error { get; private set; }

        // The first run, which also warms up.
        public void Find(ComparedQuery query, CancellationToken ended) => Try(() => query.Ask(build, Rows, ended));

        public void Measure(ComparedQuery query, CancellationToken ended) => Try(() => _times.Add(query.Ask(build, null, ended)));

        public EngineAnswer ToAnswer()
        {
            _times.Sort();
            return new EngineAnswer(Engine, Rows.Total, Rows.Rows.Count, Rows.IsCut, _times.Count, RankOf(0.5), RankOf(0.99), Error);
        }

        // What one engine refuses and another one answers is a result, too.
        private void Try(Action ask)
        {
            if (Error is not null)
            {
                return;
            }

            try
            {
                ask();
            }
            catch (Exception failure) when (failure is not OperationCanceledException)
            {
                Error = failure.Message;
            }
        }

        private TimeSpan? RankOf(double part) => _times.Count == 0 ? null : _times[(int)Math.Ceiling(part * _times.Count) - 1];
    }
}

/// <summary>What one engine answers to a query.</summary>
/// <param name="Total">Entries that match.</param>
/// <param name="Rows">Rows that were compared.</param>
/// <param name="IsCut">There are more rows than were compared.</param>
/// <param name="Runs">Runs that were measured.</param>
/// <param name="Median">The time that half of the runs took at most.</param>
/// <param name="NearlyLongest">The time that 99 of 100 runs took at most.</param>
/// <param name="Error">Why it could not be asked; null if it could.</param>
internal sealed record EngineAnswer(
    string Engine, long Total, int Rows, bool IsCut, int Runs, TimeSpan? Median, TimeSpan? NearlyLongest, string? Error);
