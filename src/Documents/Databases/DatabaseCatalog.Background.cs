using Jackdaw.Documents.Database;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Documents.Databases;

/// <summary>Opens databases after the start without a request, because a part of them has work to do.</summary>
public sealed partial class DatabaseCatalog
{
    /// <summary>The most databases that are opened at the same time: enough to keep a disk busy, and few enough to leave processors and disk to requests for
    /// other databases.</summary>
    internal const int BackgroundOpeningsMax = 4;

    private readonly CancellationTokenSource _closingBegins = new();
    private Task _backgroundOpening = Task.CompletedTask;

    /// <summary>Never throws: a database that cannot be opened is reported in the log and to requests for it.</summary>
    private async Task OpenWantedAsync()
    {
        if (_partKinds.Count == 0)
        {
            return;
        }

        try
        {
            await Parallel.ForEachAsync(
                _directory.Entries,
                new ParallelOptions { MaxDegreeOfParallelism = BackgroundOpeningsMax, CancellationToken = _closingBegins.Token },
                async (entry, _) =>
                {
                    if (entry.Slot.Lookup.Status == DatabaseLookupStatus.Idle && IsWanted(entry.System.Record))
                    {
                        await entry.Slot.UseAsync().ConfigureAwait(false);
                    }
                }).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The server stops.
        }
    }

    private bool IsWanted(DatabaseRecord record)
    {
        var database = new ClosedDatabase(record.Name, record.Json, _platform, FolderOf(record.Name));
        return _partKinds.Any(kind => Asks(kind, database));
    }

    private bool Asks(DatabasePartKind kind, ClosedDatabase database)
    {
        try
        {
            return kind.NeedsOpenDatabase(database);
        }
        catch (Exception failure)
        {
            // The database is opened anyway: a part that has work to do must not wait for a request because of this failure, and the opening reports the cause.
            _logger.LogWarning(failure, "It is not known whether the {Kind} of database {Database} have work to do, so the database is opened",
                    kind.Name, database.Name);
            return true;
        }
    }
}
