using Jackdaw.Server.Documents.Commands;
using Jackdaw.Server.Documents.Identity;
using Jackdaw.Server.Documents.Store;

namespace Jackdaw.Server.Documents.Revisions.Walks;

/// <summary>All documents that have revisions become again what they were at a time, batch by batch, while clients watch.</summary>
/// <remarks>
/// For each document: one that was not written since then stays. Otherwise it becomes what its newest revision of that time says, which may be
/// that it was deleted. A document that has no revision so old did not exist then, and is deleted (its revisions stay); unless its oldest
/// revisions may have been removed by the limit on their number: then it becomes the oldest one. Each batch is a transaction.
/// </remarks>
/// <param name="database">Whose documents.</param>
/// <param name="configuration">Says which documents may have lost revisions; null: none.</param>
/// <param name="ticks">The time. UTC.</param>
/// <param name="collections">Keys of the collections that are reverted; null: all.</param>
/// <param name="figures">Told of the progress.</param>
internal sealed class DatabaseRevert(
    DocumentDatabase database, RevisionsConfiguration? configuration, long ticks, HashSet<byte[]>? collections, RevisionFigures figures)
{
    private readonly List<RevertCommand> _commands = [];

    /// <summary>Runs to the end.</summary>
    /// <param name="check">Throws for an outcome that is a failure.</param>
    /// <param name="ended">Ends it between two batches.</param>
    public async Task RunAsync(Action<WriteOutcome, WriteBatch> check, CancellationToken ended)
    {
        var documents = new RevisionedDocuments(database);
        figures.Total = documents.Count();
        for (bool isMore = true; isMore;)
        {
            ended.ThrowIfCancellationRequested();
            isMore = documents.Next(Look);
            await documents.WriteAsync(_commands, check, ended).ConfigureAwait(false);
            figures.Add(0, 0, _commands.Count(command => command.IsReverted));
            _commands.Clear();
        }
    }

    private void Look(DocumentReadScope read, RevisionReader revisions, byte[] key)
    {
        byte[] collection = RevisionedDocuments.CollectionOf(read, revisions, key);
        if (collections?.Contains(collection) == false)
        {
            return;
        }

        bool exists = read.TryGet(key, out StoredDocument stored);
        if (exists && stored.LastModifiedTicks <= ticks)
        {
            figures.Add(1, 0, 0);
            return;
        }

        Etag target = FindTarget(revisions, key, collection, out int looked);
        figures.Add(1, looked, 0);
        if (target != Etag.None || exists)
        {
            _commands.Add(new RevertCommand(key, target));
        }
    }

    private Etag FindTarget(RevisionReader revisions, byte[] key, byte[] collection, out int looked)
    {
        looked = 0;
        Etag oldest = Etag.None;
        using RevisionCursor cursor = revisions.Open(key, Etag.Maximum);
        while (cursor.MoveNext())
        {
            looked++;
            oldest = cursor.CurrentEtag;
            if (cursor.Current.LastModifiedTicks <= ticks)
            {
                return oldest;
            }
        }

        return configuration?.FindEnabled(collection) is { MinimumCount: { } limit } && looked >= limit ? oldest : Etag.None;
    }
}
