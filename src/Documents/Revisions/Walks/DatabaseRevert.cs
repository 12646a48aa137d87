using System.Text;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Revisions.Walks;

/// <summary>Reverts all documents that have revisions to a time, batch by batch, while clients watch.</summary>
/// <remarks>
/// A document that was not written since that time does not change. Otherwise it is reverted to its newest revision of that time, which may be a deletion. A
/// document without a revision of that age did not exist, and is deleted (its revisions stay). But if older revisions may be missing, it is reverted to its
/// oldest revision that is not a deletion, and the result has a warning. A document whose last write was not kept does not change, with a warning, because
/// versions in between may be missing. HiLo documents do not change, because numbers would be given out twice. Each batch is a transaction.
/// </remarks>
/// <param name="database">The database of the documents.</param>
/// <param name="configuration">Says which documents may have lost revisions; null when nothing is configured.</param>
/// <param name="ticks">The time in UTC ticks.</param>
/// <param name="collections">The keys of the collections that are reverted; null for all.</param>
/// <param name="figures">Shows the progress.</param>
internal sealed class DatabaseRevert(
    DocumentDatabase database, RevisionsConfiguration? configuration, long ticks, HashSet<byte[]>? collections, RevisionFigures figures)
{
    /// <summary>The most bytes of the revisions of one batch, which a transaction has several times.</summary>
    public const int BatchBytesMax = 4 << 20;

    private readonly List<RevertCommand> _commands = [];
    private TargetSearch? _search; // the search that the last step has not finished

    /// <summary>The most revisions of one snapshot.</summary>
    public int RevisionsPerStep { get; init; } = RevisionStep.RevisionsMax;

    /// <summary>Runs to the end.</summary>
    /// <param name="ended">Ends it between two batches.</param>
    public async Task RunAsync(CancellationToken ended)
    {
        var documents = new RevisionedDocuments(database) { RevisionsPerStep = RevisionsPerStep };
        figures.Total = documents.Count();
        for (bool isMore = true; isMore;)
        {
            isMore = documents.Next(Look);
            for (int written = 0; written < _commands.Count;)
            {
                ended.ThrowIfCancellationRequested();
                List<RevertCommand> batch = NextBatch(written);
                await documents.WriteAsync(batch, ended).ConfigureAwait(false);
                figures.Add(0, 0, batch.Count(command => command.IsReverted));
                foreach (RevertCommand gone in batch.Where(command => command.IsTargetGone))
                {
                    Warn(gone.Key.Span, "The revision of that time was removed in the meantime, so the document was not changed.");
                }

                written += batch.Count;
            }

            ended.ThrowIfCancellationRequested();
            _commands.Clear();
        }
    }

    private List<RevertCommand> NextBatch(int first)
    {
        int count = 0;
        long bytes = 0;
        do
        {
            bytes += _commands[first + count].TargetBytes;
            count++;
        }
        while (first + count < _commands.Count && bytes + _commands[first + count].TargetBytes <= BatchBytesMax);
        return _commands.GetRange(first, count);
    }

    private bool Look(RevisionStep step, byte[] key)
    {
        if (_search?.Key.AsSpan().SequenceEqual(key) != true)
        {
            _search = Begin(step, key);
        }

        if (_search?.Run(step) == false)
        {
            return false;
        }

        if (_search is not null)
        {
            figures.Add(1, _search.Looked, 0);
            Decide(step, _search);
            _search = null;
        }

        return true;
    }

    // Null when the document does not change.
    private TargetSearch? Begin(RevisionStep step, byte[] key)
    {
        byte[] collection = RevisionedDocuments.CollectionOf(step.Read, step.Revisions, key);
        if (collections?.Contains(collection) == false || collection.AsSpan().SequenceEqual(HiLoDocument.CollectionKey))
        {
            return null;
        }

        if (step.Read.TryGet(key, out StoredDocument stored) && stored.LastModifiedTicks <= ticks)
        {
            figures.Add(1, 0, 0);
            return null;
        }

        return new TargetSearch(key, ticks);
    }

    private void Decide(RevisionStep step, TargetSearch search)
    {
        bool exists = step.Read.TryGet(search.Key, out StoredDocument stored);
        Etag target = search.Found;
        if (target != Etag.None && exists && !step.Revisions.TryGet(stored.Etag, out _))
        {
            Warn(search.Key, "The document was written while no revisions were kept, so it was not changed.");
            return;
        }

        if (target == Etag.None && MayMiss(step, search))
        {
            target = search.OldestText;
            Warn(search.Key, target == Etag.None
                ? "There is no revision of that time, and no other one to revert to, so the document was not changed."
                : "There is no revision of that time, so the document was reverted to its oldest one.");
            if (target == Etag.None)
            {
                return;
            }
        }

        if (target != Etag.None || exists)
        {
            _commands.Add(new RevertCommand(search.Key, target) { TargetBytes = target == Etag.None ? 0 : search.Bytes });
        }
    }

    private void Warn(ReadOnlySpan<byte> key, string warning) => figures.Warn(Encoding.UTF8.GetString(key), warning);

    // Whether there may have been older revisions that are not stored any more, or versions that were never kept.
    private bool MayMiss(RevisionStep step, TargetSearch search)
    {
        byte[] collection = RevisionedDocuments.CollectionOf(step.Read, step.Revisions, search.Key);
        return configuration?.FindEnabled(collection) is not { MinimumAge: null, PurgesOnDelete: false } rules
            || search.Looked >= rules.MinimumCount
            || search.IsOldestForced
            || step.Revisions.Trees.RemovedAt(search.Key) != Etag.None;
    }
}
