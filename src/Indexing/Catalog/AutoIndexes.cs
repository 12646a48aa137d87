using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing.Catalog;

/// <summary>The indexes that queries need: finds the one that answers a query, makes auto indexes, and deletes those that nobody needs. Any
/// thread.</summary>
/// <remarks>
/// 1. An auto index that covers a query answers it. If there is none, a new one is made: it has what the query needs and what the best index
///    of the same collection and groups has.
/// 2. An index that another one covers is deleted when the other one has caught up.
/// 3. An index that no query uses becomes idle after half an hour, and is deleted after three days (<see cref="IndexHost.Settings"/>).
/// No lock of its own: everything that it changes is a change of the catalog.
/// </remarks>
internal sealed class AutoIndexes(IndexHost host, IndexCatalog catalog)
{
    /// <summary>Auto indexes of one database: a program that makes query texts from its data must not fill the disk.</summary>
    private const int IndexesMaxDefault = 200;

    // A replacement does not count as one, nor does it answer: it is there to take the place of its index.
    private IEnumerable<DatabaseIndex> Current => catalog.Current.Where(IsCurrent);

    /// <summary>How many auto indexes the database may have; tests make it smaller.</summary>
    public int IndexesMax { get; set; } = IndexesMaxDefault;

    /// <summary>The index that a query names; if it is idle, it works again.</summary>
    /// <exception cref="IndexException">There is none, its definition cannot be compiled, or it has failed too often.</exception>
    public async ValueTask<DatabaseIndex> FindNamedAsync(string name, CancellationToken cancellationToken)
    {
        DatabaseIndex index = catalog.Require(name);
        if (index.Fault is { } fault)
        {
            throw new IndexException(IndexFault.Unusable, $"Index '{index.Name}' cannot be used until its definition is put again: {fault}");
        }

        if (index.HasFailed)
        {
            throw index.FailedTooOften();
        }

        await catalog.WakeAsync(index, cancellationToken).ConfigureAwait(false);
        return index;
    }

    /// <summary>The auto index that answers a query; it is made if there is none.</summary>
    /// <param name="needed">What the query needs.</param>
    /// <returns>The index, and whether it was made or woken for this query, or is still being built: then it may have to read a lot.</returns>
    /// <exception cref="IndexException">There are too many auto indexes, or queries may make none.</exception>
    public ValueTask<(DatabaseIndex Index, bool IsNew)> FindOrAddAsync(AutoDefinition needed, CancellationToken cancellationToken) =>
        FindCovering(needed) is { Record.State: IndexState.Normal } found
            ? ValueTask.FromResult((found, !found.IsBuilt))
            : new(WakeOrAddAsync(needed, cancellationToken));

    /// <summary>Which index would answer a query, and why not the others. Makes none.</summary>
    public IndexChoice Explain(AutoDefinition needed)
    {
        DatabaseIndex? found = FindCovering(needed);
        string name = found?.Name ?? NameFor(Widen(needed));
        return new IndexChoice(name,
        [
            .. catalog.Current.Where(index => index != found).OrderBy(index => index.Name, StringComparer.Ordinal)
                .Select(index => (index.Name, WhyNot(index, needed, name))),
        ]);
    }

    /// <summary>Makes auto indexes idle, or deletes them, when no query has used them for long. Never throws.</summary>
    public async Task CleanUpAsync()
    {
        DateTime now = host.Time.GetUtcNow().UtcDateTime;
        foreach (DatabaseIndex index in Current)
        {
            TimeSpan unused = now - (index.Counters.LastQuery ?? index.OpenedAt);
            try
            {
                if (unused > host.Settings.AutoDeletedAfter)
                {
                    await catalog.DeleteAsync(index.Name, CancellationToken.None).ConfigureAwait(false);
                }
                else if (unused > host.Settings.AutoIdleAfter && index.Record.State == IndexState.Normal && !IsBeingReplaced(index))
                {
                    await catalog.ChangeAsync([index.Name], record => record with { State = IndexState.Idle }, CancellationToken.None)
                        .ConfigureAwait(false);
                }
            }
            catch (IndexException)
            {
                return; // The database is being closed, or the index was deleted in between.
            }
        }
    }

    /// <summary>Reacts to an event of an index, in the background.</summary>
    public void OnEvent(DatabaseIndex index, IndexEvent happened)
    {
        if (happened is IndexEvent.BatchWritten or IndexEvent.Passed && index.Record.Replaces is null && index.Auto is not null && catalog.Count > 1)
        {
            _ = Task.Run(() => DeleteSupersededAsync(index), CancellationToken.None);
        }
    }

    private static bool IsCurrent(DatabaseIndex index) => index.Auto is not null && index.Record.Replaces is null;

