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
    public static StoppedServer? TryOpen(string? dataFolder)
    {
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
    }

    /// <summary>Makes a cluster administrator, adds it to the list, and writes its files.</summary>
    /// <returns>The exit code.</returns>
    public async Task<int> CreateAdministratorAsync(string name, string folder, string? password)
    {
        string? problem = null;
        using (_lock)
        {
            try
            {
                ProtectedFiles.CheckOwner(_folder.Path);
                CreateAudited(name, folder, password);
                await Console.Error.WriteLineAsync($"The server is stopped; the list in '{_folder.KnownCertificates}' was changed.").ConfigureAwait(false);
            }
            catch (Exception failure) when (failure is KeyFileException or IOException or UnauthorizedAccessException or RefusedException)
            {
                problem = failure.Message;
            }
        }

        return await AdministratorCommand.FinishAsync(problem).ConfigureAwait(false);
    }

    // As on a running server: the line is on the disk before anything changes.
    private void CreateAudited(string name, string folder, string? password)
    {
        using var log = new AuditLog(_folder.Audit, TimeProvider.System, NullLogger.Instance);
        var line = new AuditRecord
        {
            Kind = AuditKinds.Certificate,
            Outcome = AuditOutcomes.Begun,
            Sender = new AuditSender($"user '{Environment.UserName}' of the machine", null, null, null),
            Route = "jackdaw cert create",
            Details = [new("name", name), new("clearance", nameof(Clearance.ClusterAdmin))],
        };
        log.Begin(line, isDurable: true);
        string outcome = AuditOutcomes.Failed;
        try
        {
            Create(name, folder, password);
            outcome = AuditOutcomes.Done;
        }
        finally
        {
            log.Write(line with { Outcome = outcome });
        }
    }

    private void Create(string name, string folder, string? password)
    {
        TimeProvider time = TimeProvider.System;
        using CertificateAuthority authority = CertificateAuthority.Open(_folder, time);
        CertificateRegistry registry = CertificateRegistry.Open(_folder, authority, time, []);
        using ClientKey key = ClientKey.Issue(authority, name, ClientKey.UsualValidity, time);
        registry.Put(KnownCertificate.From(key.Certificate, name, new Grants(Clearance.ClusterAdmin)));
        CertificateFiles.Write(CertificateArchive.MakeFiles(key, name, password, authority), folder);
    }
}
