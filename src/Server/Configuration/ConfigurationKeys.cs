using Jackdaw.Documents.Identity;
using Jackdaw.Indexing.Settings;
using Jackdaw.Pal.Measurement;

namespace Jackdaw.Server.Configuration;

/// <summary>The key table. docs/operating/configuration.md repeats it; a test compares the two.</summary>
internal static class ConfigurationKeys
{
    private const string FastestWriteMode = "auto";

    public static IReadOnlyList<ConfigurationKey> All { get; } =
    [
        new("ServerUrl", "http://127.0.0.1:8080", "Address to listen on, https:// for a secured server; port 0: a free one, host *: all.", ServerUrl),
        new("PublicServerUrl", "", "Address that the server gives to clients; empty: that of the request.", PublicServerUrl),
        new("Security.AllowedOrigins", "", "Origins of pages that may use the server besides its own, divided by commas; empty: none.", Origins),
        new("DataDir", "data", "Folder of all data; relative to the folder the server is started in.", DataDir),
        new("NodeTag", NodeTag.Default.Text, "This server's name, also in change vectors of databases it creates: 1 to 4 letters A to Z.", NodeTagKey),
        new("RunInMemory", "false", "Keep everything in memory; nothing survives the process.", RunInMemory),
        new("WriteMode", "auto", "How pages reach the data file: auto, file_io, vectored_file_io, io_ring, mmap.", WriteModeKey),
        new("Log.Level", "Information", "Trace, Debug, Information, Warning, Error, Critical or None.", LogLevelKey),
        new("Log.Format", "Simple", "Simple (text) or Json; always on stderr.", LogFormatKey),
        new("Studio.Enabled", "true", "Serve the Studio, the pages for browsers; false: none of them.", Studio),
        new("Telemetry.OtlpEndpoint", "", "OTLP collector for traces and metrics, like http://127.0.0.1:4317; empty: none.", Otlp)
        {
            IsSecret = static address => address.AsSpan().ContainsAny('@', '?'), // before and after them stand keys of collectors
        },
        .. SecurityKeys.All,
        .. IndexingKeys.All.Select(key => new ConfigurationKey(key.Name, key.Default, key.Meaning, (draft, value) => Indexing(draft, key, value))),
    ];

    private static string? Indexing(ConfigurationDraft draft, IndexingKey key, string value)
    {
        IndexingSettings? changed = value == key.Default ? draft.Indexing : key.Apply(draft.Indexing, value);
        draft.Indexing = changed ?? draft.Indexing;
        return changed is null ? $"give {key.Values}" : null;
    }

    private static string? ServerUrl(ConfigurationDraft draft, string value)
    {
        ListenAddress? address = ListenAddress.Parse(value, out string? problem);
        draft.ServerUrl = address ?? draft.ServerUrl;
        return problem;
    }

    private static string? PublicServerUrl(ConfigurationDraft draft, string value)
    {
        if (value.Length == 0)
        {
            draft.PublicServerUrl = null;
            return null;
        }

        if (!TryWebAddress(value, out Uri? uri))
        {
            return "give an address that clients can reach, like http://db.example.com:8080, or leave it out";
        }

        draft.PublicServerUrl = uri;
        return null;
    }

    private static string? Origins(ConfigurationDraft draft, string value)
    {
        WebOrigin?[] origins = [.. Split(value).Select(WebOrigin.TryParse)];
        if (origins.Contains(null))
        {
            return "give scheme, host and port of pages, like https://app.example.com,http://localhost:3000 without a path";
        }

        draft.AllowedOrigins = [.. origins.Select(origin => origin!.Value)];
        return null;
    }

    private static string? DataDir(ConfigurationDraft draft, string value)
    {
        if (value.Length == 0 || value.Contains('\0', StringComparison.Ordinal))
        {
            return "give a folder, like ./data";
        }

        string folder = Path.GetFullPath(value, draft.CurrentFolder);
        if (File.Exists(folder))
        {
            return $"{folder} is a file; give a folder, it is made when it does not exist";
        }

        draft.DataDir = folder;
        return null;
    }

