using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security;
using Jackdaw.Security.Keys;
using Jackdaw.Server.Configuration;

namespace Jackdaw.Server.Tests;

/// <summary>A data folder on the disk for servers with https, whose databases are in memory.</summary>
internal sealed class SecuredFolder : IDisposable
{
    /// <summary>Keys as a first start makes them, made once for all tests of the process: RSA keys take a third of a second of a processor.</summary>
    private static readonly Lazy<string> s_made = new(MakeKeys);

    public string Path { get; } = Directory.CreateTempSubdirectory("jackdaw-secured-").FullName;

    public SecurityFolder Security => SecurityFolder.At(Path);

    /// <summary>A server with https on a free port of the loopback address.</summary>
    public ServerSetup Setup => new() { ServerUrl = new ListenAddress("127.0.0.1", 0, IsSecured: true), DataDir = Path };

    /// <summary>Puts keys into the folder, as if the first start were over. Their time begins with that of the test's process.</summary>
    public SecuredFolder WithKeys()
    {
        ProtectedFiles.CreateFolder(Security.Path);
        foreach (string file in Directory.GetFiles(s_made.Value))
        {
            File.Copy(file, System.IO.Path.Combine(Security.Path, System.IO.Path.GetFileName(file)));
        }

        return this;
    }

    public static X509Certificate2 ReadAdministrator(SecurityFolder folder) =>
        X509CertificateLoader.LoadPkcs12FromFile(folder.AdministratorPfx, null, X509KeyStorageFlags.Exportable);

    public void Dispose() => Directory.Delete(Path, recursive: true);

    private static string MakeKeys()
    {
        var folder = new SecuredFolder();
        AppDomain.CurrentDomain.ProcessExit += (_, _) => folder.Dispose();
        using (ServerSecurity.Open(folder.Path, [Environment.MachineName, "localhost", "127.0.0.1"], null, [], TimeProvider.System))
        {
            return folder.Security.Path;
        }
    }
}
