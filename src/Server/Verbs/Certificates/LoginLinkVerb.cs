using System.CommandLine;
using System.Text.Json;
using Jackdaw.Security.Callers;
using Jackdaw.Server.Http.Bodies;

namespace Jackdaw.Server.Verbs.Certificates;

/// <summary><c>jackdaw login-link</c>: a link that lets a browser in, once.</summary>
internal static class LoginLinkVerb
{
    public static Command Create()
    {
        var clearance = new Option<string?>("--clearance")
        {
            Description = "What the browser may do: ClusterAdmin, Operator or ValidUser. Default: ClusterAdmin, or ValidUser with --database.",
        };
        var databases = new Option<string[]>("--database")
        {
            Description = "A database that the browser may use, and what it may do there, such as --database=Orders:Read; Read, ReadWrite or Admin. "
                + "Default: Admin. May be given several times.",
        };
        return AdministratorCommand.Complete(
            new Command("login-link", "Print a link that lets a browser in: it works once, within five minutes.") { clearance, databases },
            new AskedServerOptions(),
            (parsed, client, cancellationToken) => PrintAsync(client, parsed.GetValue(clearance), parsed.GetValue(databases) ?? [], cancellationToken));
    }

    private static async Task<string?> PrintAsync(HttpClient client, string? clearance, string[] databases, CancellationToken cancellationToken)
    {
        object request = new
        {
            SecurityClearance = clearance,
            Permissions = databases.Length == 0 ? null : databases.Select(Split).DistinctBy(one => one.Key).ToDictionary(),
        };
        (byte[] text, string? problem) = await AdministratorCommand.SendAsync(client, HttpMethod.Post, "/admin/login-links", request, cancellationToken)
            .ConfigureAwait(false);
        if (problem is not null)
        {
            return problem;
        }

        using var link = JsonDocument.Parse(text);
        Console.WriteLine(link.RootElement.TextMember("Link"));
        string? given = link.RootElement.TextMember("SecurityClearance");
        await Console.Error.WriteLineAsync(
            $"It lets in the browser that uses it first, within five minutes, with the clearance {given}.").ConfigureAwait(false);
        return null;
    }

    private static KeyValuePair<string, string> Split(string text)
    {
        int colon = text.LastIndexOf(':');
        return colon > 0 ? KeyValuePair.Create(text[..colon], text[(colon + 1)..]) : KeyValuePair.Create(text, nameof(DatabasePermission.Admin));
    }
}
