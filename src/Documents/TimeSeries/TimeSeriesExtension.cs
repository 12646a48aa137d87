using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Extensions;

namespace Jackdaw.Documents.TimeSeries;

/// <summary>The names of time series, which this version does not store. They are reserved, so that clients cannot use them for anything else.</summary>
internal sealed class TimeSeriesExtension() :
    DocumentExtension(slot: 2, "HasTimeSeries", "@timeseries", "@timeseries-snapshot"), IWatchedExtension
{
    public static TimeSeriesExtension Instance { get; } = new();

    public ExtensionWatches Watches { get; } = new("TimeSeriesChange", "all-timeseries", "timeseries", "all-document-timeseries", "document-timeseries");
}
