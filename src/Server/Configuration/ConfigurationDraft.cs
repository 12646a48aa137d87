using Jackdaw.Documents.Identity;
using Jackdaw.Indexing.Settings;
using Jackdaw.Pal;

namespace Jackdaw.Server.Configuration;

/// <summary>The options while they are being read.</summary>
internal sealed class ConfigurationDraft
{
    public required string CurrentFolder { get; init; }

    public ListenAddress ServerUrl { get; set; } = new("127.0.0.1", 8080);

    public Uri? PublicServerUrl { get; set; }

    public IReadOnlyList<WebOrigin> AllowedOrigins { get; set; } = [];

    public string DataDir { get; set; } = "";

    public NodeTag NodeTag { get; set; } = NodeTag.Default;

    public bool RunInMemory { get; set; }

    public PageWriteMode? WriteMode { get; set; }

    public bool StudioEnabled { get; set; } = true;

    public LogLevel LogLevel { get; set; } = LogLevel.Information;

    public LogFormat LogFormat { get; set; }

    public Uri? OtlpEndpoint { get; set; }

    public SecuritySettings Security { get; set; } = new();

    public IndexingSettings Indexing { get; set; } = new();

    public List<SettingInForce> Settings { get; } = [];

    public ServerOptions ToOptions() => new()
    {
        ServerUrl = ServerUrl,
        PublicServerUrl = PublicServerUrl,
        AllowedOrigins = AllowedOrigins,
        DataDir = DataDir,
        NodeTag = NodeTag,
        RunInMemory = RunInMemory,
        WriteMode = WriteMode,
        StudioEnabled = StudioEnabled,
        LogLevel = LogLevel,
        LogFormat = LogFormat,
        OtlpEndpoint = OtlpEndpoint,
        Security = Security,
        Indexing = Indexing,
        Settings = Settings,
    };
}
