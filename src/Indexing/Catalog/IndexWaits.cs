using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;

namespace Jackdaw.Indexing.Catalog;

/// <summary>Waits until indexes have read what was written. Indexes signal their progress, so nothing is polled. Any thread; no state and no
/// lock.</summary>
internal sealed class IndexWaits(IndexHost host, IndexCatalog catalog)
{
    /// <summary>Waits until indexes have read what was written between two etags: the named indexes, or all indexes that read what was
    /// written to. A disabled index and a replacement that is not in use yet are not waited for.</summary>
    /// <param name="before">The last write before those that are waited for.</param>
    /// <param name="last">The last write that is waited for.</param>
    /// <param name="names">Empty: all indexes that are concerned.</param>
    /// <param name="timeout">The time for all indexes together.</param>
    /// <returns>Names of indexes that have not read everything. Paused ones are among them, and named ones that are disabled.</returns>
    public async Task<IReadOnlyList<string>> WaitForWritesAsync(
        Etag before, Etag last, IReadOnlyList<string> names, TimeSpan timeout, CancellationToken cancellationToken)
    {
        var wait = new Wait(before, last, IsNamed: names.Count > 0, host.Time.GetTimestamp(), timeout);
        List<string> behind = [];
        foreach (DatabaseIndex index in catalog.Current.Where(index => IsWanted(index, names)))
        {
            if (await FindBehindAsync(index, wait, cancellationToken).ConfigureAwait(false) is { } name)
            {
                behind.Add(name);
            }
        }

        return behind;
    }

    // The name of an index that has not read everything in time; null if it has, or if it is not waited for.
    private async ValueTask<string?> FindBehindAsync(DatabaseIndex index, Wait wait, CancellationToken cancellationToken)
    {
        while (!await WaitAsync(index, wait, cancellationToken).ConfigureAwait(false))
        {
            // The index may have been reset, rebuilt or replaced: then another one has its name.
            if (LeftOf(wait) <= TimeSpan.Zero || catalog.Find(index.Name) is not { } next || ReferenceEquals(next, index))
            {
                return wait.IsNamed || IsWaitedFor(index) ? index.Name : null;
            }

            index = next;
        }

        return null;
    }

    private async ValueTask<bool> WaitAsync(DatabaseIndex index, Wait wait, CancellationToken cancellationToken) => IsWaitedFor(index)
        && await index.WaitForOpenAsync(LeftOf(wait), cancellationToken).ConfigureAwait(false)
        && (CutoffOf(index, wait) is not { } cutoff || await index.WaitAsync(cutoff, LeftOf(wait), cancellationToken).ConfigureAwait(false));

    private TimeSpan LeftOf(Wait wait) => wait.Timeout - host.Time.GetElapsedTime(wait.Began);

    // A paused index too, although it reads nothing: a sender that waits for indexes must not believe that it has read what was written.
    private static bool IsWaitedFor(DatabaseIndex index) => index.MayFollow && index.Record.State == IndexState.Normal;

    private static bool IsWanted(DatabaseIndex index, IReadOnlyList<string> names) => names.Count == 0
        ? index.Record.Replaces is null
        : names.Contains(index.Name, StringComparer.OrdinalIgnoreCase);

    // Null: none of its sources was written to. An index of all documents is always waited for.
    private IndexCutoff? CutoffOf(DatabaseIndex index, Wait wait)
    {
        using DocumentReadScope read = host.Database.BeginRead();
        bool isConcerned = wait.IsNamed || index.Builder is not { } builder || builder.Sources.MapAllDocuments
            || builder.Sources.Mapped.Concat(builder.Sources.Loaded).Any(source => source.LastEtag(read).Value > wait.Before.Value);
        return isConcerned ? index.CutoffOf(read)?.AtMost(wait.Last) : null;
    }

    /// <summary>What is waited for, and how long.</summary>
    /// <param name="Began">When the wait began, as a timestamp.</param>
    private readonly record struct Wait(Etag Before, Etag Last, bool IsNamed, long Began, TimeSpan Timeout);
}
