using Jackdaw.Security;
using Jackdaw.Security.Keys;
using Jackdaw.Server.Configuration;

namespace Jackdaw.Server.Hosting;

/// <summary>Opens the keys of a server as its configuration says.</summary>
internal static class SecuredStart
{
    /// <exception cref="KeyFileException">A file of keys or certificates cannot be used.</exception>
    /// <exception cref="IOException">The disk or the system refuses, or another process uses the folder.</exception>
    public static ServerSecurity Open(ServerOptions options, TimeProvider time)
    {
        SecuritySettings settings = options.Security;
        IEnumerable<string> configured = settings.CertificateNames.Prepend(options.ServerUrl.Host);
        if (options.PublicServerUrl is { } given)
        {
            configured = configured.Prepend(given.IdnHost);
        }

        CertificateFile? file = settings.CertificatePath is { } path ? new CertificateFile(path, settings.CertificatePassword) : null;
        return ServerSecurity.Open(options.DataDir, ServerNames.Find(configured), file, settings.AdministratorThumbprints, time);
    }
}
