using System.Text;
using Jackdaw.Security;
using Jackdaw.Security.Keys;

namespace Jackdaw.Server.Hosting;

/// <summary>The page of the first secured start: where the certificates are, and how each kind of client uses them. It has no secret.</summary>
internal static class FirstStartPage
{
    /// <param name="address">Of the server, as clients reach it.</param>
    public static string Make(ServerSecurity security, Uri address)
    {
        SecurityFolder folder = security.Folder;
        return $$"""
            Jackdaw is secured. This first start has made these files, which only the user that runs jackdaw can read:

              {{folder.AdministratorPfx}}   an administrator's certificate with its key, for browsers and .NET; no password
              {{folder.AdministratorPem}}   the same as PEM, for curl and Node
              {{folder.Authority}}   the certificate authority, which clients trust

            Whoever has an administrator's certificate may do everything: copy it only to where it is used, and keep a backup of
            the folder {{folder.Path}}.

            SHA-256 fingerprint of the authority:
              {{security.Authority.Fingerprint}}

            {{MakeLines(folder, address.ToString().TrimEnd('/'), security.Keys.IsOwn)}}
            A browser without a certificate: run 'jackdaw login-link' on this machine.
            A certificate for each program, with what it may do: run 'jackdaw cert create --help'.
            This page: {{folder.FirstStartPage}}

            """;
    }

    public static void Write(ServerSecurity security, string page) => ProtectedFiles.WriteAll(security.Folder.FirstStartPage, Encoding.UTF8.GetBytes(page));

    /// <summary>The lines for each kind of client.</summary>
    /// <param name="isOwn">Whether the server's certificate is one of our authority, which no client trusts without being given it.</param>
    private static string MakeLines(SecurityFolder folder, string url, bool isOwn)
    {
        string curl = isOwn ? $"--cacert '{folder.Authority}' " : "";
        string node = isOwn ? $",\n    ca: fs.readFileSync(\"{folder.Authority}\")" : "";
        string dotnet = isOwn ? $", TrustedAuthoritiesFile = \"{folder.Authority}\"" : "";
        return $$"""
            curl:
              curl {{curl}}--cert '{{folder.AdministratorPem}}' {{url}}/databases

            Node:
              new DocumentStore("{{url}}", "database", {
                certificate: fs.readFileSync("{{folder.AdministratorPem}}"), type: "pem"{{node}}
              })

            .NET (Jackdaw.Client):
              new DocumentStore("{{url}}", "database")
              {
                  CertificateFile = "{{folder.AdministratorPfx}}"{{dotnet}}
              }

            """;
    }
}
