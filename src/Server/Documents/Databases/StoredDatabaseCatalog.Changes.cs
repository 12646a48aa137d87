using System.Buffers;
using Jackdaw.Pal;
using Jackdaw.Server.Documents.Changes;
using Jackdaw.Server.Documents.Store;
using Jackdaw.Storage;

namespace Jackdaw.Server.Documents.Databases;

/// <summary>Changes: each a transaction of the system storage; the folders follow.</summary>
internal sealed partial class StoredDatabaseCatalog
{
    private static readonly SearchValues<char> s_nameCharacters =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.");

    public override async ValueTask<RecordWriteResult> PutRecordAsync(
        string name, ReadOnlyMemory<byte> json, long? expectedEtag, CancellationToken cancellationToken)
    {
        CheckName(name);
        byte[] copy = json.ToArray();
        await _changes.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            DatabaseDirectory.Entry? entry = _directory.Find(name);
            if (expectedEtag is null && entry is not null)
            {
                return new RecordWriteResult(RecordWriteStatus.AlreadyExists, CommitIndex, entry.System.Record);
            }

            if (expectedEtag is { } expected && (entry?.System.Record.Etag ?? 0) != expected)
            {
                return new RecordWriteResult(RecordWriteStatus.EtagMismatch, CommitIndex, entry?.System.Record);
            }

            return entry is null
                ? await CreateAsync(name, copy).ConfigureAwait(false)
                : Update(entry, index => entry.System with { Record = entry.System.Record with { Etag = index, Json = copy } });
        }
        finally
        {
            _changes.Release();
        }
    }

    public override async ValueTask<RecordWriteResult> DeleteAsync(string name, bool hard, CancellationToken cancellationToken)
    {
        await _changes.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            // One whose files could not go is found by nobody, but there to be deleted.
            DatabaseDirectory.Entry? entry = _directory.Find(name);
            if (entry is null && !(hard && _system.IsBeingDeleted(name)))
            {
                return new RecordWriteResult(RecordWriteStatus.Missing, CommitIndex, null);
            }

            // 1. Closed. 2. Durable intention. 3. Nobody finds it. 4. Files gone. 5. Record gone. A crash after 2 goes on at the start.
            if (entry is not null)
            {
                await BeginDeletionAsync(entry, hard).ConfigureAwait(false);
            }

            if (hard)
            {
                FinishDeletion(name);
            }

            return new RecordWriteResult(RecordWriteStatus.Written, CommitIndex, null);
        }
        finally
        {
            _changes.Release();
        }
    }

    public override async ValueTask<RecordWriteResult> SetDisabledAsync(
        string name, bool isDisabled, CancellationToken cancellationToken)
    {
        await _changes.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (_directory.Find(name) is not { } entry)
            {
                return new RecordWriteResult(RecordWriteStatus.Missing, CommitIndex, null);
            }

            RecordWriteResult result = Update(entry, index => entry.System with
            {
                Record = entry.System.Record with { Etag = index, IsDisabled = isDisabled },
            });
            await (isDisabled ? entry.Slot.CloseAsync() : entry.Slot.OpenAsync()).ConfigureAwait(false);
            return result;
        }
        finally
        {
            _changes.Release();
        }
    }

    public override async ValueTask<RecordWriteResult> PutClientConfigurationAsync(
        string? name, ReadOnlyMemory<byte> json, bool isDisabled, CancellationToken cancellationToken)
    {
        byte[] copy = json.ToArray();
        await _changes.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (name is null)
            {
                _client = _system.PutClient(index => new ClientConfiguration(index, isDisabled, copy));
                UpdateSettings();
                return new RecordWriteResult(RecordWriteStatus.Written, CommitIndex, null);
            }

            return _directory.Find(name) is { } entry
                ? Update(entry, index => entry.System with { Client = new ClientConfiguration(index, isDisabled, copy) })
                : new RecordWriteResult(RecordWriteStatus.Missing, CommitIndex, null);
        }
        finally
        {
            _changes.Release();
        }
    }

    private static void CheckName(string name)
    {
        // The name becomes a folder: whatever the caller has checked, nothing may lead out of the data folder.
        if (name.Length == 0 || name is "." or ".." || name.AsSpan().ContainsAnyExcept(s_nameCharacters))
        {
            throw new ArgumentException($"'{name}' cannot be the name of a database.", nameof(name));
        }
    }

    private async Task BeginDeletionAsync(DatabaseDirectory.Entry entry, bool hard)
    {
        string name = entry.System.Record.Name;
        try
        {
            await entry.Slot.CloseAsync(FeedEndReason.DatabaseDeleted).ConfigureAwait(false);
        }
        catch (TimeoutException) when (!entry.System.Record.IsDisabled)
        {
            await entry.Slot.WaitForUseAsync().ConfigureAwait(false); // nothing is deleted: it opens again when the reader has ended
            throw;
        }

        try
        {
            if (hard)
            {
                _system.Put(_ => entry.System with { IsBeingDeleted = true });
            }
            else
            {
                _system.Remove(name);
            }
        }
        catch (StoragePoisonedException) when (hard)
        {
            // The failed write may be on the disk: the next start would delete what is written from now on.
            await entry.Slot.RefuseAsync("its deletion failed, and may be noted all the same: restart the server, which deletes it or opens it again.")
                .ConfigureAwait(false);
            throw;
        }
        catch when (!entry.System.Record.IsDisabled)
        {
            await entry.Slot.OpenAsync().ConfigureAwait(false);
            throw;
        }

        _directory = _directory.Without(name);
    }

    private RecordWriteResult Update(DatabaseDirectory.Entry entry, Func<long, SystemRecord> change)
    {
        SystemRecord written = _system.Put(change);
        _directory = _directory.With(entry with { System = written });
        UpdateSettings();
        return new RecordWriteResult(RecordWriteStatus.Written, CommitIndex, written.Record);
    }

    private async Task<RecordWriteResult> CreateAsync(string name, byte[] json)
    {
        if (_system.IsBeingDeleted(name))
        {
            FinishDeletion(name); // or what was deleted would come back
        }

        // Files first, then the record: a record always has files, so that missing ones are noticed. Files without a record wait for a
        // database of their name; their id is theirs, for it is part of the change vectors in them.
        DatabaseSlot slot = MakeSlot(name, StoredDatabase.MakeDatabaseId(), mustExist: false);
        SystemRecord written;
        try
        {
            await OpenNewAsync(slot).ConfigureAwait(false);
            string databaseId = slot.Lookup.Database!.DatabaseId;
            written = _system.Put(index => new SystemRecord(
                new DatabaseRecord(name, index, index, databaseId, false, json), ClientConfiguration.Unset, false));
        }
        catch
        {
            await slot.CloseAsync().ConfigureAwait(false);
            throw;
        }

        _directory = _directory.With(new DatabaseDirectory.Entry(written, slot));
        UpdateSettings();
        return new RecordWriteResult(RecordWriteStatus.Written, CommitIndex, written.Record);
    }

    private async Task OpenNewAsync(DatabaseSlot slot)
    {
        await slot.OpenAsync().ConfigureAwait(false);
        switch (slot.Failure)
        {
            case null:
                return;
            case DiskFullException full:
                throw full;
            case PalException { IsDiskFull: true } full:
                throw new DiskFullException(_dataFolder, full);
            case { } failure:
                throw new IOException($"The files of the new database could not be opened: {failure.Message}", failure);
        }
    }
}
