using System.Diagnostics;

namespace Jackdaw.Documents.Diagnostics;

/// <summary>The source of the activities (spans) of this server: one for each request, and one for each merged commit.</summary>
/// <remarks>Code that begins an activity checks <see cref="ActivitySource.HasListeners"/> first. Without a listener, which is the usual case, nothing is built
/// for it.</remarks>
internal static class DatabaseActivities
{
    /// <summary>The name by which a listener selects the source.</summary>
    public const string SourceName = "Jackdaw.Server";

    /// <summary>The tag with the name of the database, as OpenTelemetry calls it.</summary>
    public const string DatabaseTag = "db.namespace";

    /// <summary>The tag with the kind of failure, as OpenTelemetry calls it.</summary>
    public const string ErrorTag = "error.type";

    public static ActivitySource Source { get; } = new(SourceName);

    /// <summary>The activity of the caller; default outside of one, or without a listener.</summary>
    public static ActivityContext CurrentContext =>
        Source.HasListeners() && Activity.Current is { } current ? current.Context : default;
}
