using System.CommandLine;
using System.Text.Json;
using Jackdaw.Server.Http.Bodies;

namespace Jackdaw.Server.Verbs.Certificates;

/// <summary><c>jackdaw cert renew</c>: a new key and certificate for a client, or for the server.</summary>
internal static class CertRenewVerb
{
    public static Command Create()
    {
        var wanted = new Argument<string?>("certificate")
        {
            Description = "Thumbprint of the certificate of a client, or its name if no other one has it.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var server = new Option<bool>("--server") { Description = "Renew the certificate that the server shows." };
        Option<string> folder = CertCreateVerb.Folder();
        Option<string?> password = CertCreateVerb.Password();
        return AdministratorCommand.Complete(
            new Command("renew", "Make a new certificate with the name and the permissions of an old one. The old one stays until it is revoked.")
            {
                wanted, server, folder, password,
            },
            new AskedServerOptions(),
            (parsed, client, cancellationToken) => (parsed.GetValue(wanted), parsed.GetValue(server)) switch
            {
                (null, true) => AdministratorCommand.ShowAsync(client, HttpMethod.Post, "/admin/certificates/renew-server", null, cancellationToken),
                ({ } name, false) => RenewAsync(client, name, parsed.GetValue(folder)!, parsed.GetValue(password), cancellationToken),
                _ => Task.FromResult<string?>("say either which certificate of a client is renewed, or --server."),
            });
    }

    private static async Task<string?> RenewAsync(HttpClient client, string wanted, string folder, string? password, CancellationToken cancellationToken)
    {
        (JsonElement entry, string? problem) = await KnownCertificates.FindAsync(client, wanted, cancellationToken).ConfigureAwait(false);
        return problem ?? await CertCreateVerb.CreateAsync(
            client, "/admin/certificates/renew", new { Thumbprint = entry.TextMember("Thumbprint"), Password = password }, folder, cancellationToken)
            .ConfigureAwait(false);
    }
}
