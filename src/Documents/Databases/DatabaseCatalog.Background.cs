using Jackdaw.Documents.Database;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Documents.Databases;

/// <summary>Databases that are opened after the start without a request, because a part of them has work to
/// do.</summary>
public sealed partial class DatabaseCatalog
{
    /// <summary>Databases opened at once: enough to keep a disk busy, few enough that requests for others find
    /// processors and disk free.</summary>
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
            // Opened anyway: a part that has work to do must not wait for a request because of that, and the opening
            // reports what is wrong.
            _logger.LogWarning(failure, "It is not known whether the {Kind} of database {Database} have work to do, so it is opened", kind.Name, database.Name);
            return true;
        }
    }
}
