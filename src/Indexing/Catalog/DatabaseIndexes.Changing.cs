using System.Security.Cryptography;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Indexing.Sources;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Indexing.Catalog;

/// <summary>Creating, replacing, changing and deleting indexes.</summary>
internal sealed partial class DatabaseIndexes
{
    /// <summary>Indexes of one database; each takes a storage with its files.</summary>
    public const int IndexesMax = 1000;

    /// <summary>Longest name. Characters.</summary>
    public const int NameLengthMax = 256;

    /// <summary>Creates an index, or replaces the definition of the one with its name.</summary>
    /// <param name="wanted">Checked: it compiles.</param>
    /// <exception cref="IndexException">The index is locked, there are too many, or the name is too long.</exception>
    /// <param name="sources">What it reads.</param>
    public async Task PutAsync(IndexDefinition wanted, IndexSources sources, CancellationToken cancellationToken)
    {
        if (wanted.Name.Length > NameLengthMax)
        {
            throw new IndexException(IndexFault.InvalidDefinition,
                $"The name '{wanted.Name[..40]}...' has {wanted.Name.Length} characters; names of indexes have at most {NameLengthMax}.");
        }

        await EnterAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await CheckOutputsAsync(wanted, sources, cancellationToken).ConfigureAwait(false);
            IndexRecord record = IndexDefinitions.ToRecord(wanted, _host.Time.GetUtcNow());
            if (Find(wanted.Name) is { } existing)
            {
                await PutOverAsync(existing, wanted, record).ConfigureAwait(false);
            }
            else
            {
                await AddAsync(record, removed: null).ConfigureAwait(false);
            }
        }
        finally
        {
            _gate.Release();
        }
    }

    // Caller holds the gate.
    private async Task PutOverAsync(DatabaseIndex existing, IndexDefinition wanted, IndexRecord record)
    {
        IndexDefinition old = IndexDefinitions.Read(existing.Record);
        DatabaseIndex? replacement = Find(IndexRecord.ReplacementPrefix + existing.Name);

        // Who does not speak of the state does not change it.
        IndexState state = wanted.State ?? existing.Record.State;
        DefinitionChange change = IndexDefinitionComparison.Compare(old, wanted with { State = state });
        if (change == DefinitionChange.None && replacement is null && existing.Fault is null)
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

        if (existing.Fault is not null && change != DefinitionChange.Rebuild)
        {
            // It could not be used, for a reason that may be gone by now: it is tried again.
            await RemoveAsync(replacement, written: null).ConfigureAwait(false);
            await AddAsync(record with { Name = existing.Name, State = state }, existing).ConfigureAwait(false);
            return;
        }

        if (change != DefinitionChange.Rebuild)
        {
            // Back to what it was: a replacement that was on its way is not wanted any more.
            IndexRecord changed = existing.Record with
            {
                Definition = record.Definition,
                State = state,
                LockMode = record.LockMode,
                Priority = record.Priority,
            };
            await RemoveAsync(replacement, changed).ConfigureAwait(false);
            return;
        }

        string name = IndexRecord.ReplacementPrefix + existing.Name;
        record = record with { Name = name, State = wanted.State ?? IndexState.Normal };
        if (replacement is not null
            && IndexDefinitionComparison.Compare(IndexDefinitions.Read(replacement.Record), wanted) != DefinitionChange.Rebuild)
        {
            IndexRecord built = replacement.Record;
            await RemoveAsync(removed: null, record with { Folder = built.Folder, Engine = built.Engine, CreatedTicks = built.CreatedTicks })
                .ConfigureAwait(false);
            return;
        }

        await AddAsync(record, replacement).ConfigureAwait(false);
    }

    /// <summary>Deletes an index, and the one that is to replace it. False: there is none of that name.</summary>
    public async Task<bool> DeleteAsync(string name, CancellationToken cancellationToken)
    {
        await EnterAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (Find(name) is not { } index)
            {
                return false;
            }

            await RemoveAsync(Find(IndexRecord.ReplacementPrefix + index.Name), written: null).ConfigureAwait(false);
            await RemoveAsync(index, written: null).ConfigureAwait(false);
            return true;
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Changes settings of indexes that need no rebuild, in one transaction: those of replacements on their way too.</summary>
    /// <exception cref="IndexException">One is not there; nothing was changed.</exception>
    public async Task ChangeAsync(IReadOnlyList<string> names, Func<IndexRecord, IndexRecord> change, CancellationToken cancellationToken)
    {
        await EnterAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            List<DatabaseIndex> indexes = [.. names.Select(Require).SelectMany(WithReplacement).Distinct()];
            List<IndexRecord> records = [.. indexes.Select(index => change(index.Record))];
            await WriteAsync([], records).ConfigureAwait(false);
            for (int i = 0; i < indexes.Count; i++)
            {
                Change(indexes[i], records[i]);
            }
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Builds an index again from nothing.</summary>
    /// <param name="isSideBySide">The old entries answer until the new ones have caught up.</param>
    /// <exception cref="IndexException">It is not there.</exception>
    public async Task ResetAsync(string name, bool isSideBySide, CancellationToken cancellationToken)
    {
        await EnterAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            DatabaseIndex index = Require(name);
            IndexRecord anew = index.Record with { CreatedTicks = _host.Time.GetUtcNow().UtcTicks, State = IndexState.Normal };

            // An index that a query made has no replacement: queries would take it for another one.
            if (isSideBySide && index.Record.Replaces is null && index.Auto is null)
            {
                // A definition that is on its way is the one that is wanted.
                string replacement = IndexRecord.ReplacementPrefix + index.Name;
                DatabaseIndex? pending = Find(replacement);
                IndexRecord wanted = pending is null ? anew : pending.Record with { CreatedTicks = anew.CreatedTicks, State = anew.State };
                await AddAsync(wanted with { Name = replacement }, pending).ConfigureAwait(false);
            }
            else
            {
                await AddAsync(anew, index).ConfigureAwait(false);
            }
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Puts a replacement in the place of its index, caught up or not.</summary>
    /// <exception cref="IndexException">There is no replacement.</exception>
    public async Task ReplaceAsync(string name, CancellationToken cancellationToken)
    {
        await EnterAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            Require(name);
            DatabaseIndex replacement = Find(IndexRecord.ReplacementPrefix + name) ?? throw new IndexException(IndexFault.NotNow,
                $"Index '{name}' has no replacement: it is being replaced only while a changed definition is built.");
            await SwapAsync(replacement).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    private IEnumerable<DatabaseIndex> WithReplacement(DatabaseIndex index) =>
        Find(IndexRecord.ReplacementPrefix + index.Name) is { } replacement ? [index, replacement] : [index];

    private async Task EnterAsync(CancellationToken cancellationToken)
    {
        if (_stop.IsCancellationRequested)
        {
            throw Closing();
        }

        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _stop);
        try
        {
            await _gate.WaitAsync(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            throw Closing();
        }
    }

    private static IndexException Closing() => new(IndexFault.Unavailable, "The database is being closed; try again in a moment.");

    /// <summary>Adds an index; another one goes in the same transaction.</summary>
    /// <param name="reason">What had it made; it is the first of its failures.</param>
    private async Task AddAsync(IndexRecord wanted, DatabaseIndex? removed, IndexFailure? reason = null)
    {
        if (_indexes.Count >= IndexesMax && removed is null)
        {
            throw new IndexException(IndexFault.TooMany,
                $"The database has {IndexesMax} indexes, and more are not allowed; delete some that are not used.");
        }

        IndexRecord record = wanted with { Folder = FolderOf(wanted.Name), Engine = _factory.ChooseEngine(_host, wanted) };
        (_, List<string> taken) = ChangeOfOwner(gone: null, record);
        await WriteAsync(removed is null ? taken : [removed.Name, .. taken], [record]).ConfigureAwait(false);
        DatabaseIndex index = MakeIndex(record);
        index.IsPaused = _isPaused || (removed is not null && removed.IsPaused && removed.Name == record.Name);
        if (reason is not null)
        {
            index.Failures.Add(reason);
        }

        Publish(_indexes.Values.Where(other => other != removed).Append(index));
        FollowIfNeeded();
        TellRemoved(removed);
        Tell(IndexChangeKind.IndexAdded, index.Name);
        index.Start();
        await DropAsync(removed).ConfigureAwait(false);
    }

    /// <summary>Removes an index; a record is written in the same transaction.</summary>
    private async Task RemoveAsync(DatabaseIndex? removed, IndexRecord? written)
    {
        if (removed is null && written is null)
        {
            return;
        }

        (List<IndexRecord> left, _) = ChangeOfOwner(removed?.Record, next: null);
        await WriteAsync(removed is null ? [] : [removed.Name], written is null ? left : [written, .. left]).ConfigureAwait(false);
        if (written is not null && Find(written.Name) is { } changed)
        {
            Change(changed, written);
        }

        Publish(_indexes.Values.Where(other => other != removed));
        TellRemoved(removed);
        Clean(left);
        await DropAsync(removed).ConfigureAwait(false);
    }

    /// <summary>One transaction: the replacement has the name of its index, which is gone.</summary>
    private async Task SwapAsync(DatabaseIndex replacement)
    {
        string name = replacement.Record.Replaces!;
        DatabaseIndex? old = Find(name);
        IndexRecord record = replacement.Record with { Name = old?.Name ?? name };
        (List<IndexRecord> left, List<string> taken) = ChangeOfOwner(old?.Record, record);
        await WriteAsync([replacement.Name, .. taken], [record, .. left]).ConfigureAwait(false);
        replacement.Change(record);
        Publish(_indexes.Values.Where(other => other != old));
        Tell(IndexChangeKind.SideBySideReplace, record.Name);
        Clean(left);
        await DropAsync(old).ConfigureAwait(false);
    }

    /// <summary>Closes an index that has no record any more, and removes its files.</summary>
    private async Task DropAsync(DatabaseIndex? removed)
    {
        if (removed is not null)
        {
            removed.Happened -= OnEvent;
            await removed.CloseAsync().ConfigureAwait(false);
            TryDelete(removed.Record.Folder);
        }
    }

    private async Task WriteAsync(IReadOnlyList<string> removed, IReadOnlyList<IndexRecord> written)
    {
        var batch = new WriteBatch { Commands = new DocumentCommand[] { new WriteIndexRecordsCommand(removed, written) } };
        WriteOutcome outcome = await _host.Database.WriteAsync(batch, CancellationToken.None).ConfigureAwait(false);
        if (outcome.Status != WriteStatus.Applied)
        {
            throw new IndexException(IndexFault.Unavailable,
                $"The definition could not be stored ({outcome.Status}), and nothing was changed; try again in a moment.");
        }
    }

    // Readable, legal on every file system, and never used before.
    private static string FolderOf(string name)
    {
        string readable = new([.. name.Take(40).Select(letter => char.IsAsciiLetterOrDigit(letter) ? char.ToLowerInvariant(letter) : '_')]);
        return $"{readable}-{Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(6))}";
    }

    private void OnEvent(DatabaseIndex index, IndexEvent happened)
    {
        Changed.Raise();
        Tell(index, happened);
        switch (happened)
        {
            case IndexEvent.BatchWritten or IndexEvent.Passed when index.Record.Replaces is not null:
                _ = Task.Run(() => SwapIfReadyAsync(index), CancellationToken.None);
                break;
            case IndexEvent.BatchWritten or IndexEvent.Passed when index.Auto is not null && _indexes.Count > 1:
                _ = Task.Run(() => DropSupersededAsync(index), CancellationToken.None);
                break;
            case IndexEvent.Damaged:
                _ = Task.Run(() => RebuildAsync(index), CancellationToken.None);
                break;
            case IndexEvent.Outdated:
                _ = Task.Run(() => RenewAsync(index), CancellationToken.None);
                break;
            case IndexEvent.Stopped:
                _host.Logger.LogWarning("Index {Index} of database {Database} stopped, because too many documents could not be mapped; its errors say why",
                    index.Name, _host.Database.Name);
                _ = Task.Run(() => NoteFailingAsync(index), CancellationToken.None);
                break;
            case IndexEvent.Failed:
                _host.Logger.LogWarning("Index {Index} of database {Database} failed, and tries again: {Reason}",
                    index.Name, _host.Database.Name, index.Failures.Last?.Message.ReplaceLineEndings(" "));
                break;
        }
    }
}
