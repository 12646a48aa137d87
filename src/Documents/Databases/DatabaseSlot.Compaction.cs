using Microsoft.Extensions.Logging;

namespace Jackdaw.Documents.Databases;

/// <summary>Compacts the files of one database between two openings.</summary>
internal sealed partial class DatabaseSlot
{
    /// <summary>Closes the database, lets its files be compacted, and opens it again, also when the compaction fails.</summary>
    /// <param name="compaction">Says how far it is, for requests that come while the database is closed.</param>
    /// <param name="run">Compacts the closed files; called with what it calls when there is progress.</param>
    /// <exception cref="InvalidOperationException">The database is disabled or cannot be opened.</exception>
    /// <exception cref="TimeoutException">A reader did not end; nothing was compacted.</exception>
    public async Task CloseForCompactionAsync(DatabaseCompaction compaction, Action<Action> run)
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            if (Lookup.Status is not (DatabaseLookupStatus.Open or DatabaseLookupStatus.Idle))
            {
                throw new InvalidOperationException($"Database '{name}' is {Lookup.Status}, so it cannot be compacted; it must be open.");
            }

            await CompactClosedAsync(compaction, run).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    private async Task CompactClosedAsync(DatabaseCompaction compaction, Action<Action> run)
    {
        void Tell() => Move(DatabaseLookupStatus.Compacting, null, compaction.Phrase);
        Tell();
        try
        {
            await CloseDatabaseAsync().ConfigureAwait(false);
            await Task.Run(() => run(Tell)).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            logger.LogWarning("Database {Database} was not compacted, and is opened as it was: {Reason}", name, failure.Message.ReplaceLineEndings(" "));
            throw;
        }
        finally
        {
            await OpenAnewAsync().ConfigureAwait(false);
        }
    }
}
