using Jackdaw.Server.Documents.Commands;
using Jackdaw.Server.Documents.Identity;
using Jackdaw.Server.Documents.Operations;
using Jackdaw.Server.Documents.Store;

namespace Jackdaw.Server.Documents.Revisions.Walks;

/// <summary>Removes all revisions that the configuration does not keep, batch by batch, while clients watch.</summary>
/// <remarks>What exceeds the limits is removed, as a write of its document would do; of collections without a configuration everything; of
/// disabled ones nothing. Revisions that were forced stay, unless they are included.</remarks>
/// <param name="database">Whose revisions.</param>
/// <param name="configuration">Of the database; null: none.</param>
/// <param name="figures">Told of the progress.</param>
/// <param name="time">Clock of the ages.</param>
internal sealed class RevisionEnforcement(
    DocumentDatabase database, RevisionsConfiguration? configuration, RevisionFigures figures, TimeProvider time)
{
    private readonly List<DeleteRevisionsCommand> _commands = [];

    /// <summary>Keys of the collections that are looked at; null: all.</summary>
    public HashSet<byte[]>? Collections { get; init; }

    public bool IncludesForced { get; init; }

    /// <summary>Documents that are looked at in a second at most; null: as fast as it goes.</summary>
    public long? PerSecondMax { get; init; }

    /// <summary>Runs to the end.</summary>
    /// <param name="check">Throws for an outcome that is a failure.</param>
    /// <param name="ended">Ends it between two batches.</param>
    public async Task RunAsync(Action<WriteOutcome, WriteBatch> check, CancellationToken ended)
    {
        var documents = new RevisionedDocuments(database);
        var pace = new OperationPace(PerSecondMax, time);
        figures.Total = documents.Count();
        for (bool isMore = true; isMore;)
        {
            ended.ThrowIfCancellationRequested();
            isMore = documents.Next(Look);
            foreach (DeleteRevisionsCommand command in _commands)
            {
                await documents.WriteAsync([command], check, ended).ConfigureAwait(false);
                figures.Add(0, 0, command.Removed);
            }

            _commands.Clear();
            await pace.WaitAsync(figures.Documents, ended).ConfigureAwait(false);
        }
    }

    private void Look(DocumentReadScope read, RevisionReader revisions, byte[] key)
    {
        byte[] collection = RevisionedDocuments.CollectionOf(read, revisions, key);
        if (Collections?.Contains(collection) == false)
        {
            return;
        }

        RevisionRules? rules = configuration?.Find(collection);
        List<Etag> surplus = [];
        if (rules is not { IsDisabled: true })
        {
            AddSurplus(revisions, key, rules, surplus);
        }

        figures.Add(1, revisions.Trees.Count(key), 0);
        for (int i = 0; i < surplus.Count; i += DeleteRevisionsCommand.RevisionsMax)
        {
            _commands.Add(new DeleteRevisionsCommand(key, surplus.Slice(i, Math.Min(DeleteRevisionsCommand.RevisionsMax, surplus.Count - i))));
        }
    }

    // The oldest first.
    private void AddSurplus(RevisionReader revisions, byte[] key, RevisionRules? rules, List<Etag> surplus)
    {
        long now = time.GetUtcNow().UtcTicks;
        long newer = 0;
        using RevisionCursor cursor = revisions.Open(key, Etag.Maximum);
        while (cursor.MoveNext())
        {
            newer++;
            RevisionRow revision = cursor.Current;
            bool isKept = (revision.IsForced && !IncludesForced) || rules?.Exceeds(newer, revision.LastModifiedTicks, now) == false;
            if (!isKept)
            {
                surplus.Add(revision.Etag);
            }
        }

        surplus.Reverse();
    }
}
