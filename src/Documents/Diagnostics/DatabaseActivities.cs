using System.Diagnostics;

namespace Jackdaw.Documents.Diagnostics;

/// <summary>Where the activities (spans) of this server come from: one for each request, one for each merged
/// commit.</summary>
/// <remarks>Code that begins one checks <see cref="ActivitySource.HasListeners"/> first: without a listener, which is
/// the usual case, nothing is built for it.</remarks>
internal static class DatabaseActivities
{
    /// <summary>Name by which a listener selects the source.</summary>
    public const string SourceName = "Jackdaw.Server";

    /// <summary>Tag with the name of the database; the name is OpenTelemetry's.</summary>
    public const string DatabaseTag = "db.namespace";

    /// <summary>Tag with the kind of failure; the name is OpenTelemetry's.</summary>
    public const string ErrorTag = "error.type";

    public static ActivitySource Source { get; } = new(SourceName);

    /// <summary>The activity of the caller; default outside of one, or without a listener.</summary>
    public static ActivityContext CurrentContext =>
        Source.HasListeners() && Activity.Current is { } current ? current.Context : default;
}
