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
            using HttpResponseMessage answer = await client.GetAsync(new Uri(Path, UriKind.Relative), cancellationToken).ConfigureAwait(false);
            if (!answer.IsSuccessStatusCode)
            {
                return await AdministratorCommand.ReadProblemAsync(answer, cancellationToken).ConfigureAwait(false);
            }

            using var list = JsonDocument.Parse(await answer.Content.ReadAsStringAsync(cancellationToken).ConfigureAwait(false));
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
            async (parsed, client, cancellationToken) =>
            {
                using HttpResponseMessage answer = await client.DeleteAsync(
                    new Uri($"{Path}?id={Uri.EscapeDataString(parsed.GetValue(id)!)}", UriKind.Relative), cancellationToken).ConfigureAwait(false);
                return answer.IsSuccessStatusCode ? null : await AdministratorCommand.ReadProblemAsync(answer, cancellationToken).ConfigureAwait(false);
            });
    }

    private static async Task<string?> PrintAsync(HttpClient client, string name, CancellationToken cancellationToken)
    {
        using HttpResponseMessage answer = await client.PostAsJsonAsync(
            new Uri(Path, UriKind.Relative), new { Name = name }, JsonSerializerOptions.Default, cancellationToken).ConfigureAwait(false);
        if (!answer.IsSuccessStatusCode)
        {
            return await AdministratorCommand.ReadProblemAsync(answer, cancellationToken).ConfigureAwait(false);
        }

        using var made = JsonDocument.Parse(await answer.Content.ReadAsStringAsync(cancellationToken).ConfigureAwait(false));
        Console.WriteLine(made.RootElement.TextMember("Token"));
        await Console.Error.WriteLineAsync("The collector sends it as 'Authorization: Bearer TOKEN'. It cannot be shown again.").ConfigureAwait(false);
        return null;
    }
}
