using System.CommandLine;
using Jackdaw.Server.Configuration;

namespace Jackdaw.Server.Verbs;

/// <summary><c>jackdaw health [url]</c>: asks a running server whether it is ready; for container and load-balancer
/// checks.</summary>
internal static class HealthVerb
{
    /// <summary>A server that needs longer for this answer is not healthy.</summary>
    private static readonly TimeSpan s_answerTime = TimeSpan.FromSeconds(5);

    public static Command Create()
    {
        var url = new Argument<string?>("url")
        {
            Description = "Address of the server. Without it: the one in settings.json of the current folder or in JACKDAW_SERVER_URL.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var command = new Command("health", "Ask a running server whether it is ready: exit code 0 for yes, 1 for no.") { url };
        command.SetAction((parsed, cancellationToken) => RunAsync(parsed.GetValue(url), cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(string? url, CancellationToken cancellationToken)
    {
        string? problem = null;
        Uri? server = url is null ? FindConfigured(out problem) : Parse(url, out problem);
        if (server is null)
        {
            await Console.Error.WriteLineAsync($"jackdaw: {problem}").ConfigureAwait(false);
            return 1;
        }

        return await AskAsync(server, cancellationToken).ConfigureAwait(false);
    }

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

    private static async Task<int> AskAsync(Uri server, CancellationToken cancellationToken)
    {
        // A proxy of the environment is not used, because it would look for 127.0.0.1 on its own machine.
        using var client = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { Timeout = s_answerTime };
        try
        {
            using HttpResponseMessage answer = await client.GetAsync(
                new Uri(server, "/health/ready"), cancellationToken)
                .ConfigureAwait(false);
            Console.WriteLine(await answer.Content.ReadAsStringAsync(cancellationToken).ConfigureAwait(false));
            return answer.IsSuccessStatusCode ? 0 : 1;
        }
        catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException)
        {
            await Console.Error.WriteLineAsync($"jackdaw: no answer from {server}: {failure.Message}")
                .ConfigureAwait(false);
            return 1;
        }
    }
}
