namespace Jackdaw.Documents.Databases;

/// <summary>Everything the server keeps besides documents: database records, client configurations, its own
/// identity.</summary>
/// <remarks>Any thread may call any member. Changes are durable when their task completes, and raise the commit index
/// by one each. Creating and deleting are one transaction in the system storage; the folder follows.</remarks>
public abstract class DatabaseCatalog : IAsyncDisposable
{
    /// <summary>Attempts to write a record that others change at the same time: each attempt that fails is another change that
    /// succeeded.</summary>
    private const int MemberAttemptsMax = 100;

    /// <summary>A guid, chosen at the first start and then kept.</summary>
    public abstract Guid ServerId { get; }

    /// <summary>Number of the last change of the system storage; greater than 0.</summary>
    public abstract long CommitIndex { get; }

    /// <summary>Server-wide client configuration; <see cref="ClientConfiguration.Unset"/> when never set.</summary>
    public abstract ClientConfiguration ServerClientConfiguration { get; }

    /// <summary>Finds a database. On the path of every request: takes no lock, allocates nothing.</summary>
    /// <param name="name">Any casing.</param>
    public abstract DatabaseLookup Find(ReadOnlySpan<char> name);

    /// <summary>As <see cref="Find"/>, but a database that is not open yet is opened first.</summary>
    /// <param name="patience">How long to wait; afterwards the answer is that of <see cref="Find"/>.</param>
    public virtual ValueTask<DatabaseLookup> FindOpenAsync(string name, TimeSpan patience, CancellationToken cancellationToken) =>
        new(Find(name));

    /// <summary>The record of a database, open or not; null when there is none.</summary>
    public abstract DatabaseRecord? GetRecord(string name);

    /// <summary>All records, ordered by name without case.</summary>
    public abstract IReadOnlyList<DatabaseRecord> ListRecords();

    /// <summary>Creates a database, or replaces the record of one.</summary>
    /// <param name="name">Validated: 1 to 128 characters of <c>A-Z a-z 0-9 _ - .</c>, neither <c>.</c> nor
    /// <c>..</c>.</param>
    /// <param name="json">The record; copied before the call returns.</param>
    /// <param name="expectedEtag">Null: create, the name must be free. Otherwise update the record of exactly this
    /// etag; 0 also creates when there is none.</param>
    public abstract ValueTask<RecordWriteResult> PutRecordAsync(
        string name, ReadOnlyMemory<byte> json, long? expectedEtag, CancellationToken cancellationToken);

    /// <summary>Changes one member of the record of a database, whatever others change of the record meanwhile.</summary>
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

    /// <summary>Removes the record and closes the database: when the task completes, the name is free again.</summary>
    /// <param name="hard">True: the files are deleted too. False: they stay, and creating a database of that name opens
    /// them again.</param>
    public abstract ValueTask<RecordWriteResult> DeleteAsync(
        string name, bool hard, CancellationToken cancellationToken);

    /// <summary>Switches a database off (its requests end, its files are closed) or on.</summary>
    public abstract ValueTask<RecordWriteResult> SetDisabledAsync(
        string name, bool isDisabled, CancellationToken cancellationToken);

    /// <summary>Client configuration of one database; Unset when never set, null when there is no such
    /// database.</summary>
    public abstract ClientConfiguration? GetClientConfiguration(string name);

    /// <summary>Stores a client configuration.</summary>
    /// <param name="name">Database, or null for the server-wide one.</param>
    /// <param name="json">A JSON object; copied before the call returns.</param>
    public abstract ValueTask<RecordWriteResult> PutClientConfigurationAsync(
        string? name, ReadOnlyMemory<byte> json, bool isDisabled, CancellationToken cancellationToken);

    /// <summary>Stops all writers, closes all storages. No thread of the store runs afterwards.</summary>
    public abstract ValueTask DisposeAsync();
}
