using System.Diagnostics.Metrics;

namespace Jackdaw.Server.Diagnostics;

/// <summary>Duration and failures of one route. One instrument per route, its path a tag of the instrument: a
/// measurement carries no tags and costs no lookup.</summary>
internal sealed class RouteMetrics
{
    private readonly Histogram<double> _duration;
    private readonly Counter<long> _failures;

    public RouteMetrics(Meter meter, string route)
    {
        KeyValuePair<string, object?>[] tags = [new("route", route)];
        _duration = meter.CreateHistogram<double>(
            "jackdaw.http.request.duration", "s", "Time from the headers of a request to the end of its answer.", tags);
        _failures = meter.CreateCounter<long>(
            "jackdaw.http.request.failures", "{request}", "Answers with a status of 500 and above.", tags);
    }

    public void Record(TimeSpan duration, int status)
    {
        _duration.Record(duration.TotalSeconds);
        if (status >= 500)
        {
            _failures.Add(1);
        }
    }
}
