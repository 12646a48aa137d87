using Jackdaw.Documents.Database;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Revisions;
using Jackdaw.Pal;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Resources;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Documents.Databases;

/// <summary>All databases of the server, their records and client configurations, and the server's own identity, on storages below the
/// data folder: <c>System</c>, and <c>Databases/name</c> for each database. Any thread may call any member.</summary>
/// <remarks>
/// Changes are durable when their task completes, and raise the commit index by one each. Creating and deleting are one transaction in the system storage; the
/// folder is changed afterwards.
/// 1. The record decides, not the folder. A record without a folder gets one when it is opened. The folder of a record that is being deleted is removed at the
/// next start. A folder without a record was left by a soft deletion.
/// 2. Changes of one database run one after the other under the gate of its name, which is held while it is opened or
///    closed and while its files are deleted; while it is held, the gate of the records is held for each write to the system storage and the directory. Finding
/// a database takes no lock.
/// 3. A database that was closed cleanly is opened by the first request for it, or in the background when a part of it asks for that. A database that must be
/// recovered is opened at the start.
/// 4. A database that cannot be opened, or stopped, is Faulted; the others are not affected.
/// </remarks>
public sealed partial class DatabaseCatalog : IAsyncDisposable
{
    /// <summary>How long the start waits for databases to be recovered. Those that recover longer are answered as
    /// loading, so that one large journal does not keep the other databases from serving.</summary>
    private static readonly TimeSpan s_startPatience = TimeSpan.FromSeconds(20);

    /// <summary>The most folders without a database that the log names; the rest is counted.</summary>
    private const int OrphansNamedMax = 20;

    private readonly IPlatform _platform;
    private readonly string _dataFolder;
    private readonly StorageOptions _options; // include the resources that all storages of the process share
    private readonly NodeTag _node; // of new databases
    private readonly DocumentExtensions _extensions;
    private readonly IReadOnlyList<DatabasePartKind> _partKinds;
    private readonly ILogger _logger;
    private readonly SystemStorage _system;
    private readonly ChangeGates _gates = new(); // taken before the next one
    private readonly SemaphoreSlim _records = new(1); // guards writes to _system, _directory and _client
    private readonly Lazy<Task> _closing;
    private volatile DatabaseDirectory _directory = DatabaseDirectory.Empty;
    private volatile ClientConfiguration _client;

    private DatabaseCatalog(
        IPlatform platform,
        string dataFolder,
        StorageOptions options,
        NodeTag node,
        DocumentExtensions extensions,
        IReadOnlyList<DatabasePartKind> partKinds,
        ILogger logger,
        SystemStorage system)
    {
        _extensions = extensions;
        _node = node;
        _partKinds = partKinds;
        _platform = platform;
        _dataFolder = dataFolder;
        _options = options;
        _logger = logger;
        _system = system;
        _client = system.ReadClient();
        _closing = new Lazy<Task>(CloseAsync);
    }

    /// <summary>A guid that was chosen at the first start.</summary>
    public Guid ServerId => _system.ServerId;

    /// <summary>The number of the last change of the system storage; greater than 0.</summary>
    public long CommitIndex => _system.CommitIndex;

    /// <summary>The server-wide client configuration; <see cref="ClientConfiguration.Unset"/> when never set.</summary>
    public ClientConfiguration ServerClientConfiguration => _client;

    /// <summary>Opens the storages below a folder of a platform, of databases without parts.</summary>
    internal static Task<DatabaseCatalog> OpenAsync(
        IPlatform platform,
        string dataFolder,
        StorageOptions options,
        IProgress<RecoveryProgress> progress,
        ILogger logger,
        CancellationToken cancellationToken) =>
        OpenAsync(platform, dataFolder, options, [], progress, logger, cancellationToken);

    /// <summary>Opens the storages below a folder of a platform, as the node of the default tag.</summary>
    internal static Task<DatabaseCatalog> OpenAsync(
        IPlatform platform,
        string dataFolder,
        StorageOptions options,
        IReadOnlyList<DatabasePartKind> partKinds,
        IProgress<RecoveryProgress> progress,
        ILogger logger,
        CancellationToken cancellationToken) =>
        OpenAsync(platform, dataFolder, options, NodeTag.Default, StandardExtensions.All, partKinds, progress, logger, cancellationToken);

