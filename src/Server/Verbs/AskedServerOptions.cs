using System.CommandLine;
using Jackdaw.Server.Configuration;

namespace Jackdaw.Server.Verbs;

/// <summary>The options of verbs that send requests to a running server: where it is, whom to trust, and which certificate to show.</summary>
internal sealed class AskedServerOptions
{
    /// <summary>For verbs whose arguments are something else; the others take the address as their argument.</summary>
    public Option<string?> ServerUrl { get; } = new("--ServerUrl") { Description = AskedServer.ArgumentDescription };

    public Option<string?> DataDir { get; } = new("--DataDir")
    {
        Description = "Data folder of the server, whose keys are used. Without it: the one in settings.json of the current folder or in JACKDAW_DATA_DIR.",
    };

    public Option<string?> Certificate { get; } = new("--cert")
    {
        Description = "Certificate to show, with its key, PEM or PFX without password. Without it: that of the administrator in the data folder.",
    };

    public Option<string?> Authority { get; } = new("--ca")
    {
        Description = "Certificates (PEM) of the authorities to trust. Without it: ca.pem of the data folder, and those of the system.",
    };

    /// <summary>Adds all of them to the command of a verb.</summary>
    public void AddTo(Command command)
    {
        command.Add(ServerUrl);
        command.Add(DataDir);
        command.Add(Certificate);
        command.Add(Authority);
    }

    /// <summary>Finds the server.</summary>
    /// <param name="url">As the user gave it; null to look in the settings.</param>
    /// <param name="problem">What is wrong, when the result is null.</param>
    public AskedServer? Find(ParseResult parsed, string? url, out string? problem)
    {
        ConfigurationResult configuration = ReadConfiguration(parsed);
        Uri? address = url is null ? FindConfigured(configuration, out problem) : Parse(url, out problem);
        return address is null ? null : AskedServer.Make(address, configuration.Options, Get(parsed, Certificate), Get(parsed, Authority), out problem);
    }

    /// <summary>Finds the server whose address <see cref="ServerUrl"/> may give.</summary>
    public AskedServer? Find(ParseResult parsed, out string? problem) => Find(parsed, Get(parsed, ServerUrl), out problem);

    /// <summary>The data folder of the server; null when its configuration cannot be read.</summary>
    public string? ReadDataFolder(ParseResult parsed) => ReadConfiguration(parsed).Options?.DataDir;

    private ConfigurationResult ReadConfiguration(ParseResult parsed)
    {
        string[] arguments = Get(parsed, DataDir) is { } folder ? [$"--DataDir={folder}"] : [];
        return new ConfigurationLoader(Environment.CurrentDirectory, Environment.GetEnvironmentVariables(), arguments).LoadForClient();
    }

    // A verb need not have all of the options.
    private static string? Get(ParseResult parsed, Option<string?> option) => parsed.GetResult(option) is null ? null : parsed.GetValue(option);

    private static Uri? Parse(string url, out string? problem)
    {
        bool isHttp = Uri.TryCreate(url, UriKind.Absolute, out Uri? server)
            && (server.Scheme == Uri.UriSchemeHttp || server.Scheme == Uri.UriSchemeHttps);
        problem = isHttp ? null : $"'{url}' is not an address; give it like http://127.0.0.1:8080";
        return isHttp ? server : null;
    }

    /// <summary>The address of a server that was started in this folder and environment.</summary>
    private static Uri? FindConfigured(ConfigurationResult configuration, out string? problem)
    {
        problem = configuration.Error;
        if (configuration.Options?.ServerUrl is not { } address)
        {
            return null;
        }

        if (address.Port == 0)
        {
            problem = $"{address} leaves the port to the system; give the address that the server printed, like http://127.0.0.1:8080";
            return null;
        }

        return address.ToLocalUri();
    }
}
