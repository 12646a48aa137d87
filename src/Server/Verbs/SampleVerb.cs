using System.CommandLine;
using System.Net;

namespace Jackdaw.Server.Verbs;

/// <summary><c>jackdaw sample [url] --Database=name</c>: puts the sample shop into a database of a running server.</summary>
internal static class SampleVerb
{
    /// <summary>The database for those who name none.</summary>
    private const string DefaultDatabase = "shop";

    /// <summary>The data is there within seconds, even on a slow disk and with many databases to open.</summary>
    private static readonly TimeSpan s_answerTime = TimeSpan.FromMinutes(2);

    public static Command Create()
    {
        var url = new Argument<string?>("url") { Description = AskedServer.ArgumentDescription, Arity = ArgumentArity.ZeroOrOne };
        var database = new Option<string>("--Database")
        {
            Description = $"The database, which is created if it does not exist. It must hold no documents. Default: {DefaultDatabase}.",
            DefaultValueFactory = _ => DefaultDatabase,
        };
        var options = new AskedServerOptions();
        var command = new Command(
            "sample",
            "Put the documents, indexes, attachments and revisions of a small shop into a database of a running server, to try things with. "
            + "Exit code 0: done, 1: not done.") { url, database, options.DataDir, options.Certificate, options.Authority };
        command.SetAction((parsed, cancellationToken) =>
            RunAsync(options.Find(parsed, parsed.GetValue(url), out string? problem), problem, parsed.GetValue(database)!, cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(AskedServer? server, string? problem, string database, CancellationToken cancellationToken)
    {
        if (server is not null)
        {
            try
            {
                problem = await FillAsync(server, database, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException)
            {
                problem = server.Explain(failure);
            }
        }

        if (problem is not null)
        {
            await Console.Error.WriteLineAsync($"jackdaw: {problem}").ConfigureAwait(false);
            return 1;
        }

        Console.WriteLine($"Database '{database}' now has the sample shop: 830 orders of 91 companies, with all that belongs to them.");
        return 0;
    }

    /// <summary>Creates the database unless it exists, and fills it. Returns what went wrong; null when nothing did.</summary>
    private static async Task<string?> FillAsync(AskedServer server, string database, CancellationToken cancellationToken)
    {
        using HttpClient client = server.MakeClient(s_answerTime);
        string name = Uri.EscapeDataString(database);
        using HttpResponseMessage created = await client.PutAsJsonAsync(
            new Uri(server.Address, $"/admin/databases?name={name}"), new { DatabaseName = database }, cancellationToken).ConfigureAwait(false);
        if (!created.IsSuccessStatusCode && created.StatusCode != HttpStatusCode.Conflict)
        {
            return await ServerAnswers.ReadProblemAsync(created, cancellationToken).ConfigureAwait(false);
        }

        using HttpResponseMessage filled = await client.PostAsync(
            new Uri(server.Address, $"/databases/{name}/studio/sample-data"), null, cancellationToken).ConfigureAwait(false);
        return filled.IsSuccessStatusCode ? null : await ServerAnswers.ReadProblemAsync(filled, cancellationToken).ConfigureAwait(false);
    }
}
