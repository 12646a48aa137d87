using System.CommandLine;

namespace Jackdaw.Server.Verbs.Certificates;

/// <summary><c>jackdaw rotate-ca</c>: replaces the certificate authority of the server, in two steps. Works on the data folder when the server is
/// stopped.</summary>
internal static class RotateCaVerb
{
    public static Command Create()
    {
        var finish = new Option<bool>("--finish") { Description = "The second step: the previous authority is no longer trusted." };
        var options = new AskedServerOptions();
        var command = new Command(
            "rotate-ca",
            "Make a new certificate authority. Until --finish both are trusted: give clients the new ca.pem (jackdaw cert export) in that time, and new "
            + "certificates to those that the answer names. With the server stopped it works on the data folder; an authority that has expired is replaced "
            + "at once.") { finish };
        options.AddTo(command);
        command.SetAction((parsed, cancellationToken) => RunAsync(parsed, options, parsed.GetValue(finish), cancellationToken));
        return command;
    }

    private static Task<int> RunAsync(ParseResult parsed, AskedServerOptions options, bool isEnd, CancellationToken cancellationToken)
    {
        string? foreign = null;
        if (parsed.GetValue(options.ServerUrl) is null && StoppedServer.TryOpen(options.ReadDataFolder(parsed), out foreign) is { } stopped)
        {
            return stopped.RotateAuthorityAsync(isEnd);
        }

        return foreign is not null ? AdministratorCommand.FinishAsync(foreign) : AdministratorCommand.AskAsync(
            parsed, options,
            (_, client, token) => AdministratorCommand.ShowAsync(
                client, HttpMethod.Post, $"/admin/certificates/rotate-ca{(isEnd ? "?finish=true" : "")}", null, token),
            cancellationToken);
    }
}
