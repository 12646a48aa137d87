using System.CommandLine;
using System.Text.Json;
using Jackdaw.Server.Http.Bodies;

namespace Jackdaw.Server.Verbs.Certificates;

/// <summary><c>jackdaw cert metrics-token</c>: the tokens with which collectors read /metrics.</summary>
internal static class MetricsTokenVerb
{
    private const string Path = "/admin/metrics-tokens";

    /// <summary>Without a further word it makes a token.</summary>
    public static Command Create()
    {
        Command command = CreateCreate("metrics-token", "Print a token with which a collector reads /metrics and nothing else. See also its list and revoke.");
        command.Add(CreateCreate("create", "Print a new token."));
        command.Add(CreateList());
        command.Add(CreateRevoke());
        return command;
    }

    private static Command CreateCreate(string verb, string description)
    {
        var name = new Option<string>("--name") { Description = "As people know the collector. Default: metrics.", DefaultValueFactory = _ => "metrics" };
        return AdministratorCommand.Complete(
            new Command(verb, description) { name }, new AskedServerOptions(),
            (parsed, client, cancellationToken) => PrintAsync(client, parsed.GetValue(name)!, cancellationToken));
    }

    private static Command CreateList() => AdministratorCommand.Complete(
        new Command("list", "List the tokens: id, day on which it was made, name."), new AskedServerOptions(),
        static async (_, client, cancellationToken) =>
        {
            (byte[] text, string? problem) = await AdministratorCommand.SendAsync(client, HttpMethod.Get, Path, null, cancellationToken).ConfigureAwait(false);
            if (problem is not null)
            {
                return problem;
            }

            using var list = JsonDocument.Parse(text);
            foreach (JsonElement token in list.RootElement.GetProperty("Results").EnumerateArray())
            {
                Console.WriteLine($"{token.TextMember("Id")}  {token.TextMember("Created")?[..10]}  {token.TextMember("Name")}");
            }

            return null;
        });

    private static Command CreateRevoke()
    {
        var id = new Argument<string>("id") { Description = "The id that list shows." };
        return AdministratorCommand.Complete(
            new Command("revoke", "Revoke a token, at once.") { id }, new AskedServerOptions(),
            (parsed, client, cancellationToken) => AdministratorCommand.ShowAsync(
                client, HttpMethod.Delete, $"{Path}?id={Uri.EscapeDataString(parsed.GetValue(id)!)}", null, cancellationToken));
    }

    private static async Task<string?> PrintAsync(HttpClient client, string name, CancellationToken cancellationToken)
    {
        (byte[] text, string? problem) = await AdministratorCommand.SendAsync(client, HttpMethod.Post, Path, new { Name = name }, cancellationToken)
            .ConfigureAwait(false);
        if (problem is not null)
        {
            return problem;
        }

        using var made = JsonDocument.Parse(text);
        Console.WriteLine(made.RootElement.TextMember("Token"));
        await Console.Error.WriteLineAsync("The collector sends it as 'Authorization: Bearer TOKEN'. It cannot be shown again.").ConfigureAwait(false);
        return null;
    }
}
