using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing.Catalog;

/// <summary>Decides what is done next to move one index to another search engine, and does it.</summary>
/// <remarks>Everything is decided from the catalog, so that it makes no difference who changes the index while it moves, or whether the server was killed.
/// <see cref="IndexReactions"/> put the replacement in the place of the index.</remarks>
/// <param name="name">The name of the index.</param>
/// <param name="engine">The name of the engine that it gets.</param>
internal sealed class EngineMoveStep(IndexCatalog catalog, IIndexFactory factory, string name, string engine)
{
    /// <summary>Replacements that are begun. Each begins anew because somebody changed the index at the same time; more are not by chance.</summary>
    private const int AttemptsMax = 5;

    private int _begun;

    private DatabaseIndex? Index => catalog.Find(name);

    private DatabaseIndex? Replacement => catalog.Find(IndexRecord.ReplacementPrefix + name);

    /// <summary>What a move begins with.</summary>
    public MovedIndex Begin() => FindEnd() ?? new MovedIndex(name, MoveOutcome.Left);

    /// <summary>What has to be done now: <see cref="MoveOutcome.Left"/> if the index is to be built with the engine, or how the move ends; null if the index is
    /// being built, and there is nothing to do but to wait.</summary>
    public MovedIndex? Decide() => FindEnd() ?? Replacement switch
    {
        { } other when other.Record.Engine != engine => new MovedIndex(name, MoveOutcome.Left),
        null => new MovedIndex(name, MoveOutcome.Left),
        { Fault: { } fault } => new MovedIndex(name, MoveOutcome.Failed, $"Its definition cannot be used: {fault}"),
        { HasFailed: true } failed => new MovedIndex(name, MoveOutcome.Failed,
            $"It was built and stopped, because too many documents failed, the last one so: {failed.Failures.Last?.Message}"),
        _ => null,
    };

    /// <summary>Does what has to be done now.</summary>
    /// <returns>The end of the move; null if it goes on.</returns>
    public async Task<MovedIndex?> ApplyAsync(CatalogChange change)
    {
        MovedIndex? decided = Decide();
        if (decided is { Outcome: MoveOutcome.Left })
        {
            decided = await BuildAsync(change).ConfigureAwait(false);
        }

        if (decided is not null)
        {
            await DiscardAsync(change).ConfigureAwait(false);
        }

        return decided;
    }

    /// <summary>Removes the replacement that was begun for the move. One that also has another definition stays, because somebody wants that.</summary>
    public async Task DiscardAsync(CatalogChange change)
    {
        if (Index is { } index && Replacement is { Record.IsMove: true } replacement && HaveSameEntries(index, replacement))
        {
            await change.RemoveAsync(replacement).ConfigureAwait(false);
        }
    }

    private static bool HaveSameEntries(DatabaseIndex index, DatabaseIndex replacement) => index.Auto is not null
        || IndexDefinitionComparison.Compare(IndexDefinitions.Read(index.Record), IndexDefinitions.Read(replacement.Record)) != DefinitionChange.Rebuild;

    private MovedIndex? FindEnd()
    {
        if (Index is not { } index)
        {
            return new MovedIndex(name, MoveOutcome.LeftOut, "It was deleted.");
        }

        if (index.Record.Engine == engine)
        {
            return new MovedIndex(name, MoveOutcome.Moved);
        }

        // The definition that is being built is the one that is wanted.
        if (factory.NamedEngineOf((Replacement ?? index).Record) is { } named && named != engine)
        {
            return new MovedIndex(name, MoveOutcome.LeftOut,
                $"Its definition names {named} itself (Indexing.Static.SearchEngineType in Configuration); put one that names {engine}, or none.");
        }

        return index.Record.State == IndexState.Disabled || Replacement is { Record.State: IndexState.Disabled }
            ? new MovedIndex(name, MoveOutcome.Failed, "It is disabled, so that nothing is built: enable it, and move it again.")
            : null;
    }

    private async Task<MovedIndex?> BuildAsync(CatalogChange change)
    {
        if (++_begun > AttemptsMax)
        {
            return new MovedIndex(name, MoveOutcome.Failed, $"It was begun {AttemptsMax} times, and each time somebody changed the index before it was built.");
        }

        IndexRecord wanted = (Replacement ?? Index)!.Record;
        try
        {
            await change.AddAsync(
                wanted with
                {
                    Name = IndexRecord.ReplacementPrefix + Index!.Name,
                    Engine = engine,
                    IsMove = true,
                    State = IndexState.Normal, // idle ones and those that have failed are built, too
                },
                Replacement).ConfigureAwait(false);
            return null;
        }
        catch (IndexException full) when (full.Fault == IndexFault.TooMany)
        {
            return new MovedIndex(name, MoveOutcome.Failed, full.Message);
        }
    }
}