    /// <summary>Opens the storages below a folder of a platform.</summary>
    /// <param name="node">The tag of this server, which is also that of the databases that it creates.</param>
    /// <param name="extensions">The kinds of things that documents can have besides their text.</param>
    internal static async Task<DatabaseCatalog> OpenAsync(
        IPlatform platform,
        string dataFolder,
        StorageOptions options,
        NodeTag node,
        DocumentExtensions extensions,
        IReadOnlyList<DatabasePartKind> partKinds,
        IProgress<RecoveryProgress> progress,
        ILogger logger,
        CancellationToken cancellationToken)
    {
        options = options.Resources is null ? options with { Resources = new ProcessResources() } : options;
        SystemStorage system = await Task.Run(
            () =>
            {
                StorageOptions ofSystem = options with
                {
                    RecoveryProgress = (done, total) =>
                        progress.Report(new RecoveryProgress("recovering the server's own storage", done, total)),
                };
                return SystemStorage.Open(platform, dataFolder + "/System", ofSystem);
            },
            cancellationToken).ConfigureAwait(false);
        var catalog = new DatabaseCatalog(platform, dataFolder, options, node, extensions, partKinds, logger, system);
        try
        {
            await catalog.StartAsync(progress).ConfigureAwait(false);
            catalog._backgroundOpening = Task.Run(catalog.OpenWantedAsync, CancellationToken.None);
            return catalog;
        }
        catch
        {
            await catalog.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Finds a database. Every request calls it, so it takes no lock and allocates nothing.</summary>
    /// <param name="name">The name in any casing.</param>
    public DatabaseLookup Find(ReadOnlySpan<char> name) =>
        _directory.Find(name) is { } entry ? entry.Slot.Lookup : new DatabaseLookup(DatabaseLookupStatus.Missing, null, null);

    /// <summary>Does the same as <see cref="Find"/>, but first opens a database that is not open yet.</summary>
    /// <param name="patience">How long to wait; afterwards the result is that of <see cref="Find"/>.</param>
    public async ValueTask<DatabaseLookup> FindOpenAsync(string name, TimeSpan patience, CancellationToken cancellationToken)
    {
        if (_directory.Find(name) is { } entry)
        {
            try
            {
                await entry.Slot.UseAsync().WaitAsync(patience, _options.Time, cancellationToken).ConfigureAwait(false);
            }
            catch (TimeoutException)
            {
                // Requests get the answer that the database is loading, while the opening continues.
            }
        }

        return Find(name);
    }

    /// <summary>The slot in which a database is opened and closed; null when there is none. For tests.</summary>
    internal DatabaseSlot? FindSlot(string name) => _directory.Find(name)?.Slot;

    /// <summary>The record of a database, open or not; null when there is none.</summary>
    public DatabaseRecord? GetRecord(string name) => _directory.Find(name)?.System.Record;

    /// <summary>All records, ordered by name without regard to case.</summary>
    public IReadOnlyList<DatabaseRecord> ListRecords() =>
        [.. _directory.Entries.Select(entry => entry.System.Record).OrderBy(record => record.Name, StringComparer.OrdinalIgnoreCase)];

    /// <summary>The client configuration of one database; Unset when it was never set, null when the database does not exist.</summary>
    public ClientConfiguration? GetClientConfiguration(string name) => _directory.Find(name)?.System.Client;

    /// <summary>Stops all writers and closes all storages. No thread of the catalog runs afterwards.</summary>
    public ValueTask DisposeAsync() => new(_closing.Value);

    private async Task CloseAsync()
    {
        await _gates.CloseAsync().ConfigureAwait(false); // no change begins after the closing
        try
        {
            await _closingBegins.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll(_directory.Entries.Select(entry => entry.Slot.CloseAsync())).ConfigureAwait(false);
            await _backgroundOpening.ConfigureAwait(false); // the databases that it still finds are disabled
        }
        finally
        {
            _system.Dispose();
        }
    }

    private async Task StartAsync(IProgress<RecoveryProgress> progress)
    {
        foreach (SystemRecord record in _system.ReadRecords())
        {
            if (record.IsBeingDeleted)
            {
                TryFinishDeletion(record.Record.Name);
            }
            else
            {
                _directory = _directory.With(new DatabaseDirectory.Entry(record, MakeSlot(record.Record.Name, record.Record.DatabaseId, mustExist: true)));
            }
        }

        WarnOfOrphans();
        UpdateSettings();
        List<DatabaseSlot> toRecover = [];
        foreach (DatabaseDirectory.Entry entry in _directory.Entries.Where(entry => !entry.System.Record.IsDisabled))
        {
            if (StorageEnvironment.WasClosedInOrder(_platform, FolderOf(entry.System.Record.Name)))
            {
                await entry.Slot.WaitForUseAsync().ConfigureAwait(false);
            }
            else
            {
                toRecover.Add(entry.Slot);
            }
        }

        int recovered = 0;
        progress.Report(new RecoveryProgress("recovering databases", 0, toRecover.Count));
        var opening = Task.WhenAll(toRecover.Select(async slot =>
        {
            await slot.OpenAsync().ConfigureAwait(false);
            progress.Report(new RecoveryProgress("recovering databases", Interlocked.Increment(ref recovered), toRecover.Count));
        }));
        await Task.WhenAny(opening, Task.Delay(s_startPatience, _options.Time)).ConfigureAwait(false);
    }

    private string DatabasesFolder => _dataFolder + "/Databases";

    private string FolderOf(string name) => $"{DatabasesFolder}/{name.ToLowerInvariant()}";

    // Files that cannot be deleted must not keep other databases from being served. The record stays, for the next
    // start or a creation of the name.
    private void TryFinishDeletion(string name)
    {
        try
        {
            DeleteFolder(name);
            _system.Remove(name); // no gate: nothing else runs during the start
        }
        catch (IOException failure)
        {
            _logger.LogError("The deletion of database {Database} could not be finished, and is tried again at the next start: {Reason}",
                name, failure.Message.ReplaceLineEndings(" "));
        }
    }

    private void DeleteFolder(string name)
    {
        string folder = FolderOf(name);
        if (_platform.Exists(folder))
        {
            _platform.DeleteDirectory(folder);
        }

        // The sync is needed even if the folder was already gone, because the process that removed it may have failed or been killed before its sync.
        if (_platform.Exists(DatabasesFolder))
        {
            _platform.SyncDirectories([DatabasesFolder]);
        }
    }

    /// <param name="mustExist">False only for a new database: missing files of an existing one must not be replaced by empty ones.</param>
    private DatabaseSlot MakeSlot(string name, string databaseId, bool mustExist)
    {
        DocumentDatabase Open(DatabaseSettings settings, Action<long, long> progress)
        {
            string folder = FolderOf(name);
            if (mustExist && !StorageEnvironment.Exists(_platform, folder))
            {
                throw new CorruptionException($"The files in '{folder}' are missing. Put them back, or restore the folder from a backup, and start " +
                    "the server again; or delete the database and create it again.");
            }

            StorageOptions options = _options with { RecoveryProgress = progress };
            var database = DocumentDatabase.Open(_platform, folder, name, databaseId, settings, options, _logger, _node, _extensions);
            mustExist = true;
            return database;
        }

        return new DatabaseSlot(name, Open, _partKinds, _options.Time, _logger);
    }

    // The folders are not changed: soft deletions leave them, and creating a database with the name uses them again.
    private void WarnOfOrphans()
    {
        var known = _system.ReadRecords().Select(record => record.Record.Name.ToLowerInvariant()).ToHashSet();
        string[] orphans = [.. _platform.ListDirectory(DatabasesFolder).Where(name => !known.Contains(name))];
        if (orphans.Length > 0)
        {
            _logger.LogWarning("{Count} folders in {Folder} belong to no database: {Names}. Creating a database of the same name opens its folder again.",
                orphans.Length, DatabasesFolder, string.Join(", ", orphans.Take(OrphansNamedMax)));
        }
    }

    // The larger of the two etags is used, because the news that a configuration was disabled must reach the clients too.
    private void UpdateSettings()
    {
        foreach (DatabaseDirectory.Entry entry in _directory.Entries)
        {
            DatabaseRecord record = entry.System.Record;
            entry.Slot.Settings.TopologyEtag = record.TopologyEtag;
            if (entry.Slot.Settings.TextsEtag != record.Etag)
            {
                entry.Slot.Settings.TextsEtag = record.Etag;
                entry.Slot.Settings.Texts = RecordSettings.Read(record.Json);
                entry.Slot.Settings.Revisions = RevisionsConfiguration.OfRecord(record.Json);
                entry.Slot.Settings.SetRecord(record.Json);
            }

            entry.Slot.Settings.IdentitySeparator = (entry.System.Client.IsDisabled ? _client : entry.System.Client).IdentitySeparator;
            entry.Slot.Settings.ClientConfigurationEtag = Math.Max(entry.System.Client.Etag, _client.Etag);
        }
    }
}
