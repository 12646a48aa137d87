using System.Diagnostics.Metrics;
using Jackdaw.Pal.Measurement;

namespace Jackdaw.Documents.Databases;

/// <summary>Counters of every open database's storage and merger, read only on request.</summary>
/// <remarks>A collection reads the instruments in the order they were made. The first takes the figures of all
/// databases and the others use those, because taking them is expensive with a thousand databases.</remarks>
internal sealed class DatabaseMetrics
{
    /// <summary>The tag with the name of the database.</summary>
    public const string DatabaseTag = "database";

    private readonly Meter _meter;
    private readonly Func<IEnumerable<(string Name, DatabaseFigures Figures)>> _databases;
    private volatile (string Name, DatabaseFigures Figures)[] _taken = [];

    public DatabaseMetrics(Meter meter, Func<IEnumerable<(string Name, DatabaseFigures Figures)>> databases)
    {
        _meter = meter;
        _databases = databases;
        _meter.CreateObservableCounter(
            "jackdaw.merger.batches", () => TakeAndMeasure(figures => figures.Merger.Batches), "{batch}", "Merged transactions.");
        Count("merger.commands", "{command}", "Commands in merged transactions.", figures => figures.Merger.Commands);
        Count("merger.rollbacks", "{batch}", "Batches rolled back because a command failed.", figures => figures.Merger.Rollbacks);
        Count("storage.commits", "{commit}", "Durable journal writes.", figures => figures.Commits.Commits);
        Count("storage.commit.pages", "{page}", "Pages changed by commits.", figures => figures.Commits.Sum.Pages);
        Count("storage.commit.changed", "By", "Bytes of changed pages.", figures => figures.Commits.Sum.ChangedBytes);
        Count("storage.commit.diff", "By", "Journal payload before compression.", figures => figures.Commits.Sum.RawBytes);
        Count("storage.commit.journal", "By", "Journal bytes written.", figures => figures.Commits.Sum.StoredBytes);
        Seconds("storage.commit.prepare", "Checksums, diff and compression.", figures => figures.Commits.Sum.PrepareMicroseconds);
        Seconds("storage.commit.write", "Durable writes.", figures => figures.Commits.Sum.WriteMicroseconds);
        Count("storage.flush.pages", "{page}", "Pages written to data files.", figures => figures.Storage.Flushes.Pages);
        Count("storage.flush.runs", "{run}", "Contiguous ranges among them.", figures => figures.Storage.Flushes.Runs);
        Count("storage.flush.calls", "{call}", "System calls for them.", figures => figures.Storage.Flushes.Calls);
        Count("storage.flush.written", "By", "Bytes written to data files.", figures => figures.Storage.Flushes.Bytes);
        Seconds("storage.flush.write", "Writing pages to data files.", figures => figures.Storage.Flushes.Microseconds);
        Gauge("storage.data.size", "By", "Data file.", figures => figures.Storage.DataBytes);
        Gauge("storage.journals.size", "By", "Journal files.", figures => figures.Storage.JournalBytes);
        Gauge("storage.scratch.used", "By", "Pages in memory only.", figures => figures.Storage.ScratchBytes);
        Gauge("storage.transactions.active", "{transaction}", "Open snapshots.", figures => figures.Storage.ActiveTransactions);
        meter.CreateObservableGauge("jackdaw.storage.reader.oldest.age",
            () => Measure(figures => (figures.Storage.OldestReader?.AgeMs ?? 0) / 1e3), "s", "Age of the reader of the oldest state.");
        Gauge("storage.reader.retained", "By", "Scratch that it keeps.", figures => figures.Storage.OldestReader?.RetainedScratchBytes ?? 0);
        Gauge("storage.reader.retained.journals", "By", "Full journals that it keeps.",
            figures => figures.Storage.OldestReader?.RetainedJournalBytes ?? 0);
        meter.CreateObservableGauge("jackdaw.storage.write.mode", MeasureWriteMode, null, "1: how pages are written.");
    }

    private void Count(string name, string unit, string description, Func<DatabaseFigures, long> value) =>
        _meter.CreateObservableCounter("jackdaw." + name, () => Measure(value), unit, description);

    private void Seconds(string name, string description, Func<DatabaseFigures, long> microseconds) =>
        _meter.CreateObservableCounter("jackdaw." + name, () => Measure(figures => microseconds(figures) / 1e6), "s", description);

    private void Gauge(string name, string unit, string description, Func<DatabaseFigures, long> value) =>
        _meter.CreateObservableGauge("jackdaw." + name, () => Measure(value), unit, description);

    private IEnumerable<Measurement<T>> TakeAndMeasure<T>(Func<DatabaseFigures, T> value)
        where T : struct
    {
        _taken = [.. _databases()];
        return Measure(value);
    }

    private IEnumerable<Measurement<int>> MeasureWriteMode()
    {
        foreach ((string name, DatabaseFigures figures) in _taken)
        {
            yield return new Measurement<int>(
                1, new(DatabaseTag, name), new("mode", PageWriteModes.NameOf(figures.Storage.WriteMode)));
        }
    }

    private IEnumerable<Measurement<T>> Measure<T>(Func<DatabaseFigures, T> value)
        where T : struct
    {
        foreach ((string name, DatabaseFigures figures) in _taken)
        {
            yield return new Measurement<T>(value(figures), new KeyValuePair<string, object?>(DatabaseTag, name));
        }
    }
}
