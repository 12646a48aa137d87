using Jackdaw.Security.Keys;

namespace Jackdaw.Security.Tests.Keys;

/// <summary>A data folder of one test, with its folder of keys.</summary>
internal sealed class TemporarySecurityFolder : IDisposable
{
    public TemporarySecurityFolder() => Folder = SecurityFolder.Open(DataFolder);

    public string DataFolder { get; } = Directory.CreateTempSubdirectory("jackdaw-security-").FullName;

    public SecurityFolder Folder { get; }

    /// <summary>Makes and keeps an authority.</summary>
    public CertificateAuthority CreateAuthority(TimeProvider? time = null)
    {
        var authority = CertificateAuthority.Create(Folder, time ?? TimeProvider.System);
        authority.Save();
        return authority;
    }

    public void Dispose() => Directory.Delete(DataFolder, recursive: true);
}
