using System.Collections.Concurrent;
using Jackdaw.Server.Documents.Databases;

namespace Jackdaw.Server.Tests.Http.Memory;

/// <summary>A server store for tests of the HTTP layer.</summary>
internal sealed class MemoryStore(TimeProvider time) : ServerStore
{
    private readonly ConcurrentDictionary<string, DatabaseRecord> _records = new(StringComparer.OrdinalIgnoreCase);
    private readonly ConcurrentDictionary<string, MemoryDatabase> _open = new(StringComparer.OrdinalIgnoreCase);
    private readonly ConcurrentDictionary<string, ClientConfiguration> _configurations = new(
        StringComparer.OrdinalIgnoreCase);
    private long _commitIndex = 1;

    public TimeProvider Time { get; } = time;

    public bool IsDisposed { get; private set; }

    /// <summary>Lookup that replaces every other while it is not null.</summary>
    public DatabaseLookup? Override { get; set; }

    public override Guid ServerId { get; } = new("11111111-2222-3333-4444-555555555555");

    public override long CommitIndex => _commitIndex;

    public override ClientConfiguration ServerClientConfiguration =>
        _configurations.GetValueOrDefault("", ClientConfiguration.Unset);

    public MemoryDatabase Database(string name) => _open[name];

    public long EffectiveConfigurationEtag(string name) =>
        Math.Max(
            ServerClientConfiguration.Etag, _configurations.GetValueOrDefault(name, ClientConfiguration.Unset).Etag);

    public override DatabaseLookup Find(ReadOnlySpan<char> name)
    {
        if (Override is { } instead)
        {
            return instead;
        }

        if (_open.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(name, out MemoryDatabase? database))
        {
            return new DatabaseLookup(DatabaseLookupStatus.Open, database, null);
        }

        return new DatabaseLookup(
            _records.ContainsKey(name.ToString())
                ? DatabaseLookupStatus.Disabled
                : DatabaseLookupStatus.Missing, null, null);
    }

    public override DatabaseRecord? GetRecord(string name) => _records.GetValueOrDefault(name);

    public override IReadOnlyList<DatabaseRecord> ListRecords() =>
        [.. _records.Values.OrderBy(record => record.Name, StringComparer.OrdinalIgnoreCase)];

    public override ValueTask<RecordWriteResult> PutRecordAsync(
        string name, ReadOnlyMemory<byte> json, long? expectedEtag, CancellationToken cancellationToken)
    {
        DatabaseRecord? record = GetRecord(name);
        if (expectedEtag is null && record is not null)
        {
            return Answer(RecordWriteStatus.AlreadyExists, record);
        }

        if (expectedEtag is not null && (record?.Etag ?? 0) != expectedEtag)
        {
            return Answer(RecordWriteStatus.EtagMismatch, record);
        }

        long index = Interlocked.Increment(ref _commitIndex);
        string id = record?.DatabaseId ?? $"{index:D22}";
        record = new DatabaseRecord(
            record?.Name ?? name, index, record?.TopologyEtag ?? index, id, record?.IsDisabled ?? false, json.ToArray());
        _records[name] = record;
        _open.TryAdd(name, new MemoryDatabase(name, id, this, record.TopologyEtag));
        return Answer(RecordWriteStatus.Written, record);
    }

    public override ValueTask<RecordWriteResult> DeleteAsync(
        string name, bool hard, CancellationToken cancellationToken)
    {
        if (!_records.TryRemove(name, out DatabaseRecord? record))
        {
            return Answer(RecordWriteStatus.Missing, null);
        }

        _open.TryRemove(name, out _);
        _configurations.TryRemove(name, out _);
        Interlocked.Increment(ref _commitIndex);
        return Answer(RecordWriteStatus.Written, record);
    }

    public override ValueTask<RecordWriteResult> SetDisabledAsync(
        string name, bool isDisabled, CancellationToken cancellationToken)
    {
        if (GetRecord(name) is not { } record)
        {
            return Answer(RecordWriteStatus.Missing, null);
        }

        record = record with { IsDisabled = isDisabled, Etag = Interlocked.Increment(ref _commitIndex) };
        _records[name] = record;
        if (isDisabled)
        {
            _open.TryRemove(name, out _);
        }
        else
        {
            _open.TryAdd(name, new MemoryDatabase(record.Name, record.DatabaseId, this, record.TopologyEtag));
        }

        return Answer(RecordWriteStatus.Written, record);
    }

    public override ClientConfiguration? GetClientConfiguration(string name) =>
        GetRecord(name) is null ? null : _configurations.GetValueOrDefault(name, ClientConfiguration.Unset);

    public override ValueTask<RecordWriteResult> PutClientConfigurationAsync(
        string? name, ReadOnlyMemory<byte> json, bool isDisabled, CancellationToken cancellationToken)
    {
        long index = Interlocked.Increment(ref _commitIndex);
        _configurations[name ?? ""] = new ClientConfiguration(index, isDisabled, json.ToArray());
        return Answer(RecordWriteStatus.Written, null);
    }

    public override ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return ValueTask.CompletedTask;
    }

    private ValueTask<RecordWriteResult> Answer(RecordWriteStatus status, DatabaseRecord? record) =>
        new(new RecordWriteResult(status, _commitIndex, record));
}
