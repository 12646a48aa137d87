using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing.Catalog;

/// <summary>A change of the catalog while it holds the catalog's gate: no other change begins before it is disposed.</summary>
/// <remarks>Each step writes the records of all indexes that it concerns in one transaction, and only then do the open indexes follow. So a
/// crash leaves at most files without a record, which are deleted when the database is opened.</remarks>
internal sealed class CatalogChange(IndexCatalog catalog, IndexHost host, IIndexFactory factory, OutputOwners outputs, SemaphoreSlim gate) : IDisposable
{
    private readonly IndexFolders _folders = new(host);

    /// <summary>Lets the next change begin.</summary>
    public void Dispose() => gate.Release();

    /// <summary>Adds an index, and removes another one in the same transaction.</summary>
    /// <param name="wanted">Its folder is chosen here, and its engine too, unless it is a move.</param>
    /// <param name="removed">The index that goes; null for none.</param>
    /// <param name="reason">Why it was made; it becomes the first of its failures. Null when its users need not know.</param>
    /// <exception cref="IndexException">There are too many indexes, or the record could not be written.</exception>
    public async Task<DatabaseIndex> AddAsync(IndexRecord wanted, DatabaseIndex? removed = null, IndexFailure? reason = null)
    {
        if (catalog.Count >= IndexCatalog.IndexesMax && removed is null)
        {
            throw new IndexException(IndexFault.TooMany,
                $"The database has {IndexCatalog.IndexesMax} indexes, and more are not allowed; delete some that are not used.");
        }

        IndexRecord record = wanted with
        {
            Folder = IndexFolders.NewFor(wanted.Name),
            Engine = wanted.IsMove ? wanted.Engine : factory.ChooseEngine(host, wanted),
        };
        (_, List<string> taken) = OutputOwners.ChangeOwner(gone: null, record);
        await WriteAsync(removed is null ? taken : [removed.Name, .. taken], [record]).ConfigureAwait(false);
        DatabaseIndex index = catalog.Make(record);
        index.IsPaused = catalog.IsPaused || (removed is not null && removed.IsPaused && removed.Name == record.Name);
        if (reason is not null)
        {
            index.Failures.Add(reason);
        }

        catalog.Publish(catalog.Current.Where(other => other != removed).Append(index));
        AnnounceRemoved(removed);
        catalog.Announce(IndexChangeKind.IndexAdded, index.Name);
        index.Start();
        await DropAsync(removed).ConfigureAwait(false);
        return index;
    }

    /// <summary>Removes an index, and writes a record of another one in the same transaction.</summary>
    /// <param name="removed">The index that goes; null for none.</param>
    /// <param name="written">A record of an index that stays; null for none.</param>
    /// <exception cref="IndexException">The records could not be written.</exception>
    public async Task RemoveAsync(DatabaseIndex? removed, IndexRecord? written = null)
    {
        if (removed is null && written is null)
        {
            return;
        }

        (List<IndexRecord> left, _) = OutputOwners.ChangeOwner(removed?.Record, next: null);
        await WriteAsync(removed is null ? [] : [removed.Name], written is null ? left : [written, .. left]).ConfigureAwait(false);
        if (written is not null && catalog.Find(written.Name) is { } changed)
        {
            Apply(changed, written);
        }

        catalog.Publish(catalog.Current.Where(other => other != removed));
        AnnounceRemoved(removed);
        outputs.Clean(left);
        await DropAsync(removed).ConfigureAwait(false);
    }

    /// <summary>Puts a replacement in the place of its index, which is deleted.</summary>
    /// <exception cref="IndexException">The records could not be written.</exception>
    public async Task SwapAsync(DatabaseIndex replacement)
    {
        string name = replacement.Record.Replaces!;
        DatabaseIndex? old = catalog.Find(name);
        IndexRecord record = replacement.Record with { Name = old?.Name ?? name, IsMove = false };
        (List<IndexRecord> left, List<string> taken) = OutputOwners.ChangeOwner(old?.Record, record);
        await WriteAsync([replacement.Name, .. taken], [record, .. left]).ConfigureAwait(false);
        replacement.Change(record);
        catalog.Publish(catalog.Current.Where(other => other != old));
        catalog.Announce(IndexChangeKind.SideBySideReplace, record.Name);
        outputs.Clean(left);
        await DropAsync(old).ConfigureAwait(false);
    }

    /// <summary>Changes settings of indexes that need no rebuild.</summary>
    /// <exception cref="IndexException">The records could not be written; nothing was changed.</exception>
    public async Task UpdateAsync(IReadOnlyList<DatabaseIndex> indexes, Func<IndexRecord, IndexRecord> change)
    {
        List<IndexRecord> records = [.. indexes.Select(index => change(index.Record))];
        await WriteAsync([], records).ConfigureAwait(false);
        for (int i = 0; i < indexes.Count; i++)
        {
            Apply(indexes[i], records[i]);
        }
    }

    private Task WriteAsync(IReadOnlyList<string> removed, IReadOnlyList<IndexRecord> written) =>
        host.StoreAsync(new WriteIndexRecordsCommand(removed, written), "The definition");

    private void Apply(DatabaseIndex index, IndexRecord record)
    {
        IndexRecord old = index.Record;
        index.Change(record);
        foreach (IndexChangeKind kind in IndexChange.Between(old, record))
        {
            catalog.Announce(kind, record.Name);
        }

        catalog.Changed.Raise(); // a disabled index will not come any further
    }

    private void AnnounceRemoved(DatabaseIndex? removed)
    {
        if (removed is not null)
        {
            catalog.Announce(IndexChangeKind.IndexRemoved, removed.Name);
        }
    }

    // The index has no record any more.
    private async Task DropAsync(DatabaseIndex? removed)
    {
        if (removed is not null)
        {
            await catalog.CloseAsync(removed).ConfigureAwait(false);
            _folders.Delete(removed.Record.Folder);
        }
    }
}
