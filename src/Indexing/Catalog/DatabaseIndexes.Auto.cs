using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing.Catalog;

/// <summary>Indexes that queries make.</summary>
/// <remarks>An index that covers a query answers it. Otherwise a new one is made that holds what the query needs and what the best index
/// of the same collection and groups holds; that one goes when the new one has caught up. An index that nobody asks rests after half an hour,
/// and goes after three days.</remarks>
internal sealed partial class DatabaseIndexes
{
    /// <summary>Auto indexes of one database: a program that makes query texts from its data must not fill the disk.</summary>
    private const int AutoIndexesDefault = 200;

    /// <summary>Indexes that queries may make.</summary>
    public int AutoIndexesMax { get; set; } = AutoIndexesDefault;

    /// <summary>The index that answers a query; made if there is none.</summary>
    /// <param name="needed">What the query needs.</param>
    /// <returns>The index, and whether it was made or woken just now: what it holds may be far from what it has to hold.</returns>
    /// <exception cref="IndexException">There are too many.</exception>
    public ValueTask<(DatabaseIndex Index, bool IsNew)> FindOrAddAutoAsync(AutoDefinition needed, CancellationToken cancellationToken) =>
        FindAuto(needed) is { Record.State: IndexState.Normal } found
            ? ValueTask.FromResult((found, false))
            : new(WakeOrAddAutoAsync(needed, cancellationToken));

    private async Task<(DatabaseIndex Index, bool IsNew)> WakeOrAddAutoAsync(AutoDefinition needed, CancellationToken cancellationToken)
    {
        if (FindAuto(needed) is { } found)
        {
            await WakeAsync(found, cancellationToken).ConfigureAwait(false);
            return (found, true);
        }

        if (_host.Settings.RefusesAutoIndexes)
        {
            throw new IndexException(IndexFault.Missing,
                $"No index answers this query, and queries make none here (Indexing.DisableQueryOptimizerGeneratedIndexes); define one like {needed.Name}.");
        }

        await EnterAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (FindAuto(needed) is { } meanwhile)
            {
                return (meanwhile, false);
            }

            AutoDefinition wanted = FindToExtend(needed) is { } best ? needed.Merge(best.Auto!) : needed;
            if (Find(wanted.Name) is { } resting)
            {
                // Disabled: it answers with what it has. Failed: its errors say why.
                return resting.Record.State == IndexState.Error ? throw Failed(resting) : (resting, false);
            }

            if (_indexes.Values.Count(index => index.Auto is not null) >= AutoIndexesMax)
            {
                throw new IndexException(IndexFault.TooMany,
                    $"Queries have made {AutoIndexesMax} indexes in this database, and more are not allowed. Write one index for the fields " +
                    "that are asked for, or delete those that are not used.");
            }

            await AddAsync(
                new IndexRecord
                {
                    Name = wanted.Name,
                    Folder = "",
                    Definition = AutoDefinitionJson.Write(wanted),
                    CreatedTicks = _host.Time.GetUtcNow().UtcTicks,
                },
                removed: null).ConfigureAwait(false);
            return (Find(wanted.Name)!, true);
        }
        finally
        {
            _gate.Release();
        }
    }

    private DatabaseIndex? FindAuto(AutoDefinition needed) => _indexes.Values
        .Where(index => index.Record.State is IndexState.Normal or IndexState.Idle && index.Auto is { } auto && auto.Covers(needed))
        .OrderByDescending(index => index.Builder?.Progress.Last.Value ?? 0)
        .ThenByDescending(index => index.Auto!.Fields.Count)
        .FirstOrDefault();

    /// <summary>Which index a query would ask, without making one.</summary>
    public IndexChoice Explain(AutoDefinition needed)
    {
        DatabaseIndex? found = FindAuto(needed);
        string name = found?.Name ?? (FindToExtend(needed) is { } best ? needed.Merge(best.Auto!) : needed).Name;
        return new IndexChoice(name,
        [
            .. _indexes.Values.Where(index => index != found).OrderBy(index => index.Name, StringComparer.Ordinal)
                .Select(index => (index.Name, WhyNot(index, needed, name))),
        ]);
    }

    private static string WhyNot(DatabaseIndex index, AutoDefinition needed, string chosen) =>
        index.Auto is not { } auto ? "A user wrote it: only 'from index' asks it."
        : auto.WhyNot(needed) is { } reason ? reason
        : index.Record.State is IndexState.Normal or IndexState.Idle ? $"It would do, but '{chosen}' has read further or has more fields."
        : $"Its state is {index.Record.State}.";

    private DatabaseIndex? FindToExtend(AutoDefinition needed) => _indexes.Values
        .Where(index => index.Record.State is IndexState.Normal or IndexState.Idle && index.Auto is { } auto && auto.IsAlike(needed))
        .MaxBy(index => index.Auto!.Fields.Count);

    private async Task WakeAsync(DatabaseIndex index, CancellationToken cancellationToken)
    {
        if (index.Record.State == IndexState.Idle)
        {
            await ChangeAsync([index.Name], record => record with { State = IndexState.Normal }, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>After an auto index has caught up: those that it covers go, a little later, when queries that found them are done.</summary>
    private async Task DropSupersededAsync(DatabaseIndex index)
    {
        if (index.Auto is not { } auto || !HasCaughtUp(index))
        {
            return;
        }

        List<DatabaseIndex> superseded = [.. _indexes.Values.Where(other => other != index && other.Auto is { } old && auto.Covers(old))];
        if (superseded.Count == 0)
        {
            return;
        }

        try
        {
            await Task.Delay(_host.Settings.SupersededStaysFor, _host.Time, _stop).ConfigureAwait(false);
            foreach (DatabaseIndex other in superseded.Where(other => ReferenceEquals(Find(other.Name), other)))
            {
                await DeleteAsync(other.Name, CancellationToken.None).ConfigureAwait(false);
            }
        }
        catch (Exception failure) when (failure is OperationCanceledException or IndexException)
        {
            // The database is being closed; the next batch of the index looks again.
        }
    }

    // Once a minute.
    private async Task RestUnaskedAsync()
    {
        DateTime now = _host.Time.GetUtcNow().UtcDateTime;
        foreach (DatabaseIndex index in _indexes.Values.Where(index => index.Auto is not null))
        {
            TimeSpan unasked = now - (index.Counters.LastQuery ?? index.OpenedAt);
            try
            {
                if (unasked > _host.Settings.AutoDeletedAfter)
                {
                    await DeleteAsync(index.Name, CancellationToken.None).ConfigureAwait(false);
                }
                else if (unasked > _host.Settings.AutoRestsAfter && index.Record.State == IndexState.Normal)
                {
                    await ChangeAsync([index.Name], record => record with { State = IndexState.Idle }, CancellationToken.None).ConfigureAwait(false);
                }
            }
            catch (IndexException)
            {
                return; // The database is being closed, or the index went meanwhile.
            }
        }
    }
}