    private async Task<(DatabaseIndex Index, bool IsNew)> WakeOrAddAsync(AutoDefinition needed, CancellationToken cancellationToken)
    {
        if (FindCovering(needed) is { } found)
        {
            await catalog.WakeAsync(found, cancellationToken).ConfigureAwait(false);
            return (found, true);
        }

        if (host.Settings.RefusesAutoIndexes)
        {
            throw new IndexException(IndexFault.NotMade,
                $"No index answers this query, and queries make none here (Indexing.DisableQueryOptimizerGeneratedIndexes); define one like {needed.Name}.");
        }

        using CatalogChange change = await catalog.BeginChangeAsync(cancellationToken).ConfigureAwait(false);
        if (FindCovering(needed) is { } other)
        {
            return (other, !other.IsBuilt); // Another query made it before this one had the gate.
        }

        AutoDefinition wanted = Widen(needed);
        string name = NameFor(wanted);
        if (catalog.Find(name) is { } unfit)
        {
            // Disabled: it answers with what it has. Failed: its errors say why.
            return unfit.Record.State == IndexState.Error ? throw unfit.FailedTooOften() : (unfit, false);
        }

        return (await AddAsync(change, wanted, name).ConfigureAwait(false), true);
    }

    // Different definitions may have the same name, as those of fields that differ in casing only.
    private string NameFor(AutoDefinition wanted) =>
        catalog.Find(wanted.Name) is { } other && other.Auto?.IsSameAs(wanted) != true ? wanted.OtherName : wanted.Name;

    private Task<DatabaseIndex> AddAsync(CatalogChange change, AutoDefinition wanted, string name)
    {
        if (Current.Count() >= IndexesMax)
        {
            throw new IndexException(IndexFault.TooMany,
                $"Queries have made {IndexesMax} indexes in this database, and more are not allowed. Write one index for the fields " +
                "that are asked for, or delete those that are not used.");
        }

        return change.AddAsync(new IndexRecord
        {
            Name = name,
            Folder = "",
            Definition = AutoDefinitionJson.Write(wanted),
            CreatedTicks = host.Time.GetUtcNow().UtcTicks,
        });
    }

    // Idle indexes do not follow the documents, and that would end the work of the replacement too.
    private bool IsBeingReplaced(DatabaseIndex index) => catalog.Find(IndexRecord.ReplacementPrefix + index.Name) is not null;

    // The one that has read furthest, of several the one with the most fields. Each query looks for it.
    private DatabaseIndex? FindCovering(AutoDefinition needed)
    {
        DatabaseIndex? best = null;
        (long Read, int Fields) most = default;
        foreach (DatabaseIndex index in catalog.Current)
        {
            if (!IsCurrent(index) || index.Record.State is not (IndexState.Normal or IndexState.Idle) || !index.Auto!.Covers(needed))
            {
                continue;
            }

            (long Read, int Fields) one = (index.Builder?.Progress.Last.Value ?? 0, index.Auto.Fields.Count);
            if (best is null || one.CompareTo(most) > 0)
            {
                (best, most) = (index, one);
            }
        }

        return best;
    }

    // What a query needs, and what the largest index of the same collection and groups has: the new index will replace that one.
    private AutoDefinition Widen(AutoDefinition needed) => Current
        .Where(index => index.Record.State is IndexState.Normal or IndexState.Idle && index.Auto!.IsAlike(needed))
        .MaxBy(index => index.Auto!.Fields.Count) is { } best ? needed.Merge(best.Auto!) : needed;

    private static string WhyNot(DatabaseIndex index, AutoDefinition needed, string chosen) =>
        index.Auto is not { } auto ? "A user wrote it: only 'from index' asks it."
        : index.Record.Replaces is { } replaced ? $"It will take the place of '{replaced}'."
        : auto.WhyNot(needed) is { } reason ? reason
        : index.Record.State is IndexState.Normal or IndexState.Idle ? $"It would do, but '{chosen}' has read further or has more fields."
        : $"Its state is {index.Record.State}.";

    // With a delay, so that queries that have found the superseded indexes can end.
    private async Task DeleteSupersededAsync(DatabaseIndex index)
    {
        if (index.Auto is not { } auto || !index.HasCaughtUp())
        {
            return;
        }

        List<DatabaseIndex> superseded = [.. Current.Where(other => other != index && auto.Covers(other.Auto!))];
        if (superseded.Count == 0)
        {
            return;
        }

        try
        {
            await Task.Delay(host.Settings.SupersededDeletedAfter, host.Time, host.Closing).ConfigureAwait(false);
            foreach (DatabaseIndex other in superseded.Where(other => ReferenceEquals(catalog.Find(other.Name), other)))
            {
                await catalog.DeleteAsync(other.Name, CancellationToken.None).ConfigureAwait(false);
            }
        }
        catch (Exception failure) when (failure is OperationCanceledException or IndexException)
        {
            // The database is being closed; the next batch of the index tries again.
        }
    }
}
