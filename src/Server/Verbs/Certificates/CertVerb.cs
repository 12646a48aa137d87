using System.CommandLine;
using System.Text.Json;
using Jackdaw.Server.Http.Bodies;

namespace Jackdaw.Server.Verbs.Certificates;

/// <summary><c>jackdaw cert</c>: who gets into a secured server. Each command is a request to the running server.</summary>
internal static class CertVerb
{
    public static Command Create() => new("cert", "Shows and changes which certificates get into a secured server.")
    {
        CreateList(), CertCreateVerb.Create(), CreateEdit(), CreateRevoke(), CertRenewVerb.Create(), CreateExport(), MetricsTokenVerb.Create(),
    };

    /// <summary>An argument that names a certificate.</summary>
    public static Argument<string> Wanted() => new("certificate") { Description = "Thumbprint of the certificate, or its name if no other one has it." };

    private static Command CreateList() => AdministratorCommand.Complete(
        new Command("list", "List the certificates: thumbprint, end, clearance, name, permissions."), new AskedServerOptions(),
        static async (_, client, cancellationToken) =>
        {
            (JsonElement[] entries, string? problem) = await KnownCertificates.ReadAsync(client, cancellationToken).ConfigureAwait(false);
            Array.ForEach(entries, static entry => Console.WriteLine(KnownCertificates.Show(entry)));
            return problem;
        });

    private static Command CreateEdit()
    {
        Argument<string> wanted = Wanted();
        var grants = new GrantOptions();
        var name = new Option<string?>("--name") { Description = "Another name." };
        var without = new Option<string[]>("--without") { Description = "A database whose permission is taken away. May be given several times." };
        return AdministratorCommand.Complete(
            new Command("edit", "Change what a certificate may do. Permissions that are not named stay as they are.")
            {
                wanted, name, grants.Clearance, grants.Databases, without,
            },
            new AskedServerOptions(),
            (parsed, client, cancellationToken) => EditAsync(
                parsed, client, parsed.GetValue(wanted)!, parsed.GetValue(name), grants, parsed.GetValue(without) ?? [], cancellationToken));
    }

    private static async Task<string?> EditAsync(
        ParseResult parsed, HttpClient client, string wanted, string? name, GrantOptions grants, string[] without, CancellationToken cancellationToken)
    {
        if (grants.ReadPermissions(parsed, out string? problem) is not { } changed)
        {
            return problem;
        }

        (JsonElement entry, problem) = await KnownCertificates.FindAsync(client, wanted, cancellationToken).ConfigureAwait(false);
        if (problem is not null)
        {
            return problem;
        }

        // What is not named is left out, so that it stays as it is at the server.
        var request = new Dictionary<string, object?> { ["Thumbprint"] = entry.TextMember("Thumbprint") };
        if (name is not null)
        {
            request["Name"] = name;
        }

        if (parsed.GetValue(grants.Clearance) is { } clearance)
        {
            request["SecurityClearance"] = clearance;
        }

        if (changed.Count > 0 || without.Length > 0)
        {
            request["Permissions"] = Merge(entry, changed, without);
        }

        return await AdministratorCommand.ShowAsync(client, HttpMethod.Post, "/admin/certificates/edit", request, cancellationToken).ConfigureAwait(false);
    }

    private static Dictionary<string, string> Merge(JsonElement entry, Dictionary<string, string> changed, string[] without)
    {
        var permissions = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (JsonProperty permission in entry.Member("Permissions")?.EnumerateObject() ?? default)
        {
            permissions[permission.Name] = permission.Value.GetString()!;
        }

        foreach ((string database, string permission) in changed)
        {
            permissions[database] = permission;
        }

        Array.ForEach(without, database => permissions.Remove(database));
        return permissions;
    }

    private static Command CreateRevoke()
    {
        Argument<string> wanted = Wanted();
        return AdministratorCommand.Complete(
            new Command("revoke", "Take a certificate out of the list. It is refused within a second, on open connections, too.") { wanted },
            new AskedServerOptions(),
            async (parsed, client, cancellationToken) =>
            {
                (JsonElement entry, string? problem) = await KnownCertificates.FindAsync(client, parsed.GetValue(wanted)!, cancellationToken)
                    .ConfigureAwait(false);
                return problem ?? await AdministratorCommand.ShowAsync(
                    client, HttpMethod.Delete, $"/admin/certificates?thumbprint={entry.TextMember("Thumbprint")}", null, cancellationToken)
                    .ConfigureAwait(false);
            });
    }

    private static Command CreateExport()
    {
        var wanted = new Argument<string?>("certificate")
        {
            Description = "Thumbprint or name. Without it: the authorities that clients trust (ca.pem).",
            Arity = ArgumentArity.ZeroOrOne,
        };
        return AdministratorCommand.Complete(
            new Command("export", "Write a certificate in PEM to stdout. The server keeps no private keys of clients.") { wanted },
            new AskedServerOptions(),
            async (parsed, client, cancellationToken) =>
            {
                string path = "/admin/certificates/export";
                if (parsed.GetValue(wanted) is { } name)
                {
                    (JsonElement entry, string? problem) = await KnownCertificates.FindAsync(client, name, cancellationToken).ConfigureAwait(false);
                    if (problem is not null)
                    {
                        return problem;
                    }

                    path += $"?thumbprint={entry.TextMember("Thumbprint")}";
                }

                return await AdministratorCommand.ShowAsync(client, HttpMethod.Get, path, null, cancellationToken).ConfigureAwait(false);
            });
    }
}
