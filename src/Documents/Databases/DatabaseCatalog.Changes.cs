using System.Buffers;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Database;
using Jackdaw.Pal;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Databases;

/// <summary>Changes records. Each change is one transaction of the system storage; folders are changed afterwards.</summary>
public sealed partial class DatabaseCatalog
{
    private static readonly SearchValues<char> s_nameCharacters =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.");

    /// <summary>Attempts to write a record that others change at the same time: each attempt that fails is another change that
    /// succeeded.</summary>
    private const int MemberAttemptsMax = 100;

    /// <summary>The gate of changes that belong to no database; the name of a database is never empty.</summary>
    private const string ServerGate = "";

    /// <summary>Creates a database, or replaces the record of one.</summary>
    /// <param name="name">A validated name: 1 to 128 characters of <c>A-Z a-z 0-9 _ - .</c>, neither <c>.</c> nor
    /// <c>..</c>.</param>
    /// <param name="json">The record; copied before the call returns.</param>
    /// <param name="expectedEtag">Null to create a database, whose name must be free. Otherwise the record with exactly this etag is updated; 0 also creates a
    /// database when there is none.</param>
    public async ValueTask<RecordWriteResult> PutRecordAsync(
        string name, ReadOnlyMemory<byte> json, long? expectedEtag, CancellationToken cancellationToken)
    {
        CheckName(name);
        byte[] copy = json.ToArray();
        using ChangeGates.Holder gate = await _gates.EnterAsync(name, cancellationToken).ConfigureAwait(false);
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
            : await UpdateAsync(entry, index => entry.System with { Record = entry.System.Record with { Etag = index, Json = copy } })
                .ConfigureAwait(false);
    }

    /// <summary>Changes one member of the record of a database, even if others change the record at the same time.</summary>
    /// <param name="json">Its value; copied before the call returns.</param>
    /// <returns>Written, Missing, or EtagMismatch when others changed the record at each attempt.</returns>
    public async ValueTask<RecordWriteResult> PutRecordMemberAsync(
        string name, string member, ReadOnlyMemory<byte> json, CancellationToken cancellationToken)
    {
        byte[] value = json.ToArray();
        for (int attempt = 1; ; attempt++)
        {
            if (GetRecord(name) is not { } record)
            {
                return new RecordWriteResult(RecordWriteStatus.Missing, CommitIndex, null);
            }

            // Another change of the record came in between: that one has succeeded, so that all together come to an end.
            RecordWriteResult result = await PutRecordAsync(name, RecordMembers.With(record.Json, member, value), record.Etag, cancellationToken)
                .ConfigureAwait(false);
            if (result.Status != RecordWriteStatus.EtagMismatch || attempt == MemberAttemptsMax)
            {
                return result;
            }
        }
    }

    /// <summary>Removes the record and closes the database. When the task completes, the name is free again.</summary>
    /// <param name="hard">True to delete the files too. Otherwise they stay, and creating a database with that name opens them again.</param>
    public async ValueTask<RecordWriteResult> DeleteAsync(string name, bool hard, CancellationToken cancellationToken)
    {
        using ChangeGates.Holder gate = await _gates.EnterAsync(name, cancellationToken).ConfigureAwait(false);
        // A database whose files could not be deleted is hidden from requests, but can be deleted again.
        DatabaseDirectory.Entry? entry = _directory.Find(name);
        if (entry is null && !(hard && _system.IsBeingDeleted(name)))
        {
            return new RecordWriteResult(RecordWriteStatus.Missing, CommitIndex, null);
        }

        if (entry is not null && DatabaseLocks.Of(entry.System.Record) != DatabaseLock.Unlock)
        {
            return new RecordWriteResult(RecordWriteStatus.Locked, CommitIndex, entry.System.Record);
        }

        // Steps: 1. close, 2. record the intention durably, 3. hide it from requests, 4. delete the files, 5. delete
        // the record. After a crash that follows step 2, the next start continues.
        RecordWriteResult result = default;
        if (entry is not null)
        {
            result = await BeginDeletionAsync(entry, hard).ConfigureAwait(false);
        }

        return hard ? await FinishDeletionAsync(name).ConfigureAwait(false) : result;
    }

    /// <summary>Disables a database, which ends its requests and closes its files, or enables it.</summary>
    public async ValueTask<RecordWriteResult> SetDisabledAsync(
        string name, bool isDisabled, CancellationToken cancellationToken)
    {
        using ChangeGates.Holder gate = await _gates.EnterAsync(name, cancellationToken).ConfigureAwait(false);
        if (_directory.Find(name) is not { } entry)
        {
            return new RecordWriteResult(RecordWriteStatus.Missing, CommitIndex, null);
        }

        RecordWriteResult result = await UpdateAsync(entry, index => entry.System with
        {
            Record = entry.System.Record with { Etag = index, IsDisabled = isDisabled },
        }).ConfigureAwait(false);
        await (isDisabled ? entry.Slot.CloseAsync() : entry.Slot.OpenAsync()).ConfigureAwait(false);
        return result;
    }

