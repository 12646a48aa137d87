using System.Security.Cryptography.X509Certificates;
using System.Text;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.Security.Keys;
using Jackdaw.Security.Sessions;
using Jackdaw.Security.Tokens;

namespace Jackdaw.Security;

/// <summary>Everything about keys and about who may do what on a secured server. Exists as long as the server runs, and holds the lock of its folder.</summary>
internal sealed class ServerSecurity : IDisposable
{
    /// <summary>The name of the administrator that the first start makes.</summary>
    public const string FirstAdministrator = "admin";

    private readonly IDisposable _lock;

    private ServerSecurity(
        SecurityFolder folder, IDisposable folderLock, CertificateAuthority authority, CertificateRegistry registry, ServerKeys keys, bool isFirstStart,
        TimeProvider time)
    {
        Folder = folder;
        _lock = folderLock;
        Authority = authority;
        Registry = registry;
        Keys = keys;
        IsFirstStart = isFirstStart;
        Tokens = MetricsTokens.Open(folder, time);
        Links = new LoginLinks(time);
        Sessions = new BrowserSessions(time);
    }

    public SecurityFolder Folder { get; }

    public CertificateAuthority Authority { get; }

    public ServerKeys Keys { get; }

    /// <summary>The certificates that get in.</summary>
    public CertificateRegistry Registry { get; }

    /// <summary>What lets collectors read the metrics.</summary>
    public MetricsTokens Tokens { get; }

    /// <summary>Links that let browsers in.</summary>
    public LoginLinks Links { get; }

    /// <summary>Browsers that are in.</summary>
    public BrowserSessions Sessions { get; }

    /// <summary>Whether the folder was empty, so that this start has made all keys.</summary>
    public bool IsFirstStart { get; }

    /// <summary>Whether the page of the first start must be shown: this start is the first, or nobody has seen the page because the first one could not
    /// listen.</summary>
    public bool IsFirstPageDue => IsFirstStart || (!File.Exists(Folder.FirstStartPage) && File.Exists(Folder.AdministratorPem));

    /// <summary>Opens the folder of keys below a data folder; the first time, makes an authority, a certificate of the server, and an administrator.</summary>
    /// <param name="names">The names and addresses of the server, that of the machine first.</param>
    /// <param name="file">The certificate of the operator; null for one of our own authority.</param>
    /// <param name="administrators">Thumbprints of certificates that are cluster administrators without being in the list.</param>
    /// <exception cref="KeyFileException">A file is damaged, or others may read it.</exception>
    /// <exception cref="IOException">The disk or the system refuses, or another process has opened the folder.</exception>
    public static ServerSecurity Open(
        string dataFolder, IReadOnlyList<string> names, CertificateFile? file, IReadOnlyList<string> administrators, TimeProvider time)
    {
        SecurityFolder folder = SecurityFolder.Open(dataFolder);
        IDisposable folderLock = folder.Lock(time);
        try
        {
            ProtectedFiles.DeleteUnfinished(folder.Path);
            bool isFirstStart = !CertificateAuthority.Exists(folder);
            CertificateAuthority authority = isFirstStart ? CertificateAuthority.Create(folder, time) : CertificateAuthority.Open(folder, time);
            var registry = CertificateRegistry.Open(folder, authority, time, administrators);
            if (isFirstStart)
            {
                MakeAdministrator(folder, authority, registry, time);
                authority.Save(); // last: a start that is cut off before begins anew
            }

            var keys = ServerKeys.Open(folder, authority, names, file, time);
            return new ServerSecurity(folder, folderLock, authority, registry, keys, isFirstStart, time);
        }
        catch
        {
            folderLock.Dispose();
            throw;
        }
    }

    /// <summary>Whether a certificate gives its owner any access now.</summary>
    public bool Knows(X509Certificate2 certificate) => PresentedCertificate.TryRead(certificate) is not null && Registry.Find(certificate) is not null;

    public void Dispose()
    {
        Authority.Dispose();
        _lock.Dispose();
    }

    private static void MakeAdministrator(SecurityFolder folder, CertificateAuthority authority, CertificateRegistry registry, TimeProvider time)
    {
        using ClientKey administrator = ClientKey.Issue(authority, FirstAdministrator, ClientKey.UsualValidity, time);
        ProtectedFiles.WriteAll(folder.AdministratorPfx, administrator.ToPfx(null));
        ProtectedFiles.WriteAll(folder.AdministratorPem, Encoding.ASCII.GetBytes(administrator.ToPem()));
        registry.Put(KnownCertificate.From(administrator.Certificate, FirstAdministrator, new Grants(Clearance.ClusterAdmin)));
    }
}
