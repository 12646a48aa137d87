using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Storage;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Indexing.Catalog;

/// <summary>What follows from events of indexes: a replacement that has caught up takes the place of its index, a damaged or outdated index is
/// built again, and an index that failed too often stops. Any thread.</summary>
/// <remarks>No lock of its own: each reaction is a change of the catalog, and <see cref="_rebuilds"/> is used only by these.</remarks>
internal sealed class IndexReactions(IndexHost host, IndexCatalog catalog)
{
    /// <summary>Rebuilds of one index in <see cref="s_rebuildPeriod"/>: damage that returns has a cause that a rebuild does not remove, such as
    /// a failing disk.</summary>
    private const int RebuildsMax = 3;

    private static readonly TimeSpan s_rebuildPeriod = TimeSpan.FromHours(1);

    private readonly Dictionary<string, List<DateTimeOffset>> _rebuilds = new(StringComparer.OrdinalIgnoreCase); // times by name; under the gate

    /// <summary>Reacts to an event of an index, in the background: threads of the indexes must not wait for a reaction.</summary>
    public void OnEvent(DatabaseIndex index, IndexEvent happened)
    {
        switch (happened)
        {
            case IndexEvent.BatchWritten or IndexEvent.Passed when index.Record.Replaces is not null:
                _ = Task.Run(() => SwapIfReadyAsync(index), CancellationToken.None);
                break;
            case IndexEvent.Damaged:
                _ = Task.Run(() => RebuildAsync(index), CancellationToken.None);
                break;
            case IndexEvent.Outdated:
                _ = Task.Run(() => RenewAsync(index), CancellationToken.None);
                break;
            case IndexEvent.Outgrown:
                _ = Task.Run(() => ReplaceAsync(index), CancellationToken.None);
                break;
            case IndexEvent.Stopped:
                host.Logger.LogWarning("Index {Index} of database {Database} stopped, because too many documents could not be mapped; its errors say why",
                    index.Name, host.Database.Name);
                _ = Task.Run(() => ReactAsync(index, change => StopAsync(change, index)), CancellationToken.None);
                break;
            case IndexEvent.Failed:
                host.Logger.LogWarning("Index {Index} of database {Database} failed, and tries again: {Reason}",
                    index.Name, host.Database.Name, LastFailure(index));
                break;
        }
    }

    private Task SwapIfReadyAsync(DatabaseIndex replacement) => ReactAsync(replacement, async change =>
    {
        // Nobody asked for other entries by moving an index: what has failed too often does not take the place of what works.
        bool isUseless = replacement.Record.IsMove && replacement.HasFailed;
        if (!isUseless && replacement.Record.Replaces is { } name && (replacement.HasCaughtUp() || IsAsFarAs(replacement, catalog.Find(name))))
        {
            await change.SwapAsync(replacement).ConfigureAwait(false);
        }
    });

    // While documents are written all the time, no index is ever up to date. Then it is enough that the replacement is as far as the old index, or that it has
    // read everything once where the old one does not even have its files open.
    private static bool IsAsFarAs(DatabaseIndex replacement, DatabaseIndex? old) => old?.Builder is { } oldFiles
        ? replacement.Builder?.Progress is { } progress && oldFiles.Progress is { IsNone: false } reached && progress.Passed.Value >= reached.Last.Value
        : replacement.HasReachedEnd && old is not null && (old.Fault is not null || old.Record.State != IndexState.Normal);

    private Task RebuildAsync(DatabaseIndex damaged) => ReactAsync(damaged, async change =>
    {
        host.Logger.LogWarning("Index {Index} of database {Database} is damaged, and is built again: {Reason}",
            damaged.Name, host.Database.Name, LastFailure(damaged));
        if (MayRebuild(damaged.Name))
        {
            await BuildAgainAsync(change, damaged).ConfigureAwait(false);
            return;
        }

        host.Logger.LogError("Index {Index} of database {Database} was damaged {Times} times in {Period}; it stays as it is until it is reset",
            damaged.Name, host.Database.Name, RebuildsMax + 1, s_rebuildPeriod);
        await StopAsync(change, damaged).ConfigureAwait(false);
    });

    // An index that missed deletions is built again without a limit: this is not a defect, and an index that works misses no deletions.
    private Task RenewAsync(DatabaseIndex outdated) => ReactAsync(outdated, async change =>
    {
        host.Logger.LogInformation("Index {Index} of database {Database} is built again: {Reason}",
            outdated.Name, host.Database.Name, LastFailure(outdated));
        await BuildAgainAsync(change, outdated).ConfigureAwait(false);
    });

    // The old entries answer until the new ones have caught up. An auto index has no replacement: queries would take it for another index.
    private Task ReplaceAsync(DatabaseIndex outgrown) => ReactAsync(outgrown, async change =>
    {
        string replacement = IndexRecord.ReplacementPrefix + outgrown.Name;
        if (outgrown.Record.Replaces is not null || catalog.Find(replacement) is not null)
        {
            return;
        }

        host.Logger.LogInformation("Index {Index} of database {Database} is built again, because its entries follow older rules or older code of analyzers",
            outgrown.Name, host.Database.Name);
        await (outgrown.Auto is not null ? change.AddAsync(outgrown.Record, outgrown) : change.AddAsync(outgrown.Record with { Name = replacement }))
            .ConfigureAwait(false);
    });

    // The new index begins with the failure that was the reason, so that users can see it.
    private static Task<DatabaseIndex> BuildAgainAsync(CatalogChange change, DatabaseIndex old) =>
        change.AddAsync(old.Record, old, reason: old.Failures.Last);

    private static Task StopAsync(CatalogChange change, DatabaseIndex index) =>
        change.UpdateAsync([index], record => record with { State = IndexState.Error });

    private bool MayRebuild(string name)
    {
        DateTimeOffset now = host.Time.GetUtcNow();
        List<DateTimeOffset> times = _rebuilds.TryGetValue(name, out List<DateTimeOffset>? known) ? known : [];
        times.RemoveAll(time => now - time > s_rebuildPeriod);
        times.Add(now);
        _rebuilds[name] = times;
        return times.Count <= RebuildsMax;
    }

    private static string? LastFailure(DatabaseIndex index) => index.Failures.Last?.Message.ReplaceLineEndings(" ");

    // Only while the index still has its name. Never throws.
    private async Task ReactAsync(DatabaseIndex index, Func<CatalogChange, Task> react)
    {
        CatalogChange change;
        try
        {
            change = await catalog.BeginChangeAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (IndexException)
        {
            return; // The database is being closed.
        }

        using (change)
        {
            try
            {
                if (ReferenceEquals(catalog.Find(index.Name), index))
                {
                    await react(change).ConfigureAwait(false);
                }
            }
            catch (Exception failure) when (failure is IndexException or IOException or StoragePoisonedException or ObjectDisposedException)
            {
                host.Logger.LogWarning("Index {Index} of database {Database}: {Reason}",
                    index.Name, host.Database.Name, failure.Message.ReplaceLineEndings(" "));
            }
        }
    }
}
