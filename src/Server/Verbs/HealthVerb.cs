using System.CommandLine;

namespace Jackdaw.Server.Verbs;

/// <summary><c>jackdaw health [url]</c>: asks a running server whether it is ready; for container and load-balancer
/// checks.</summary>
internal static class HealthVerb
{
    /// <summary>A server that needs longer for this answer is not healthy.</summary>
    private static readonly TimeSpan s_answerTime = TimeSpan.FromSeconds(5);

    public static Command Create()
    {
        var url = new Argument<string?>("url") { Description = AskedServer.ArgumentDescription, Arity = ArgumentArity.ZeroOrOne };
        var options = new AskedServerOptions();
        var command = new Command("health", "Ask a running server whether it is ready: exit code 0 for yes, 1 for no.")
        {
            url, options.DataDir, options.Authority,
        };
        command.SetAction((parsed, cancellationToken) => RunAsync(options.Find(parsed, parsed.GetValue(url), out string? problem), problem, cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(AskedServer? server, string? problem, CancellationToken cancellationToken)
    {
        if (server is null)
        {
            await Console.Error.WriteLineAsync($"jackdaw: {problem}").ConfigureAwait(false);
            return 1;
        }

        return await AskAsync(server, cancellationToken).ConfigureAwait(false);
    }

    private static async Task<int> AskAsync(AskedServer server, CancellationToken cancellationToken)
    {
        using HttpClient client = server.MakeClient(s_answerTime);
        try
        {
            using HttpResponseMessage answer = await client.GetAsync(
                new Uri(server.Address, "/health/ready"), cancellationToken)
                .ConfigureAwait(false);
            Console.WriteLine(await answer.Content.ReadAsStringAsync(cancellationToken).ConfigureAwait(false));
            return answer.IsSuccessStatusCode ? 0 : 1;
        }
        catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException)
        {
            await Console.Error.WriteLineAsync($"jackdaw: {server.Explain(failure)}")
                .ConfigureAwait(false);
            return 1;
        }
    }
}
