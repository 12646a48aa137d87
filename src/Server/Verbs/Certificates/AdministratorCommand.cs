using System.CommandLine;
using System.Text.Json;
using Jackdaw.Server.Http.Bodies;

namespace Jackdaw.Server.Verbs.Certificates;

/// <summary>A verb that asks a running server as an administrator: finds the server, sends requests, and shows in one line what went wrong.</summary>
internal static class AdministratorCommand
{
    /// <summary>A change is durable within milliseconds; a new key takes a second on a busy machine.</summary>
    private static readonly TimeSpan s_answerTime = TimeSpan.FromSeconds(30);

    /// <summary>Adds the options of the server to a command, and what it does.</summary>
    /// <param name="run">Returns what went wrong; null when nothing did.</param>
    public static Command Complete(Command command, AskedServerOptions options, Func<ParseResult, HttpClient, CancellationToken, Task<string?>> run)
    {
        foreach (Option option in (Option[])[options.ServerUrl, options.DataDir, options.Certificate, options.Authority])
        {
            command.Add(option);
        }

        command.SetAction((parsed, cancellationToken) => AskAsync(parsed, options, run, cancellationToken));
        return command;
    }

    public static async Task<int> AskAsync(
        ParseResult parsed, AskedServerOptions options, Func<ParseResult, HttpClient, CancellationToken, Task<string?>> run,
        CancellationToken cancellationToken)
    {
        if (options.Find(parsed, out string? problem) is { } server)
        {
            using HttpClient client = server.MakeClient(s_answerTime);
            client.BaseAddress = server.Address;
            try
            {
                problem = await run(parsed, client, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException)
            {
                problem = server.Explain(failure);
            }
            catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
            {
                problem = failure.Message;
            }
        }

        return await FinishAsync(problem).ConfigureAwait(false);
    }

    /// <summary>Shows what went wrong, and gives the exit code.</summary>
    public static async Task<int> FinishAsync(string? problem)
    {
        if (problem is null)
        {
            return 0;
        }

        await Console.Error.WriteLineAsync($"jackdaw: {problem}").ConfigureAwait(false);
        return 1;
    }

    /// <summary>What the server refused, in its own words.</summary>
    public static async Task<string> ReadProblemAsync(HttpResponseMessage answer, CancellationToken cancellationToken)
    {
        string text = await answer.Content.ReadAsStringAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            using var json = JsonDocument.Parse(text);
            return json.RootElement.TextMember("Message") ?? text;
        }
        catch (JsonException)
        {
            return $"{answer.RequestMessage?.RequestUri} answered {(int)answer.StatusCode}: {text}";
        }
    }
}
