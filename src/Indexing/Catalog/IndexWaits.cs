using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;

namespace Jackdaw.Indexing.Catalog;

/// <summary>Waits until indexes have read what was written. Indexes signal their progress, so nothing is polled. Any thread; no state and no
/// lock.</summary>
internal sealed class IndexWaits(IndexHost host, IndexCatalog catalog)
{
    /// <summary>Waits until indexes have read what was written between two etags: the named indexes, or all indexes that read what was
    /// written to. An index that does not work, or is a replacement that is not in use yet, is not waited for.</summary>
    /// <param name="before">The last write before those that are waited for.</param>
    /// <param name="last">The last write that is waited for.</param>
    /// <param name="names">Empty: all indexes that are concerned.</param>
    /// <param name="timeout">The time for all indexes together.</param>
    /// <returns>Names of indexes that have not read everything. Named indexes that do not work are among them.</returns>
    public async Task<IReadOnlyList<string>> WaitForWritesAsync(
        Etag before, Etag last, IReadOnlyList<string> names, TimeSpan timeout, CancellationToken cancellationToken)
    {
        long began = host.Time.GetTimestamp();
        List<string> behind = [];
        foreach (DatabaseIndex index in catalog.Current.Where(index => IsWanted(index, names)))
        {
            DatabaseIndex current = index;
            bool isPassed;
            while (true)
            {
                isPassed = await WaitForWritesAsync(current).ConfigureAwait(false);

                // The index may have been reset, rebuilt or replaced: then another one has its name.
                if (isPassed || Left() <= TimeSpan.Zero || catalog.Find(current.Name) is not { } next || ReferenceEquals(next, current))
                {
                    break;
                }

                current = next;
            }

            if (!isPassed && (names.Count > 0 || IsWorking(current)))
            {
                behind.Add(current.Name);
            }
        }

        return behind;

        TimeSpan Left() => timeout - host.Time.GetElapsedTime(began);

        async ValueTask<bool> WaitForWritesAsync(DatabaseIndex index) => IsWorking(index)
            && await index.WaitForOpenAsync(Left(), cancellationToken).ConfigureAwait(false)
            && (CutoffOf(index, before, last, isNamed: names.Count > 0) is not { } cutoff
                || await index.WaitAsync(cutoff, Left(), cancellationToken).ConfigureAwait(false));
    }

    private static bool IsWorking(DatabaseIndex index) => index.IsActive && index.Record.State == IndexState.Normal;

    private static bool IsWanted(DatabaseIndex index, IReadOnlyList<string> names) => names.Count == 0
        ? index.Record.Replaces is null
        : names.Contains(index.Name, StringComparer.OrdinalIgnoreCase);

    // Null: none of its sources was written to.
    private IndexCutoff? CutoffOf(DatabaseIndex index, Etag before, Etag last, bool isNamed)
    {
        using DocumentReadScope read = host.Database.BeginRead();
        bool isConcerned = isNamed || index.Builder is not { } builder
            || builder.Sources.Mapped.Concat(builder.Sources.Loaded).Any(source => source.LastEtag(read).Value > before.Value);
        return isConcerned ? index.CutoffOf(read)?.AtMost(last) : null;
    }
}
