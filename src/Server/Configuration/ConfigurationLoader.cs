using System.Collections;
using Jackdaw.Indexing.Settings;

namespace Jackdaw.Server.Configuration;

/// <summary>Reads settings.json of the current folder, then the environment, then the command line: the later one
/// wins.</summary>
internal sealed class ConfigurationLoader(
    string currentFolder, IDictionary environment, IReadOnlyList<string> arguments)
{
    private const string EnvironmentPrefix = "JACKDAW_";

    /// <summary>The standard variable for the collector of any OpenTelemetry program; a variable of ours overrides
    /// it.</summary>
    private const string StandardOtlpVariable = "OTEL_EXPORTER_OTLP_ENDPOINT";

    private readonly Dictionary<string, ConfigurationKey> _keys =
        ConfigurationKeys.All.ToDictionary(key => ConfigurationKey.Normalize(key.Name));

    private readonly List<string> _warnings = [];

    // Normalised key -> value and its source, for messages.
    private readonly Dictionary<string, (string Value, string Source)> _values = [];

    /// <summary>Reads the configuration of a server that starts.</summary>
    public ConfigurationResult Load() => Load(SecurityKeys.FindProblem);

    /// <summary>Reads the configuration of a server that runs already, maybe with further arguments: only its values are checked, not whether they fit
    /// together.</summary>
    public ConfigurationResult LoadForClient() => Load(static _ => null);

    private ConfigurationResult Load(Func<ConfigurationDraft, string?> findProblem)
    {
        string? error = ReadSettingsFile() ?? ReadEnvironment() ?? ReadArguments();
        var draft = new ConfigurationDraft { CurrentFolder = currentFolder };
        foreach (ConfigurationKey key in ConfigurationKeys.All)
        {
            error ??= Apply(draft, key);
        }

        error ??= findProblem(draft);

        return new ConfigurationResult(error is null ? draft.ToOptions() : null, error, _warnings);
    }

    private string? Apply(ConfigurationDraft draft, ConfigurationKey key)
    {
        bool isSet = _values.TryGetValue(ConfigurationKey.Normalize(key.Name), out (string Value, string Source) entry);
        string value = isSet ? entry.Value.Trim() : key.Default;
        string source = isSet ? entry.Source : "default";
        draft.Settings.Add(new SettingInForce(key.Name, key.IsSecret(value) ? null : value, key.Default, source, key.Meaning));
        string? problem = key.Apply(draft, value);
        return problem is null ? null : $"{key.Name} = '{value}' ({source}): {problem}";
    }

    private string? ReadSettingsFile()
    {
        string path = Path.Combine(currentFolder, "settings.json");
        if (Directory.Exists(path))
        {
            // A container engine that mounts a missing file makes a folder of that name.
            return $"{path} is a folder; put a file with a JSON object of keys there, or remove the folder";
        }

        if (!File.Exists(path))
        {
            return null;
        }

        try
        {
            IConfigurationRoot root = new ConfigurationBuilder().AddJsonFile(path, optional: false).Build();
            foreach ((string key, string? value) in root.AsEnumerable())
            {
                if (value is not null)
                {
                    Add(key.Replace(':', '.'), value, "settings.json");
                }
            }

            return null;
        }
        catch (Exception failure) when (failure is InvalidDataException or IOException or UnauthorizedAccessException)
        {
            string reason = failure.GetBaseException().Message.ReplaceLineEndings(" ").TrimEnd('.');
            return $"{path} could not be read: {reason}; give a JSON object of keys, or remove the file";
        }
    }

    private string? ReadEnvironment()
    {
        if (environment[StandardOtlpVariable] is string { Length: > 0 } collector)
        {
            Add("Telemetry.OtlpEndpoint", collector, $"environment {StandardOtlpVariable}");
        }

        foreach (DictionaryEntry variable in environment)
        {
            string name = (string)variable.Key;
            if (name.StartsWith(EnvironmentPrefix, StringComparison.OrdinalIgnoreCase)
                && variable.Value is string value)
            {
                Add(name[EnvironmentPrefix.Length..], value, $"environment {name}");
            }
        }

        return null;
    }

    private string? ReadArguments()
    {
        for (int i = 0; i < arguments.Count; i++)
        {
            string argument = arguments[i];
            if (!argument.StartsWith("--", StringComparison.Ordinal) || argument.Length == 2)
            {
                return $"'{argument}' is neither a verb nor a key; write keys as --Key=value, and see --help";
            }

            int equals = argument.IndexOf('=', StringComparison.Ordinal);
            string key = equals < 0 ? argument[2..] : argument[2..equals];
            bool hasNext = i + 1 < arguments.Count && !arguments[i + 1].StartsWith("--", StringComparison.Ordinal);
            string value = equals >= 0 ? argument[(equals + 1)..] : hasNext ? arguments[++i] : "true";
            Add(key, value, "command line");
        }

        return null;
    }

    private void Add(string key, string value, string source)
    {
        string normalized = ConfigurationKey.Normalize(key);
        if (_keys.ContainsKey(normalized))
        {
            _values[normalized] = (value, source);
            return;
        }

        string? nearest = NearestName.Find(key, ConfigurationKeys.All.Select(known => known.Name));
        string hint = nearest is null ? "see --help for the keys" : $"did you mean '{nearest}'?";
        _warnings.Add($"Unknown configuration key '{key}' ({source}) is ignored; {hint}");
    }
}

/// <summary>The outcome of reading the configuration.</summary>
/// <param name="Options">Null exactly when there is an error.</param>
/// <param name="Error">One line: which key, which value, from where, what to write instead.</param>
/// <param name="Warnings">One line each; they do not stop the start.</param>
public sealed record ConfigurationResult(ServerOptions? Options, string? Error, IReadOnlyList<string> Warnings);
