using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing.Catalog;

/// <summary>Puts a definition over an existing index: changes its settings when that is enough, and otherwise builds a replacement beside it.</summary>
/// <param name="existing">The index with the name of the definition.</param>
/// <param name="replacement">The replacement that is being built for this index; null for none.</param>
internal sealed class DefinitionReplacement(CatalogChange change, DatabaseIndex existing, DatabaseIndex? replacement)
{
    /// <param name="wanted">The definition.</param>
    /// <param name="now">When it was put.</param>
    /// <exception cref="IndexException">The index is locked, or the records could not be written.</exception>
    public async Task PutAsync(IndexDefinition wanted, DateTimeOffset now)
    {
        // A definition without a state leaves the state as it is.
        IndexState state = wanted.State ?? existing.Record.State;
        DefinitionChange difference = IndexDefinitionComparison.Compare(IndexDefinitions.Read(existing.Record), wanted with { State = state });
        bool isOnlyRebuilt = difference != DefinitionChange.Rebuild && HasReplacementFor(wanted);
        if (difference == DefinitionChange.None && (replacement is null || isOnlyRebuilt) && existing.Fault is null)
        {
            return;
        }

        switch (existing.Record.LockMode)
        {
            case IndexLockMode.LockedIgnore:
                return;
            case IndexLockMode.LockedError:
                throw new IndexException(IndexFault.Locked,
                    $"Index '{existing.Name}' is locked (LockedError), so its definition stays; unlock it first, with set-lock and the mode Unlock.");
        }

        IndexRecord record = IndexDefinitions.ToRecord(wanted, now);
        if (difference == DefinitionChange.Rebuild)
        {
            await BuildBesideAsync(wanted, record).ConfigureAwait(false);
        }
        else if (existing.Fault is not null)
        {
            // It could not be used, for a reason that may have gone: it is tried again.
            await change.RemoveAsync(replacement).ConfigureAwait(false);
            await change.AddAsync(record with { Name = existing.Name, State = state, History = existing.Record.History }, existing).ConfigureAwait(false);
        }
        else if (isOnlyRebuilt)
        {
            // A reset or a move to another engine goes on: it builds what is put.
            await change.UpdateAsync([existing, replacement!], old => Changed(old, record, wanted.State)).ConfigureAwait(false);
        }
        else
        {
            // The definition is again what the index has, so the replacement is not wanted any more.
            await change.RemoveAsync(replacement, Changed(existing.Record, record, wanted.State)).ConfigureAwait(false);
        }
    }

    private static IndexRecord Changed(IndexRecord old, IndexRecord put, IndexState? state) => old with
    {
        Definition = put.Definition,
        State = state ?? old.State,
        LockMode = put.LockMode,
        Priority = put.Priority,
    };

    // Whether the replacement has the entries of a definition.
    private bool HasReplacementFor(IndexDefinition wanted) => replacement is not null
        && IndexDefinitionComparison.Compare(IndexDefinitions.Read(replacement.Record), wanted) != DefinitionChange.Rebuild;

    private async Task BuildBesideAsync(IndexDefinition wanted, IndexRecord record)
    {
        record = record with
        {
            Name = IndexRecord.ReplacementPrefix + existing.Name,
            State = wanted.State ?? IndexState.Normal,
            History = IndexHistory.After((replacement ?? existing).Record),
        };
        if (HasReplacementFor(wanted))
        {
            IndexRecord built = replacement!.Record;
            await change.RemoveAsync(removed: null, record with
            {
                Folder = built.Folder,
                Engine = built.Engine,
                CreatedTicks = built.CreatedTicks,
                History = built.History,
            }).ConfigureAwait(false);
        }
        else
        {
            await change.AddAsync(record, replacement).ConfigureAwait(false);
        }
    }
}
