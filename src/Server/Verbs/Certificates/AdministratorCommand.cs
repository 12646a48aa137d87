using System.CommandLine;
using System.Text;
using System.Text.Json;

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
        options.AddTo(command);
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

    /// <summary>Sends one request.</summary>
    /// <param name="body">Sent as JSON; null for none.</param>
    /// <returns>The body of the answer, or what the server refused.</returns>
    public static async Task<(byte[] Body, string? Problem)> SendAsync(
        HttpClient client, HttpMethod method, string path, object? body, CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(method, new Uri(path, UriKind.Relative));
        request.Content = body is null ? null : JsonContent.Create(body, options: JsonSerializerOptions.Default);
        using HttpResponseMessage answer = await client.SendAsync(request, cancellationToken).ConfigureAwait(false);
        return answer.IsSuccessStatusCode
            ? (await answer.Content.ReadAsByteArrayAsync(cancellationToken).ConfigureAwait(false), null)
            : ([], await ServerAnswers.ReadProblemAsync(answer, cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Sends one request, and shows the answer if it has a body. Returns what went wrong.</summary>
    /// <inheritdoc cref="SendAsync"/>
    public static async Task<string?> ShowAsync(HttpClient client, HttpMethod method, string path, object? body, CancellationToken cancellationToken)
    {
        (byte[] text, string? problem) = await SendAsync(client, method, path, body, cancellationToken).ConfigureAwait(false);
        if (text.Length > 0)
        {
            Console.WriteLine(Encoding.UTF8.GetString(text).TrimEnd());
        }

        return problem;
    }
}
