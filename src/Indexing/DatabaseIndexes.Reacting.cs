using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Storage;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Indexing;

/// <summary>What follows from events of indexes.</summary>
internal sealed partial class DatabaseIndexes
{
    /// <summary>Rebuilds of one index in <see cref="s_rebuildPeriod"/>: what is damaged again and again has a cause that a rebuild does not
    /// mend, such as a failing disk.</summary>
    private const int RebuildsMax = 3;

    private static readonly TimeSpan s_rebuildPeriod = TimeSpan.FromHours(1);

    // By name; under the gate.
    private readonly Dictionary<string, List<DateTimeOffset>> _rebuilds = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>A replacement takes the place of its index when it has read as much as the documents have.</summary>
    private Task SwapIfReadyAsync(DatabaseIndex replacement) => ReactAsync(replacement, async () =>
    {
        if (replacement.Record.Replaces is { } name && (HasCaughtUp(replacement) || IsAsFarAs(replacement, Find(name))))
        {
            await SwapAsync(replacement).ConfigureAwait(false);
        }
    });

    // While documents are written all the time no index is ever up to date: then it is enough not to be behind the old one.
    private static bool IsAsFarAs(DatabaseIndex replacement, DatabaseIndex? old) =>
        replacement.Builder?.Progress is { } progress && old?.Builder?.Progress is { IsNone: false } reached
        && progress.Passed.Value >= reached.Last.Value;

    private bool HasCaughtUp(DatabaseIndex index)
    {
        using DocumentReadScope read = _host.Database.BeginRead();
        return index.CutoffOf(read) is { } cutoff && index.HasPassed(cutoff);
    }

    /// <summary>A damaged index is built again in another folder.</summary>
    private Task RebuildAsync(DatabaseIndex damaged) => ReactAsync(damaged, async () =>
    {
        _host.Logger.LogWarning("Index {Index} of database {Database} is damaged, and is built again: {Reason}",
            damaged.Name, _host.Database.Name, damaged.Failures.Last?.Message.ReplaceLineEndings(" "));
        if (!MayRebuild(damaged.Name))
        {
            _host.Logger.LogError("Index {Index} of database {Database} was damaged {Times} times in {Period}; it stays as it is until it is reset",
                damaged.Name, _host.Database.Name, RebuildsMax + 1, s_rebuildPeriod);
            await StopAsync(damaged).ConfigureAwait(false);
            return;
        }

        await BuildAgainAsync(damaged).ConfigureAwait(false);
    });

    /// <summary>An index that missed deletions is built again in another folder. However often: it is no fault, and an index that works misses
    /// none.</summary>
    private Task RenewAsync(DatabaseIndex outdated) => ReactAsync(outdated, async () =>
    {
        _host.Logger.LogInformation("Index {Index} of database {Database} is built again: {Reason}",
            outdated.Name, _host.Database.Name, outdated.Failures.Last?.Message.ReplaceLineEndings(" "));
        await BuildAgainAsync(outdated).ConfigureAwait(false);
    });

    // Its users see in its failures why it began anew.
    private Task BuildAgainAsync(DatabaseIndex old) => AddAsync(old.Record, old, reason: old.Failures.Last);

    private Task NoteFailingAsync(DatabaseIndex index) => ReactAsync(index, () => StopAsync(index));

    private async Task StopAsync(DatabaseIndex index)
    {
        IndexRecord record = index.Record with { State = IndexState.Error };
        await WriteAsync([], [record]).ConfigureAwait(false);
        Change(index, record);
        Changed.Raise();
    }

    private bool MayRebuild(string name)
    {
        DateTimeOffset now = _host.Time.GetUtcNow();
        List<DateTimeOffset> times = _rebuilds.TryGetValue(name, out List<DateTimeOffset>? known) ? known : [];
        times.RemoveAll(time => now - time > s_rebuildPeriod);
        times.Add(now);
        _rebuilds[name] = times;
        return times.Count <= RebuildsMax;
    }

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
