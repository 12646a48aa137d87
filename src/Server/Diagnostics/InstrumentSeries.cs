using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Globalization;
using System.Text;
using Jackdaw.Documents.Databases;

namespace Jackdaw.Server.Diagnostics;

/// <summary>The time series of one instrument: one per set of tags.</summary>
internal sealed class InstrumentSeries
{
    private readonly Instrument _instrument;
    private readonly bool _isHistogram;
    private readonly bool _isObserved;
    private readonly bool _isAdded;

    // Measurements without tags, the usual ones, need no lookup.
    private readonly SeriesValue _untagged;
    private readonly ConcurrentDictionary<string, SeriesValue> _tagged = new();

    public InstrumentSeries(Instrument instrument)
    {
        _instrument = instrument;
        string kind = instrument.GetType().Name;
        _isHistogram = kind.StartsWith("Histogram", StringComparison.Ordinal);
        _isObserved = instrument.IsObservable;
        _isAdded = kind.Contains("Counter", StringComparison.Ordinal) && !_isObserved;
        bool onlyGrows = kind.Contains("Counter", StringComparison.Ordinal)
            && !kind.Contains("UpDown", StringComparison.Ordinal);
        Type = _isHistogram ? "histogram" : onlyGrows ? "counter" : "gauge";
        Name = MetricName(instrument, onlyGrows);
        _untagged = new SeriesValue(Labels(instrument.Tags, default));
    }

    public string Name { get; }

    public string Type { get; }

    public string Help => (_instrument.Description ?? _instrument.Name).ReplaceLineEndings(" ");

    public void Record(double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        SeriesValue series = tags.IsEmpty ? _untagged : Find(tags);
        if (_isHistogram)
        {
            series.Observe(value);
        }
        else if (_isAdded)
        {
            series.Add(value);
        }
        else
        {
            series.Set(value);
        }
    }

    /// <param name="isShown">Whether the reader may know of a database.</param>
    public void Write(StringBuilder text, Predicate<string> isShown)
    {
        foreach (SeriesValue series in _tagged.Values.Prepend(_untagged)
            .Where(series => series.WasTouched && (series.Database is null || isShown(series.Database))))
        {
            if (_isHistogram)
            {
                series.WriteHistogram(text, Name);
            }
            else
            {
                text.Append(CultureInfo.InvariantCulture, $"{Name}{series.Braces()} {series.Value}\n");
            }
        }
    }

    private SeriesValue Find(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        string labels = Labels(_instrument.Tags, tags);
        return _tagged.TryGetValue(labels, out SeriesValue? known) ? known : _tagged.GetOrAdd(labels, new SeriesValue(labels) { Database = DatabaseOf(tags) });
    }

    private static string? DatabaseOf(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        foreach ((string key, object? value) in tags)
        {
            if (key == DatabaseMetrics.DatabaseTag)
            {
                return value as string;
            }
        }

        return null;
    }

    private static string MetricName(Instrument instrument, bool onlyGrows)
    {
        string unit = instrument.Unit switch { "s" => "_seconds", "By" => "_bytes", _ => "" };
        string name = string.Concat(instrument.Name.Select(c => char.IsAsciiLetterOrDigit(c) ? c : '_'));
        name = name.EndsWith(unit, StringComparison.Ordinal) ? name : name + unit;
        return onlyGrows ? name + "_total" : name;
    }

    private static string Labels(
        IEnumerable<KeyValuePair<string, object?>>? fixedTags, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var labels = new List<string>();
        foreach (KeyValuePair<string, object?> tag in (fixedTags ?? []).Concat(tags.ToArray()))
        {
            string name = string.Concat(tag.Key.Select(c => char.IsAsciiLetterOrDigit(c) ? c : '_'));
            string value = Convert.ToString(tag.Value, CultureInfo.InvariantCulture) ?? "";
            value = value.Replace("\\", @"\\", StringComparison.Ordinal)
                .Replace("\"", "\\\"", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal);
            labels.Add($"{name}=\"{value}\"");
        }

        return string.Join(',', labels);
    }
}
