using System.Security.Cryptography.X509Certificates;
using Jackdaw.Json.Refusals;
using Jackdaw.Pal;
using Jackdaw.Security.Auditing;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.Security.Keys;
using Jackdaw.Server.Http.Handlers.Certificates;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Server.Verbs.Certificates;

/// <summary>The folder of keys of a server that does not run. Whoever owns it can always make an administrator.</summary>
internal sealed class StoppedServer
{
    private readonly SecurityFolder _folder;
    private readonly IDisposable _lock;

    private StoppedServer(SecurityFolder folder, IDisposable folderLock)
    {
        _folder = folder;
        _lock = folderLock;
    }

    /// <summary>Takes the lock of the folder. Null when the folder has no keys, or when a running server holds the lock: then the server is asked.</summary>
    /// <param name="problem">Why the folder cannot be changed; null when it can, or need not.</param>
    public static StoppedServer? TryOpen(string? dataFolder, out string? problem)
    {
        problem = null;
        if (dataFolder is null || SecurityFolder.At(dataFolder) is not { } folder || !CertificateAuthority.Exists(folder))
        {
            return null;
        }

        try
        {
            return new StoppedServer(folder, folder.Lock(TimeProvider.System));
        }
        catch (PalException held) when (held.Status == PalStatus.Locked)
        {
            return null;
        }
        catch (KeyFileException foreign)
        {
            problem = foreign.Message;
            return null;
        }
    }

    /// <summary>Makes a cluster administrator, adds it to the list, and writes its files.</summary>
    /// <returns>The exit code.</returns>
    public Task<int> CreateAdministratorAsync(string name, string folder, string? password) => ChangeAsync(
        "jackdaw cert create", [new("name", name), new("clearance", nameof(Clearance.ClusterAdmin))],
        authority =>
        {
            CertificateRegistry registry = CertificateRegistry.Open(_folder, authority, TimeProvider.System, []);
            using ClientKey key = ClientKey.Issue(authority, name, ClientKey.UsualValidity, TimeProvider.System);
            registry.Put(KnownCertificate.From(key.Certificate, name, new Grants(Clearance.ClusterAdmin)));
            CertificateFiles.Write(CertificateArchive.MakeFiles(key, name, password, authority), folder);
            return $"The server is stopped; the list in '{_folder.KnownCertificates}' was changed.";
        });

    /// <summary>Begins or ends the replacement of the authority. One that has expired is replaced at once, because nobody trusts it any more.</summary>
    /// <returns>The exit code.</returns>
    public Task<int> RotateAuthorityAsync(bool isEnd) => ChangeAsync(
        "jackdaw rotate-ca", [new("finish", isEnd ? "true" : "false")],
        authority =>
        {
            X509Certificate2 replaced = authority.Previous ?? authority.Certificate;
            bool isExpired = new DateTimeOffset(replaced.NotAfter) <= TimeProvider.System.GetUtcNow();
            if (!isEnd && authority.Previous is null)
            {
                authority.BeginRotation();
            }
            else if (!isEnd && !isExpired)
            {
                return "A rotation has begun already: give clients the new ca.pem, then run this again with --finish.";
            }

            if (isEnd || isExpired)
            {
                authority.FinishRotation();
            }

            return $"The server is stopped; give clients the new '{_folder.Authority}'.";
        });

    // As on a running server: the line is on the disk before anything changes.
    private async Task<int> ChangeAsync(string command, KeyValuePair<string, string>[] details, Func<CertificateAuthority, string> change)
    {
        string? problem = null;
        using (_lock)
        {
            try
            {
                ProtectedFiles.CheckOwner(_folder.Path);
                string done = ChangeAudited(command, details, change);
                await Console.Error.WriteLineAsync(done).ConfigureAwait(false);
            }
            catch (Exception failure) when (IsExpected(failure))
            {
                problem = failure.Message;
            }
        }

        return await AdministratorCommand.FinishAsync(problem).ConfigureAwait(false);
    }

    private static bool IsExpected(Exception failure) =>
        failure is KeyFileException or IOException or UnauthorizedAccessException or RefusedException or InvalidOperationException;

    private string ChangeAudited(string command, KeyValuePair<string, string>[] details, Func<CertificateAuthority, string> change)
    {
        using var log = new AuditLog(_folder.Audit, TimeProvider.System, NullLogger.Instance);
        var line = new AuditRecord
        {
            Kind = AuditKinds.Certificate,
            Outcome = AuditOutcomes.Begun,
            Sender = new AuditSender($"user '{Environment.UserName}' of the machine", null, null, null),
            Route = command,
            Details = details,
        };
        log.Begin(line, isDurable: true);
        string outcome = AuditOutcomes.Failed;
        try
        {
            using CertificateAuthority authority = CertificateAuthority.Open(_folder, TimeProvider.System);
            string done = change(authority);
            outcome = AuditOutcomes.Done;
            return done;
        }
        finally
        {
            log.Write(line with { Outcome = outcome });
        }
    }
}