    private static string? NodeTagKey(ConfigurationDraft draft, string value)
    {
        if (NodeTag.TryParse(value) is not { } tag)
        {
            return $"give 1 to {NodeTag.LettersMax} upper-case letters, like {NodeTag.Default}; " +
                "RAFT and TRXN mean something else";
        }

        draft.NodeTag = tag;
        return null;
    }

    private static string? RunInMemory(ConfigurationDraft draft, string value)
    {
        draft.RunInMemory = Flag(value, draft.RunInMemory, out string? problem);
        return problem;
    }

    private static string? Studio(ConfigurationDraft draft, string value)
    {
        draft.StudioEnabled = Flag(value, draft.StudioEnabled, out string? problem);
        return problem;
    }

    private static bool Flag(string value, bool otherwise, out string? problem)
    {
        bool isKnown = bool.TryParse(value, out bool flag);
        problem = isKnown ? null : "give true or false";
        return isKnown ? flag : otherwise;
    }

    private static string? WriteModeKey(ConfigurationDraft draft, string value)
    {
        draft.WriteMode = PageWriteModes.Find(value);
        bool isKnown = draft.WriteMode is not null || value.Equals(FastestWriteMode, StringComparison.OrdinalIgnoreCase);
        return isKnown ? null : $"give one of {FastestWriteMode}, {string.Join(", ", PageWriteModes.Names)}";
    }

    private static string? LogLevelKey(ConfigurationDraft draft, string value)
    {
        draft.LogLevel = OneOf(value, draft.LogLevel, out string? problem);
        return problem;
    }

    private static string? LogFormatKey(ConfigurationDraft draft, string value)
    {
        draft.LogFormat = OneOf(value, draft.LogFormat, out string? problem);
        return problem;
    }

    private static string? Otlp(ConfigurationDraft draft, string value)
    {
        if (value.Length > 0 && !TryWebAddress(value, out _))
        {
            return "give the collector's address, like http://127.0.0.1:4317, or leave it out";
        }

        draft.OtlpEndpoint = value.Length > 0 ? new Uri(value) : null;
        return null;
    }

    // Enum.TryParse alone also takes numbers, which no user means.
    internal static TEnum OneOf<TEnum>(string value, TEnum otherwise, out string? problem)
        where TEnum : struct, Enum
    {
        bool known = Enum.GetNames<TEnum>().Contains(value, StringComparer.OrdinalIgnoreCase);
        problem = known ? null : $"give one of {string.Join(", ", Enum.GetNames<TEnum>())}";
        return known ? Enum.Parse<TEnum>(value, ignoreCase: true) : otherwise;
    }

    internal static string[] Split(string value) => value.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    private static bool TryWebAddress(string value, out Uri? uri) =>
        Uri.TryCreate(value, UriKind.Absolute, out uri)
        && (uri.Scheme == Uri.UriSchemeHttp || uri.Scheme == Uri.UriSchemeHttps);
}

/// <summary>One key of the configuration: the single place that knows its name, default, meaning and check.</summary>
/// <param name="Name">PascalCase words, groups divided by a dot.</param>
/// <param name="Default">As a user would write it.</param>
/// <param name="Meaning">One line for --help and the documentation.</param>
/// <param name="Apply">Sets the value, or returns what is wrong and what to write instead.</param>
internal sealed record ConfigurationKey(
    string Name, string Default, string Meaning, Func<ConfigurationDraft, string, string?> Apply)
{
    /// <summary>Whether nobody is shown a value.</summary>
    public Predicate<string> IsSecret { get; init; } = static _ => false;

    /// <summary>Form in which keys compare: case, dots, colons and underscores are ignored, so that <c>Log.Level</c>,
    /// <c>JACKDAW_LOG_LEVEL</c> and <c>"Log": { "Level": ... }</c> are one key.</summary>
    public static string Normalize(string key) =>
        string.Concat(key.Where(char.IsAsciiLetterOrDigit).Select(char.ToLowerInvariant));
}
