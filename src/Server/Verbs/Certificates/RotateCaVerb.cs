using System.CommandLine;

namespace Jackdaw.Server.Verbs.Certificates;

/// <summary><c>jackdaw rotate-ca</c>: replaces the certificate authority of the server, in two steps.</summary>
internal static class RotateCaVerb
{
    public static Command Create()
    {
        var finish = new Option<bool>("--finish") { Description = "The second step: the previous authority is no longer trusted." };
        return AdministratorCommand.Complete(
            new Command(
                "rotate-ca",
                "Make a new certificate authority. Until --finish both are trusted: give clients the new ca.pem (jackdaw cert export) in that time, and new "
                + "certificates to those that the answer names.") { finish },
            new AskedServerOptions(),
            (parsed, client, cancellationToken) => AdministratorCommand.ShowAsync(
                client, HttpMethod.Post, $"/admin/certificates/rotate-ca{(parsed.GetValue(finish) ? "?finish=true" : "")}", null, cancellationToken));
    }
}
