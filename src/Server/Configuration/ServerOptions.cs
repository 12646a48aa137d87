using Jackdaw.Documents.Identity;
using Jackdaw.Indexing.Settings;
using Jackdaw.Pal;
using Jackdaw.Pal.Measurement;

namespace Jackdaw.Server.Configuration;

/// <summary>The validated configuration. Immutable; made by <see cref="ConfigurationLoader"/>, defaults are those of
/// the key table.</summary>
public sealed record ServerOptions
{
    private LogSwitch? _log; // made at the start of the server, before anything runs beside it

    /// <summary>Where the server listens: http or https, a host (name, address or <c>*</c>) and a port; port 0 takes a
    /// free one.</summary>
    public required ListenAddress ServerUrl { get; init; }

    /// <summary>The address that the server gives to clients; null for the address of their request.</summary>
    public Uri? PublicServerUrl { get; init; }

    /// <summary>The origins of pages, besides those of the server itself, that may send requests.</summary>
    internal IReadOnlyList<WebOrigin> AllowedOrigins { get; init; } = [];

    /// <summary>Absolute.</summary>
    public required string DataDir { get; init; }

    /// <summary>Name of this server in topologies; databases that it creates keep it in their change vectors and in the ids
    /// that they number.</summary>
    public NodeTag NodeTag { get; init; } = NodeTag.Default;

    /// <summary>Nothing is written to a disk; everything is lost when the server stops.</summary>
    public bool RunInMemory { get; init; }

    /// <summary>How pages are written, if the system offers it; null for <see cref="PageWriteModes.Default"/>.</summary>
    public PageWriteMode? WriteMode { get; init; }

    public LogLevel LogLevel { get; init; } = LogLevel.Information;

    public LogFormat LogFormat { get; init; }

    /// <summary>Changes what is logged while the server runs.</summary>
    internal LogSwitch Log => _log ??= new LogSwitch(LogLevel);

    /// <summary>Whether the pages for browsers are served.</summary>
    public bool StudioEnabled { get; init; } = true;

    /// <summary>OTLP/gRPC collector for metrics; null: none.</summary>
    public Uri? OtlpEndpoint { get; init; }

    /// <summary>Who may connect, and how the server proves who it is.</summary>
    public SecuritySettings Security { get; init; } = new();

    /// <summary>The settings of all indexes, unless their database or definition says something else.</summary>
    public IndexingSettings Indexing { get; init; } = new();

    /// <summary>All of them as they were given, to show; empty for a server that no configuration was read for.</summary>
    internal IReadOnlyList<SettingInForce> Settings { get; init; } = [];
}

/// <summary>A setting as the server was started with it.</summary>
/// <param name="Value">Null for a secret that is set.</param>
/// <param name="Source">Where the value comes from: <c>default</c>, <c>settings.json</c>, <c>command line</c>, or a variable of the environment.</param>
/// <param name="Meaning">What it is for.</param>
internal sealed record SettingInForce(string Name, string? Value, string Default, string Source, string Meaning);

/// <summary>Form of the log lines on stderr.</summary>
public enum LogFormat
{
    /// <summary>One line of text per event, for people.</summary>
    Simple,

    /// <summary>One JSON object per event, for collectors.</summary>
    Json,
}
