using Jackdaw.Server.Configuration;

namespace Jackdaw.Server.Verbs;

/// <summary>The running server to which a verb sends requests.</summary>
internal static class AskedServer
{
    /// <summary>The description of the argument with the address.</summary>
    public const string ArgumentDescription = "Address of the server. Without it: the one in settings.json of the current folder or in JACKDAW_SERVER_URL.";

    /// <summary>Finds the address.</summary>
    /// <param name="url">As the user gave it; null to look in the settings.</param>
    /// <param name="problem">What is wrong, when the result is null.</param>
    public static Uri? Find(string? url, out string? problem) => url is null ? FindConfigured(out problem) : Parse(url, out problem);

    /// <summary>Makes a client for the address. A proxy of the environment is not used, because it would look for 127.0.0.1 on its own machine.</summary>
    public static HttpClient MakeClient(TimeSpan answerTime) => new(new SocketsHttpHandler { UseProxy = false }) { Timeout = answerTime };

    private static Uri? Parse(string url, out string? problem)
    {
        bool isHttp = Uri.TryCreate(url, UriKind.Absolute, out Uri? server)
            && (server.Scheme == Uri.UriSchemeHttp || server.Scheme == Uri.UriSchemeHttps);
        problem = isHttp ? null : $"'{url}' is not an address; give it like http://127.0.0.1:8080";
        return isHttp ? server : null;
    }

    /// <summary>The address of a server that was started in this folder and environment.</summary>
    private static Uri? FindConfigured(out string? problem)
    {
        ConfigurationResult configuration =
            new ConfigurationLoader(Environment.CurrentDirectory, Environment.GetEnvironmentVariables(), []).Load();
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
