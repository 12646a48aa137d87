using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.TimeSeries;

namespace Jackdaw.Documents.Database;

/// <summary>The kinds of extensions that documents of this server can have. A new kind is registered here, and nowhere else.</summary>
internal static class StandardExtensions
{
    public static DocumentExtensions All { get; } = new(AttachmentExtension.Instance, CounterExtension.Instance, TimeSeriesExtension.Instance);
}
