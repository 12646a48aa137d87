namespace Jackdaw.Documents.Databases;

/// <summary>Compacts the files of a database while the server runs.</summary>
public sealed partial class DatabaseCatalog
{
    /// <summary>Closes a database, compacts its storages, and opens it again: with the old files if the compaction fails or is cancelled. Requests
    /// that come while it is closed are answered with the progress.</summary>
    /// <exception cref="KeyNotFoundException">There is no such database.</exception>
    /// <exception cref="InvalidOperationException">It is disabled or cannot be opened.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled, or the catalog closes.</exception>
    internal async Task CompactAsync(string name, DatabaseCompaction compaction, CancellationToken cancellationToken)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _closingBegins.Token);
        using ChangeGates.Holder gate = await _gates.EnterAsync(name, ended.Token).ConfigureAwait(false);
        DatabaseDirectory.Entry entry = _directory.Find(name) ?? throw new KeyNotFoundException($"Database '{name}' does not exist any more.");
        await entry.Slot.CloseForCompactionAsync(compaction, changed =>
        {
            ended.Token.ThrowIfCancellationRequested();
            compaction.Run(_platform, FolderOf(name), _options, () =>
            {
                changed();
                ended.Token.ThrowIfCancellationRequested();
            });
        }).ConfigureAwait(false);
    }
}
