using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security.Keys;

namespace Jackdaw.Security;

/// <summary>Everything about keys and about who may do what on a secured server. Exists as long as the server runs, and holds the lock of its folder.</summary>
internal sealed class ServerSecurity : IDisposable
{
    /// <summary>The name of the administrator that the first start makes.</summary>
    public const string FirstAdministrator = "admin";

    /// <summary>The life of the administrator's certificate. Whoever owns the folder can make a new one.</summary>
    public static readonly TimeSpan AdministratorValidity = TimeSpan.FromDays(5 * 365);

    private readonly IDisposable _lock;

    private ServerSecurity(SecurityFolder folder, IDisposable folderLock, CertificateAuthority authority, ServerKeys keys, bool isFirstStart)
    {
        Folder = folder;
        _lock = folderLock;
        Authority = authority;
        Keys = keys;
        IsFirstStart = isFirstStart;
    }

    public SecurityFolder Folder { get; }

    public CertificateAuthority Authority { get; }

    public ServerKeys Keys { get; }

    /// <summary>Whether the folder was empty, so that this start has made all keys.</summary>
    public bool IsFirstStart { get; }

    /// <summary>Opens the folder of keys below a data folder; the first time, makes an authority, a certificate of the server, and an administrator.</summary>
    /// <param name="names">The names and addresses of the server, that of the machine first.</param>
    /// <param name="file">The certificate of the operator; null for one of our own authority.</param>
    /// <exception cref="KeyFileException">A file is damaged, or others may read it.</exception>
    /// <exception cref="IOException">The disk or the system refuses, or another process has opened the folder.</exception>
    public static ServerSecurity Open(string dataFolder, IReadOnlyList<string> names, CertificateFile? file, TimeProvider time)
    {
        SecurityFolder folder = SecurityFolder.Open(dataFolder);
        IDisposable folderLock = folder.Lock(time);
        try
        {
            bool isFirstStart = !CertificateAuthority.Exists(folder);
            CertificateAuthority authority = isFirstStart ? MakeFirst(folder, time) : CertificateAuthority.Open(folder, time);
            var keys = ServerKeys.Open(folder, authority, names, file, time);
            return new ServerSecurity(folder, folderLock, authority, keys, isFirstStart);
        }
        catch
        {
            folderLock.Dispose();
            throw;
        }
    }

    /// <summary>Whether a certificate gives its owner any access now.</summary>
    public bool Knows(X509Certificate2 certificate) => certificate.NotAfter > DateTime.MinValue;

    public void Dispose()
    {
        Authority.Dispose();
        _lock.Dispose();
    }

    // The authority is saved last: a start that is cut off before begins anew. The RSA key takes longest, so that it is made beside everything else.
    private static CertificateAuthority MakeFirst(SecurityFolder folder, TimeProvider time)
    {
        Task<RSA> key = Task.Run(ClientKey.MakeKey);
        var authority = CertificateAuthority.Create(folder, time);
        using ClientKey administrator = ClientKey.Issue(key.GetAwaiter().GetResult(), authority, FirstAdministrator, AdministratorValidity, time);
        ProtectedFiles.WriteAll(folder.AdministratorPfx, administrator.ToPfx(null));
        ProtectedFiles.WriteAll(folder.AdministratorPem, System.Text.Encoding.ASCII.GetBytes(administrator.ToPem()));
        authority.Save();
        return authority;
    }
}
