using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Operations;

namespace Jackdaw.Documents.Revisions.Walks;

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
    private SurplusSearch? _search; // that the step before has not ended

    /// <summary>Keys of the collections that are looked at; null: all.</summary>
    public HashSet<byte[]>? Collections { get; init; }

    public bool IncludesForced { get; init; }

    /// <summary>Revisions of one snapshot.</summary>
    public int RevisionsPerStep { get; init; } = RevisionStep.RevisionsMax;

    /// <summary>Documents that are looked at in a second at most; null: as fast as it goes.</summary>
    public long? PerSecondMax { get; init; }

    /// <summary>Runs to the end.</summary>
    /// <param name="ended">Ends it between two batches.</param>
    public async Task RunAsync(CancellationToken ended)
    {
        var documents = new RevisionedDocuments(database) { RevisionsPerStep = RevisionsPerStep };
        var pace = new OperationPace(PerSecondMax, time);
        figures.Total = documents.Count();
        for (bool isMore = true; isMore;)
        {
            ended.ThrowIfCancellationRequested();
            isMore = documents.Next(Look);
            foreach (DeleteRevisionsCommand command in _commands)
            {
                await documents.WriteAsync([command], ended).ConfigureAwait(false);
                figures.Add(0, 0, command.Removed);
            }

            _commands.Clear();
            await pace.WaitAsync(figures.Documents, ended).ConfigureAwait(false);
        }
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
            figures.Add(1, step.Revisions.Trees.Count(key), 0);
            AddCommands(_search);
            _search = null;
        }

        return true;
    }

    // Null: nothing is removed.
    private SurplusSearch? Begin(RevisionStep step, byte[] key)
    {
        byte[] collection = RevisionedDocuments.CollectionOf(step.Read, step.Revisions, key);
        if (Collections?.Contains(collection) == false)
        {
            return null;
        }

        RevisionRules? rules = configuration?.Find(collection);
        if (rules is { IsDisabled: true })
        {
            figures.Add(1, step.Revisions.Trees.Count(key), 0);
            return null;
        }

        return new SurplusSearch(key, rules, IncludesForced, time.GetUtcNow().UtcTicks);
    }

    // The oldest first.
    private void AddCommands(SurplusSearch search)
    {
        List<Etag> surplus = search.Surplus;
        surplus.Reverse();
        for (int i = 0; i < surplus.Count; i += DeleteRevisionsCommand.RevisionsMax)
        {
            _commands.Add(new DeleteRevisionsCommand(
                search.Key, surplus.GetRange(i, Math.Min(DeleteRevisionsCommand.RevisionsMax, surplus.Count - i))));
        }
    }
}
