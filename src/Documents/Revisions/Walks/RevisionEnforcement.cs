using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Operations;

namespace Jackdaw.Documents.Revisions.Walks;

/// <summary>Removes all revisions that the configuration does not keep, batch by batch, while clients watch.</summary>
/// <remarks>Revisions that exceed the limits are removed, as a write of their document would do. In collections without a configuration all revisions are
/// removed, and in disabled ones none. Revisions that were forced stay, unless they are included.</remarks>
/// <param name="database">The database of the revisions.</param>
/// <param name="configuration">The configuration of the database; null for none.</param>
/// <param name="figures">Shows the progress.</param>
/// <param name="time">The clock for the ages of revisions.</param>
internal sealed class RevisionEnforcement(
    DocumentDatabase database, RevisionsConfiguration? configuration, RevisionFigures figures, TimeProvider time)
{
    private readonly List<DeleteRevisionsCommand> _commands = [];
    private SurplusSearch? _search; // the search that the last step has not finished

    /// <summary>The keys of the collections that are examined; null for all.</summary>
    public HashSet<byte[]>? Collections { get; init; }

    public bool IncludesForced { get; init; }

    /// <summary>The most revisions of one snapshot.</summary>
    public int RevisionsPerStep { get; init; } = RevisionStep.RevisionsMax;

    /// <summary>The most documents that are examined in a second; null for no limit.</summary>
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

    // Null when nothing is removed.
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
