using System.CommandLine;
using Jackdaw.Security.Callers;

namespace Jackdaw.Server.Verbs.Certificates;

/// <summary><c>jackdaw cert create</c>: makes a certificate with its key, or adds one that somebody else made. A cluster administrator can be made while the
/// server is stopped.</summary>
internal static class CertCreateVerb
{
    public static Option<string> Folder() => new("--out")
    {
        Description = "Folder for the files: PFX, PEM and ca.pem. Default: the current folder.",
        DefaultValueFactory = _ => ".",
    };

    public static Option<string?> Password() => new("--password")
    {
        Description = "Password of the PFX. With one, no PEM is written, because it would hold the key without a password.",
    };

    public static Command Create()
    {
        var grants = new GrantOptions();
        var name = new Option<string?>("--name") { Description = "As people know it. Default: the clearance." };
        var file = new Option<string?>("--certificate") { Description = "Certificate (PEM or DER) that is added; without it, the server makes one." };
        Option<string> folder = Folder();
        Option<string?> password = Password();
        var options = new AskedServerOptions();
        var command = new Command("create", "Make a certificate that gets in, with its key. A ClusterAdmin can be made while the server is stopped, too.")
        {
            name, grants.Clearance, grants.Databases, file, folder, password,
        };
        options.AddTo(command);
        command.SetAction((parsed, cancellationToken) =>
        {
            string clearance = parsed.GetValue(grants.Clearance) ?? nameof(Clearance.ValidUser);
            string shownName = parsed.GetValue(name) ?? clearance;
            bool canBeOffline = clearance.Equals(nameof(Clearance.ClusterAdmin), StringComparison.OrdinalIgnoreCase) && parsed.GetValue(file) is null
                && parsed.GetValue(options.ServerUrl) is null;
            string? foreign = null;
            if (canBeOffline && StoppedServer.TryOpen(options.ReadDataFolder(parsed), out foreign) is { } stopped)
            {
                return stopped.CreateAdministratorAsync(shownName, parsed.GetValue(folder)!, parsed.GetValue(password));
            }

            return foreign is not null ? AdministratorCommand.FinishAsync(foreign) : AdministratorCommand.AskAsync(
                parsed, options,
                (_, client, token) => CreateAsync(
                    client, new(shownName, clearance, parsed.GetValue(password)), grants.ReadPermissions(parsed, out string? problem), problem,
                    parsed.GetValue(file), parsed.GetValue(folder)!, token),
                cancellationToken);
        });
        return command;
    }

    private static async Task<string?> CreateAsync(
        HttpClient client, WantedCertificate wanted, Dictionary<string, string>? permissions, string? problem, string? file, string folder,
        CancellationToken cancellationToken)
    {
        if (permissions is null)
        {
            return problem;
        }

        object request = new
        {
            wanted.Name,
            SecurityClearance = wanted.Clearance,
            Permissions = permissions,
            wanted.Password,
            Certificate = file is null ? null : Convert.ToBase64String(await File.ReadAllBytesAsync(file, cancellationToken).ConfigureAwait(false)),
        };
        return file is null
            ? await CreateAsync(client, "/admin/certificates", request, folder, cancellationToken).ConfigureAwait(false)
            : await AdministratorCommand.ShowAsync(client, HttpMethod.Put, "/admin/certificates", request, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Sends a request whose answer has the files of a certificate, and writes them.</summary>
    public static async Task<string?> CreateAsync(HttpClient client, string path, object request, string folder, CancellationToken cancellationToken)
    {
        (byte[] zip, string? problem) = await AdministratorCommand.SendAsync(client, HttpMethod.Post, path, request, cancellationToken).ConfigureAwait(false);
        if (problem is null)
        {
            CertificateFiles.Unpack(zip, folder);
        }

        return problem;
    }

    private sealed record WantedCertificate(string Name, string Clearance, string? Password);
}
