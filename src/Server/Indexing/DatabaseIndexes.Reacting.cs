using Jackdaw.Server.Documents.Storage;
using Jackdaw.Server.Indexing.Definitions.Model;
using Jackdaw.Server.Indexing.Records;
using Jackdaw.Storage;

namespace Jackdaw.Server.Indexing;

/// <summary>What follows from events of indexes.</summary>
internal sealed partial class DatabaseIndexes
{
    /// <summary>A replacement takes the place of its index when it has read as much as the documents have.</summary>
    private Task SwapIfReadyAsync(DatabaseIndex replacement) => ReactAsync(replacement, async () =>
    {
        if (replacement.Record.Replaces is null || !HasCaughtUp(replacement))
        {
            return;
        }

        await SwapAsync(replacement).ConfigureAwait(false);
    });

    private bool HasCaughtUp(DatabaseIndex index)
    {
        using StoredReadScope read = _host.Database.BeginScope();
        return index.CutoffOf(read) is { } cutoff && index.HasPassed(cutoff);
    }

    /// <summary>A damaged index is built again in another folder.</summary>
    private Task RebuildAsync(DatabaseIndex damaged) => ReactAsync(damaged, async () =>
    {
        _host.Logger.LogWarning("Index {Index} of database {Database} is damaged, and is built again: {Reason}",
            damaged.Name, _host.Database.Name, damaged.Failures.Last?.Message.ReplaceLineEndings(" "));
        await AddAsync(damaged.Record, damaged).ConfigureAwait(false);
        if (Find(damaged.Name) is { } rebuilt && damaged.Failures.Last is { } reason)
        {
            rebuilt.Failures.Add(reason); // so that its users see why it began anew
        }
    });

    private Task NoteFailingAsync(DatabaseIndex index) => ReactAsync(index, async () =>
    {
        IndexRecord record = index.Record with { State = IndexState.Error };
        await WriteAsync([], [record]).ConfigureAwait(false);
        index.Change(record);
        Changed.Raise();
    });

    // Under the gate, and only while the index is still the one of its name. Never throws.
    private async Task ReactAsync(DatabaseIndex index, Func<Task> react)
    {
        try
        {
            await EnterAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (IndexException)
        {
            return; // The database is being closed.
        }

        try
        {
            if (ReferenceEquals(Find(index.Name), index))
            {
                await react().ConfigureAwait(false);
            }
        }
        catch (Exception failure) when (failure is IndexException or IOException or StoragePoisonedException or ObjectDisposedException)
        {
            _host.Logger.LogWarning("Index {Index} of database {Database}: {Reason}", index.Name, _host.Database.Name, failure.Message.ReplaceLineEndings(" "));
        }
        finally
        {
            _gate.Release();
        }
    }
}
