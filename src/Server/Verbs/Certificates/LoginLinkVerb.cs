using System.CommandLine;
using System.Text.Json;
using Jackdaw.Server.Http.Bodies;

namespace Jackdaw.Server.Verbs.Certificates;

/// <summary><c>jackdaw login-link</c>: a link that lets a browser in, once.</summary>
internal static class LoginLinkVerb
{
    public static Command Create()
    {
        var clearance = new Option<string?>("--clearance")
        {
            Description = "What the browser may do: ClusterAdmin, Operator or ValidUser. Default: ClusterAdmin, or with --database only that database.",
        };
        var database = new Option<string?>("--database") { Description = "Let the browser do everything with this database, and nothing else." };
        return AdministratorCommand.Complete(
            new Command("login-link", "Print a link that lets a browser in: it works once, within five minutes.") { clearance, database },
            new AskedServerOptions(),
            (parsed, client, cancellationToken) => PrintAsync(client, parsed.GetValue(clearance), parsed.GetValue(database), cancellationToken));
    }

    private static async Task<string?> PrintAsync(HttpClient client, string? clearance, string? database, CancellationToken cancellationToken)
    {
        using HttpResponseMessage answer = await client.PostAsJsonAsync(
            new Uri("/admin/login-links", UriKind.Relative), new { SecurityClearance = clearance, Database = database }, JsonSerializerOptions.Default,
            cancellationToken).ConfigureAwait(false);
        if (!answer.IsSuccessStatusCode)
        {
            return await AdministratorCommand.ReadProblemAsync(answer, cancellationToken).ConfigureAwait(false);
        }

        using var link = JsonDocument.Parse(await answer.Content.ReadAsStringAsync(cancellationToken).ConfigureAwait(false));
        Console.WriteLine(link.RootElement.TextMember("Link"));
        string gives = link.RootElement.TextMember("SecurityClearance") == "ValidUser" ? $"database '{database}'" : link.RootElement.TextMember("SecurityClearance")!;
        await Console.Error.WriteLineAsync($"Opens {gives} for the browser that uses it first, within five minutes. Whoever has the link gets in: send it to nobody.")
            .ConfigureAwait(false);
        return null;
    }
}
