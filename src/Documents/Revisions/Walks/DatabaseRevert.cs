using System.Text;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Revisions.Walks;

/// <summary>All documents that have revisions become again what they were at a time, batch by batch, while clients watch.</summary>
/// <remarks>
/// For each document: one that was not written since then stays. Otherwise it becomes what its newest revision of that time says, which may be
/// that it was deleted. A document that has no revision so old did not exist then, and is deleted (its revisions stay); unless older revisions
/// may be missing: then it becomes the oldest one that is no deletion, and the result warns. One whose last write was not kept stays with a
/// warning, because versions between may be missing. HiLo documents stay: numbers would be given out twice. Each batch is a transaction.
/// </remarks>
/// <param name="database">Whose documents.</param>
/// <param name="configuration">Says which documents may have lost revisions; null: nothing is configured.</param>
/// <param name="ticks">The time. UTC.</param>
/// <param name="collections">Keys of the collections that are reverted; null: all.</param>
/// <param name="figures">Told of the progress.</param>
internal sealed class DatabaseRevert(
    DocumentDatabase database, RevisionsConfiguration? configuration, long ticks, HashSet<byte[]>? collections, RevisionFigures figures)
{
    /// <summary>Size of the revisions of one batch: a transaction has them several times.</summary>
    public const int BatchBytesMax = 4 << 20;

    private readonly List<RevertCommand> _commands = [];
    private TargetSearch? _search; // that the step before has not ended

    /// <summary>Revisions of one snapshot.</summary>
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
                    Warn(gone.Key.Span, "The revision of that time was removed meanwhile: it was left as it is.");
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

    // Null: the document stays as it is.
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
            Warn(search.Key, "It was written while its versions were not kept: it was left as it is.");
            return;
        }

        if (target == Etag.None && MayMiss(step, search))
        {
            target = search.OldestText;
            Warn(search.Key, target == Etag.None
                ? "No revision of that time is kept, and no other one that it could become: it was left as it is."
                : "No revision of that time is kept: it became the oldest one that is.");
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

    // Whether there may have been older revisions than those that are kept, or versions that were not.
    private bool MayMiss(RevisionStep step, TargetSearch search)
    {
        byte[] collection = RevisionedDocuments.CollectionOf(step.Read, step.Revisions, search.Key);
        return configuration?.FindEnabled(collection) is not { MinimumAge: null, PurgesOnDelete: false } rules
            || search.Looked >= rules.MinimumCount
            || search.IsOldestForced
            || step.Revisions.Trees.RemovedAt(search.Key) != Etag.None;
    }
}
