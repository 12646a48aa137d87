using System.Diagnostics.CodeAnalysis;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Database;
using Jackdaw.Pal;
using Jackdaw.Storage;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Documents.Databases;

/// <summary>Opens one database, opens it again after it stopped, and closes it. Any thread.</summary>
/// <remarks>
/// <code>
///   Idle ------UseAsync---+
///                         v
///   Disabled --OpenAsync--> Loading --> Open --storage stopped--> Loading --> Open ...
///                             |          |                           |
///                             v          | CloseAsync                v (failed, or too often)
///                          Faulted       +--> Disabled            Faulted
///   Open, Idle --CloseForCompactionAsync--> Compacting --> Loading --> Open
/// </code>
/// An opening that failed for a temporary reason (files in use, full disk, too many open files, a reader that has not ended) leads to Idle, so that a later
/// request tries again.
/// </remarks>
[SuppressMessage("Design", "CA1001", Justification = "The gate has no handle, and it is used until the last request that looks for the database.")]
internal sealed partial class DatabaseSlot(
    string name, OpenDatabase open, IReadOnlyList<DatabasePartKind> partKinds, TimeProvider time, ILogger logger)
{
    /// <summary>The time in which requests do not try a failed opening again: under load they would do nothing else.</summary>
    private static readonly TimeSpan s_retryPause = TimeSpan.FromSeconds(1);

    private readonly SemaphoreSlim _gate = new(1); // held while the database is opened or closed
    private readonly ReopenBudget _budget = new(time); // guarded by _gate
    private volatile Position _position = new(new DatabaseLookup(DatabaseLookupStatus.Disabled, null, null));
    private DocumentDatabase? _database; // guarded by _gate
    private volatile DocumentDatabase? _opening; // the database whose parts are being opened
    private long _failedAt; // guarded by _gate; the time of the last failure

    public DatabaseSettings Settings { get; init; } = new();

    /// <summary>Why the last opening failed; null when it did not.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Takes no lock.</summary>
    public DatabaseLookup Lookup
    {
        get => _position.Lookup;
        internal set => _position = new Position(value); // from outside by tests only
    }

    /// <summary>Opens the database unless it is open. It never throws: the lookup gives the failure as its reason.</summary>
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

    /// <summary>Lets the next request open the database, which is closed or is being closed.</summary>
    public async Task WaitForUseAsync()
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        Move(DatabaseLookupStatus.Idle, null, null);
        _gate.Release();
    }

    /// <summary>Opens the database if it is idle; returns when no opening is in progress.</summary>
    public async Task UseAsync()
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            // This is checked under the gate, because the database may have been disabled or deleted in between.
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

    /// <summary>Closes the database. New requests get the answer that it is disabled; running ones end first.</summary>
    /// <param name="reason">The reason that consumers of its changes get.</param>
    /// <exception cref="TimeoutException">A reader did not end. The database is disabled nevertheless; closing or
    /// opening it can be tried again.</exception>
    public async Task CloseAsync(FeedEndReason reason = FeedEndReason.DatabaseClosed)
    {
        _opening?.Parts.Stop(); // a part that takes long to open would otherwise hold the gate
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

    /// <summary>Makes a closed database report why it must not be opened.</summary>
    public async Task RefuseAsync(string reason)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        Move(DatabaseLookupStatus.Faulted, null, reason);
        _gate.Release();
    }

    /// <summary>Closes the object that still holds the files, if there is one, and opens them. It never throws.</summary>
    private async Task OpenAnewAsync()
    {
        try
        {
            await CloseDatabaseAsync().ConfigureAwait(false);
            await Task.Run(OpenWithPartsAsync).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            // A stack trace does not help an operator: the message names files and gives advice. The trace is logged
            // with Log.Level=Debug.
            logger.LogError("Database {Database} could not be opened: {Reason}", name, failure.Message.ReplaceLineEndings(" "));
            logger.LogDebug(failure, "Database {Database} could not be opened", name);
            Failure = failure;
            _failedAt = time.GetTimestamp();
            Move(IsPassing(failure) ? DatabaseLookupStatus.Idle : DatabaseLookupStatus.Faulted, null, failure.Message);
        }
    }

    private async Task OpenWithPartsAsync()
    {
        DocumentDatabase database = Open();
        try
        {
            // The event is subscribed before parts are opened, because one of them may be the first to see a failure of the storage.
            database.Failed += (failed, failure) => _ = Task.Run(() => ReopenAsync(failed, failure));
            _opening = database;
            Move(DatabaseLookupStatus.Loading, null, "its parts are being opened");
            var host = new PartHost(database, database.Environment);
            await database.Parts.OpenAllAsync(partKinds.SelectMany(kind => MakeParts(kind, host))).ConfigureAwait(false);
        }
        catch
        {
            _database = database; // closed here, or before the next opening if that is not possible yet
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

    private DocumentDatabase Open()
    {
        Move(DatabaseLookupStatus.Loading, null, "its files are being opened");
        DocumentDatabase database = open(Settings, (done, total) =>
            Move(DatabaseLookupStatus.Loading, null, $"{done >> 20} of {total >> 20} MB of a journal are read"));
        foreach (string warning in database.Warnings)
        {
            logger.LogWarning("Database {Database}: {Warning}", database.Name, warning);
        }

        database.TrimmingFailed += (_, failure) => logger.LogWarning(
            "Database {Database} could not trim its tombstones, and tries again in a minute: {Reason}", name, failure.Message.ReplaceLineEndings(" "));
        return database;
    }

    /// <summary>Whether the same opening may succeed later without a change of the files.</summary>
    private static bool IsPassing(Exception failure)
    {
        Exception cause = failure is DatabasePartException { InnerException: { } ofPart } ? ofPart : failure;
        return cause is DiskFullException or ResourceShortageException or TimeoutException
            or PalException { Status: PalStatus.Locked or PalStatus.NoSpace or PalStatus.TooManyFiles or PalStatus.NoMemory };
    }

    private async Task ReopenAsync(DocumentDatabase failed, StoragePoisonedException failure)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            if (!ReferenceEquals(Lookup.Database, failed))
            {
                return; // It was closed in between, or is being closed, which a reader may delay.
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
            catch (Exception e) when (e is not TimeoutException) // after a timeout the closing continues; nobody else gets the files before it has ended
            {
                _database = null;
                throw;
            }

            _database = null;
        }
    }

    private void Move(DatabaseLookupStatus status, DocumentDatabase? database, string? reason) =>
        Lookup = new DatabaseLookup(status, database, reason);

    private sealed record Position(DatabaseLookup Lookup);
}

/// <summary>Opens the files of one database.</summary>
/// <param name="progress">Receives the bytes that are done and all bytes of the journal that recovery reads.</param>
internal delegate DocumentDatabase OpenDatabase(DatabaseSettings settings, Action<long, long> progress);
