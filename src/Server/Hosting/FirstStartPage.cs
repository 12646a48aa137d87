using System.Text;
using Jackdaw.Security;
using Jackdaw.Security.Keys;

namespace Jackdaw.Server.Hosting;

/// <summary>The page of the first secured start: where the certificates are, and how each kind of client uses them. It has no secret.</summary>
internal static class FirstStartPage
{
    /// <param name="address">Of the server, as this machine reaches it.</param>
    public static string Make(ServerSecurity security, Uri address)
    {
        SecurityFolder folder = security.Folder;
        string url = address.ToString().TrimEnd('/');
        return $$"""
            Jackdaw is secured. This first start has made these files, which only the user that runs jackdaw can read:

              {{folder.AdministratorPfx}}   an administrator's certificate with its key, for browsers and .NET; no password
              {{folder.AdministratorPem}}   the same as PEM, for curl and Node
              {{folder.Authority}}   the certificate authority, which clients trust

            Whoever has an administrator's certificate may do everything: copy it only to where it is used, and keep a backup of
            the folder {{folder.Path}}.

            SHA-256 fingerprint of the authority:
              {{security.Authority.Fingerprint}}

            curl:
              curl --cacert '{{folder.Authority}}' --cert '{{folder.AdministratorPem}}' {{url}}/databases

            Node:
              new DocumentStore("{{url}}", "database", {
                certificate: fs.readFileSync("{{folder.AdministratorPem}}"), type: "pem",
                ca: fs.readFileSync("{{folder.Authority}}")
              })

            .NET (Jackdaw.Client):
              new DocumentStore("{{url}}", "database")
              {
                  CertificateFile = "{{folder.AdministratorPfx}}", TrustedAuthoritiesFile = "{{folder.Authority}}"
              }

            A browser without a certificate: run 'jackdaw login-link' on this machine.
            A certificate for each program, with what it may do: run 'jackdaw cert create --help'.
            This page: {{folder.FirstStartPage}}

            """;
    }

    public static void Write(ServerSecurity security, string page) => ProtectedFiles.WriteAll(security.Folder.FirstStartPage, Encoding.UTF8.GetBytes(page));
}
