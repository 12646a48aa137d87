using System.Diagnostics.CodeAnalysis;
using Jackdaw.Pal;
using Jackdaw.Server.Documents.Changes;
using Jackdaw.Server.Documents.Store;
using Jackdaw.Storage;

namespace Jackdaw.Server.Documents.Databases;

/// <summary>The place of one database: opens it, opens it again when it stopped, closes it. Any thread.</summary>
/// <remarks>
/// <code>
///   Idle ------UseAsync---+
///                         v
///   Disabled --OpenAsync--> Loading --> Open --storage stopped--> Loading --> Open ...
///                             |          |                           |
///                             v          | CloseAsync                v (failed, or too often)
///                          Faulted       +--> Disabled            Faulted
/// </code>
/// An opening that failed for lack of what comes back (its files are in use, no room, no open files, a reader of before that does not end) leads to
/// Idle: a later request tries again.
/// </remarks>
[SuppressMessage("Design", "CA1001", Justification = "The gate has no handle, and it is used until the last request that looks for the database.")]
internal sealed class DatabaseSlot(
    string name, OpenStoredDatabase open, IReadOnlyList<DatabasePartKind> partKinds, TimeProvider time, ILogger logger)
{
    /// <summary>Time in which an opening that failed is not tried again by requests: a crowd of them would do nothing else.</summary>
    private static readonly TimeSpan s_retryPause = TimeSpan.FromSeconds(1);

    private readonly SemaphoreSlim _gate = new(1); // held by whoever opens or closes
    private readonly ReopenBudget _budget = new(time); // guarded by _gate
    private volatile Position _position = new(new DatabaseLookup(DatabaseLookupStatus.Disabled, null, null));
    private StoredDatabase? _database; // guarded by _gate
    private volatile StoredDatabase? _opening; // whose parts are being opened
    private long _failedAt; // guarded by _gate; of the last failure

    public DatabaseSettings Settings { get; } = new();

    /// <summary>Why the last opening failed; null when it did not.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Takes no lock.</summary>
    public DatabaseLookup Lookup => _position.Lookup;

    /// <summary>Opens the database unless it is open. Never throws: what failed is the lookup's reason.</summary>
    public async Task OpenAsync()
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            if (Lookup.Status != DatabaseLookupStatus.Open)
            {
                await OpenAnewAsync().ConfigureAwait(false);
            }
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Lets the next request open the database that is closed, or begins to close.</summary>
    public async Task WaitForUseAsync()
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        Move(DatabaseLookupStatus.Idle, null, null);
        _gate.Release();
    }

    /// <summary>Opens the database if it waits for a use; returns when nobody is opening it any more.</summary>
    public async Task UseAsync()
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            // Looked at under the gate: it may have been switched off or deleted meanwhile.
            bool isJustTried = Failure is not null && time.GetElapsedTime(_failedAt) < s_retryPause;
            if (Lookup.Status == DatabaseLookupStatus.Idle && !isJustTried)
            {
                await OpenAnewAsync().ConfigureAwait(false);
            }
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Closes the database: new requests are told that it is disabled, running ones end first.</summary>
    /// <param name="reason">What those who follow its changes are told.</param>
    /// <exception cref="TimeoutException">A reader did not end. It is disabled nevertheless, and can be closed or opened once more.</exception>
    public async Task CloseAsync(FeedEndReason reason = FeedEndReason.DatabaseClosed)
    {
        _opening?.Parts.Stop(); // a part that takes long to open would hold the gate
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            Move(DatabaseLookupStatus.Disabled, null, null);
            await CloseDatabaseAsync(reason).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Tells everybody why a database that was closed is not to be opened.</summary>
    public async Task RefuseAsync(string reason)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        Move(DatabaseLookupStatus.Faulted, null, reason);
        _gate.Release();
    }

    /// <summary>Closes what has the files still, and opens them. Never throws.</summary>
    private async Task OpenAnewAsync()
    {
        try
        {
            await CloseDatabaseAsync().ConfigureAwait(false);
            await Task.Run(OpenWithPartsAsync).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            // The stack says nothing to an operator: files and advice are in the message. It is there for Log.Level=Debug.
            logger.LogError("Database {Database} could not be opened: {Reason}", name, failure.Message.ReplaceLineEndings(" "));
            logger.LogDebug(failure, "Database {Database} could not be opened", name);
            Failure = failure;
            _failedAt = time.GetTimestamp();
            Move(IsPassing(failure) ? DatabaseLookupStatus.Idle : DatabaseLookupStatus.Faulted, null, failure.Message);
        }
    }

    private async Task OpenWithPartsAsync()
    {
        StoredDatabase database = Open();
        try
        {
            // From here on: a part may be the first that meets a failure of the storage.
            database.Failed += (failed, failure) => _ = Task.Run(() => ReopenAsync(failed, failure));
            _opening = database;
            Move(DatabaseLookupStatus.Loading, null, "its parts are being opened");
            var host = new PartHost(database, database.Environment);
            await database.Parts.OpenAllAsync(partKinds.SelectMany(kind => MakeParts(kind, host))).ConfigureAwait(false);
        }
        catch
        {
            _database = database; // closed here, or before the next opening when it cannot be closed yet
            await CloseDatabaseAsync().ConfigureAwait(false);
            throw;
        }
        finally
        {
            _opening = null;
        }

        _database = database;
        Failure = null;
        Move(DatabaseLookupStatus.Open, database, null);
    }

    private List<DatabasePart> MakeParts(DatabasePartKind kind, PartHost host)
    {
        try
        {
            return [.. kind.MakeParts(host)];
        }
        catch (Exception failure)
        {
            throw new DatabasePartException(kind.Name, name, failure);
        }
    }

    private StoredDatabase Open()
    {
        Move(DatabaseLookupStatus.Loading, null, "its files are being opened");
        StoredDatabase database = open(Settings, (done, total) =>
            Move(DatabaseLookupStatus.Loading, null, $"{done >> 20} of {total >> 20} MB of a journal are read"));
        foreach (string warning in database.Warnings)
        {
            logger.LogWarning("Database {Database}: {Warning}", database.Name, warning);
        }

        database.TrimmingFailed += (_, failure) => logger.LogWarning(
            "Database {Database} could not trim its tombstones, and tries again in a minute: {Reason}", name, failure.Message.ReplaceLineEndings(" "));
        return database;
    }

    /// <summary>Whether the same opening may succeed later, with nobody changing the files.</summary>
    private static bool IsPassing(Exception failure)
    {
        Exception cause = failure is DatabasePartException { InnerException: { } ofPart } ? ofPart : failure;
        return cause is DiskFullException or ResourceShortageException or TimeoutException
            or PalException { Status: PalStatus.Locked or PalStatus.NoSpace or PalStatus.TooManyFiles or PalStatus.NoMemory };
    }

    private async Task ReopenAsync(StoredDatabase failed, StoragePoisonedException failure)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            if (!ReferenceEquals(Lookup.Database, failed))
            {
                return; // It was closed meanwhile, or is being closed: a reader may hold that up.
            }

            logger.LogError(failure, "Database {Database} stopped", failed.Name);
            bool isWorthIt = _budget.TryTake();
            Move(isWorthIt ? DatabaseLookupStatus.Loading : DatabaseLookupStatus.Faulted, null, isWorthIt
                ? "it stopped after a failure and is being recovered"
                : $"{failure.Message} It was reopened {ReopenBudget.ReopensMax} times in {ReopenBudget.Window.TotalMinutes} " +
                    "minutes and stays closed: look at the disk, then disable and enable the database.");
            await (isWorthIt ? OpenAnewAsync() : CloseDatabaseAsync()).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            logger.LogError(e, "Database {Database} could not be closed after it stopped", failed.Name);
        }
        finally
        {
            _gate.Release();
        }
    }

    private async Task CloseDatabaseAsync(FeedEndReason reason = FeedEndReason.DatabaseClosed)
    {
        if (_database is { } database)
        {
            try
            {
                await database.CloseAsync(reason).ConfigureAwait(false);
                if (database.ClosingFailure is { } failure)
                {
                    logger.LogWarning("Database {Database} was closed without its last flush; nothing is lost, the next opening recovers it: {Reason}",
                        name, failure.Message.ReplaceLineEndings(" "));
                }
            }
            catch (Exception e) when (e is not TimeoutException) // after one, the closing goes on, and is waited for before anybody else gets the files
            {
                _database = null;
                throw;
            }

            _database = null;
        }
    }

    private void Move(DatabaseLookupStatus status, StoredDatabase? database, string? reason) =>
        _position = new Position(new DatabaseLookup(status, database, reason));

    private sealed record Position(DatabaseLookup Lookup);
}

/// <summary>Opens the files of one database.</summary>
/// <param name="progress">Gets bytes done and bytes in all of the journal that recovery reads.</param>
internal delegate StoredDatabase OpenStoredDatabase(DatabaseSettings settings, Action<long, long> progress);