    /// <summary>Stores a client configuration.</summary>
    /// <param name="name">The name of the database, or null for the server-wide configuration.</param>
    /// <param name="json">A JSON object; copied before the call returns.</param>
    public async ValueTask<RecordWriteResult> PutClientConfigurationAsync(
        string? name, ReadOnlyMemory<byte> json, bool isDisabled, CancellationToken cancellationToken)
    {
        byte[] copy = json.ToArray();
        using ChangeGates.Holder gate = await _gates.EnterAsync(name ?? ServerGate, cancellationToken).ConfigureAwait(false);
        if (name is null)
        {
            return await WriteAsync(() =>
            {
                _client = _system.PutClient(index => new ClientConfiguration(index, isDisabled, copy));
                UpdateSettings();
                return null;
            }).ConfigureAwait(false);
        }

        return _directory.Find(name) is { } entry
            ? await UpdateAsync(entry, index => entry.System with { Client = new ClientConfiguration(index, isDisabled, copy) })
                .ConfigureAwait(false)
            : new RecordWriteResult(RecordWriteStatus.Missing, CommitIndex, null);
    }

    private static void CheckName(string name)
    {
        // The name becomes a folder, so it is checked here even if the caller has checked it: no path may lead out of the data folder.
        if (name.Length == 0 || name is "." or ".." || name.AsSpan().ContainsAnyExcept(s_nameCharacters))
        {
            throw new ArgumentException($"'{name}' cannot be the name of a database.", nameof(name));
        }
    }

    private async Task<RecordWriteResult> BeginDeletionAsync(DatabaseDirectory.Entry entry, bool hard)
    {
        string name = entry.System.Record.Name;
        try
        {
            await entry.Slot.CloseAsync(FeedEndReason.DatabaseDeleted).ConfigureAwait(false);
        }
        catch (TimeoutException) when (!entry.System.Record.IsDisabled)
        {
            await entry.Slot.WaitForUseAsync().ConfigureAwait(false); // nothing is deleted, and the database opens again when the reader has ended
            throw;
        }

        try
        {
            return await WriteAsync(() =>
            {
                if (hard)
                {
                    _system.Put(_ => entry.System with { IsBeingDeleted = true });
                }
                else
                {
                    _system.Remove(name);
                }

                _directory = _directory.Without(name);
                return null;
            }).ConfigureAwait(false);
        }
        catch (StoragePoisonedException) when (hard)
        {
            // The failed write may be on the disk, so that the next start would delete everything that is written from now on.
            await entry.Slot.RefuseAsync("its deletion failed, but may have been recorded: restart the server, which then deletes it or opens it again.")
                .ConfigureAwait(false);
            throw;
        }
        catch when (!entry.System.Record.IsDisabled)
        {
            await entry.Slot.OpenAsync().ConfigureAwait(false);
            throw;
        }
    }

    private async Task<RecordWriteResult> FinishDeletionAsync(string name)
    {
        DeleteFolder(name);
        return await WriteAsync(() =>
        {
            _system.Remove(name);
            return null;
        }).ConfigureAwait(false);
    }

    private Task<RecordWriteResult> UpdateAsync(DatabaseDirectory.Entry entry, Func<long, SystemRecord> change) => WriteAsync(() =>
    {
        SystemRecord written = _system.Put(change);
        _directory = _directory.With(entry with { System = written });
        UpdateSettings();
        return written.Record;
    });

    /// <summary>Writes to the system storage and to the directory. One caller at a time writes, for all names. Code that waits for a reader, or for the files
    /// of a database, does not belong here.</summary>
    private async Task<RecordWriteResult> WriteAsync(Func<DatabaseRecord?> write)
    {
        await _records.WaitAsync().ConfigureAwait(false);
        try
        {
            DatabaseRecord? record = write();
            return new RecordWriteResult(RecordWriteStatus.Written, CommitIndex, record);
        }
        finally
        {
            _records.Release();
        }
    }

    private async Task<RecordWriteResult> CreateAsync(string name, byte[] json)
    {
        if (_system.IsBeingDeleted(name))
        {
            await FinishDeletionAsync(name).ConfigureAwait(false); // otherwise the deleted documents would come back
        }

        await MakeDatabasesFolderAsync().ConfigureAwait(false);

        // The files are made before the record. So a record always has files, and missing files are noticed. Files without a record wait for a database of
        // their name. They keep their id, because it is part of the change vectors in them.
        DatabaseSlot slot = MakeSlot(name, DocumentDatabase.MakeDatabaseId(), mustExist: false);
        try
        {
            await OpenNewAsync(slot).ConfigureAwait(false);
            string databaseId = slot.Lookup.Database!.DatabaseId;
            return await WriteAsync(() =>
            {
                SystemRecord written = _system.Put(index => new SystemRecord(
                    new DatabaseRecord(name, index, index, databaseId, false, json), ClientConfiguration.Unset, false));
                _directory = _directory.With(new DatabaseDirectory.Entry(written, slot));
                UpdateSettings();
                return written.Record;
            }).ConfigureAwait(false);
        }
        catch
        {
            await slot.CloseAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Makes the folder of all databases, for one caller at a time. Otherwise a second creation could find the folder before the first one has synced
    /// it, and be acknowledged and then lost.</summary>
    private async Task MakeDatabasesFolderAsync()
    {
        await _records.WaitAsync().ConfigureAwait(false);
        try
        {
            _platform.CreateDirectory(DatabasesFolder);
        }
        catch (PalException full) when (full.IsDiskFull)
        {
            throw new DiskFullException(_dataFolder, full);
        }
        finally
        {
            _records.Release();
        }
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
