using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.TimeSeries;

/// <summary>The names of time series, which this version does not store. They are reserved, so that clients cannot use them for anything else.</summary>
internal sealed class TimeSeriesExtension() :
    DocumentExtension(slot: 2, "HasTimeSeries", "@timeseries", "@timeseries-snapshot"), IWatchedExtension, ICommandedExtension, ICountedExtension
{
    public static TimeSeriesExtension Instance { get; } = new();

    public ExtensionWatches Watches { get; } = new("TimeSeriesChange", "all-timeseries", "timeseries", "all-document-timeseries", "document-timeseries");

    public bool HasChanges => false;

    public IEnumerable<CommandKind> BatchCommands =>
        [CommandKind.Later("TimeSeries"), CommandKind.Later("TimeSeriesWithIncrements"), CommandKind.Later("TimeSeriesCopy")];

    public IEnumerable<CommandKind> InsertCommands => [CommandKind.Later("TimeSeriesBulkInsert")];

    public string ProcessedMember => "TimeSeriesProcessed";

    public IEnumerable<(string Member, long Count)> Count(ReadTransaction read) => [("CountOfTimeSeriesSegments", 0)];

    public IEnumerable<(string Member, long Count)> CountInDetail(ReadTransaction read) => [("CountOfTimeSeriesDeletedRanges", 0)];
}
