using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Globalization;
using System.Text;

namespace Jackdaw.Server.Diagnostics;

/// <summary>Listens to our meters and the runtime's, and writes the measurements as Prometheus text (exposition format
/// 0.0.4).</summary>
/// <remarks>Measurements come on any thread and touch only their own series; a scrape reads without stopping them, so
/// its sums may differ by the measurements of that moment.</remarks>
internal sealed class PrometheusListener : IDisposable
{
    public const string ServerMeterName = "Jackdaw.Server";

    private readonly MeterListener _listener = new();
    private readonly ConcurrentDictionary<Instrument, InstrumentSeries> _series = new();

    public PrometheusListener(Meter serverMeter)
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (IsOurs(instrument.Meter, serverMeter))
            {
                listener.EnableMeasurementEvents(
                    instrument, _series.GetOrAdd(instrument, key => new InstrumentSeries(key)));
            }
        };
        _listener.SetMeasurementEventCallback<double>(static (_, value, tags, state) => Record(value, tags, state));
        _listener.SetMeasurementEventCallback<float>(static (_, value, tags, state) => Record(value, tags, state));
        _listener.SetMeasurementEventCallback<long>(static (_, value, tags, state) => Record(value, tags, state));
        _listener.SetMeasurementEventCallback<int>(static (_, value, tags, state) => Record(value, tags, state));
        _listener.Start();
    }

    /// <summary>All series as text.</summary>
    public string Scrape() => Scrape(static _ => true);

    /// <summary>All series as text, without those of some databases.</summary>
    /// <param name="isShown">Whether the reader may know of a database.</param>
    public string Scrape(Predicate<string> isShown)
    {
        _listener.RecordObservableInstruments();
        var text = new StringBuilder();
        foreach (IGrouping<string, InstrumentSeries> family in _series.Values
            .GroupBy(series => series.Name).OrderBy(group => group.Key, StringComparer.Ordinal))
        {
            WriteFamily(text, family, isShown);
        }

        return text.ToString();
    }

    public void Dispose() => _listener.Dispose();

    // A client in the same process is not measured here; the program that uses it does that.
    private static bool IsOurs(Meter meter, Meter serverMeter) => meter.Name == ServerMeterName
        ? ReferenceEquals(meter, serverMeter)
        : (meter.Name.StartsWith("Jackdaw.", StringComparison.Ordinal) && meter.Name != "Jackdaw.Client") || meter.Name == "System.Runtime";

    private static void Record(double value, ReadOnlySpan<KeyValuePair<string, object?>> tags, object? state) =>
        ((InstrumentSeries)state!).Record(value, tags);

    private static void WriteFamily(StringBuilder text, IGrouping<string, InstrumentSeries> family, Predicate<string> isShown)
    {
        InstrumentSeries first = family.First();
        text.Append(
            CultureInfo.InvariantCulture, $"# HELP {family.Key} {first.Help}\n# TYPE {family.Key} {first.Type}\n");
        foreach (InstrumentSeries series in family)
        {
            series.Write(text, isShown);
        }
    }
}
