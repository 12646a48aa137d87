using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security.Keys;
using Jackdaw.Server.Configuration;

namespace Jackdaw.Server.Tests;

/// <summary>A data folder on the disk for servers with https, whose databases are in memory.</summary>
internal sealed class SecuredFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("jackdaw-secured-").FullName;

    public SecurityFolder Security => SecurityFolder.At(Path);

    /// <summary>A server with https on a free port of the loopback address.</summary>
    public ServerSetup Setup => new() { ServerUrl = new ListenAddress("127.0.0.1", 0, IsSecured: true), DataDir = Path };

    public static X509Certificate2 ReadAdministrator(SecurityFolder folder) =>
        X509CertificateLoader.LoadPkcs12FromFile(folder.AdministratorPfx, null, X509KeyStorageFlags.Exportable);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
