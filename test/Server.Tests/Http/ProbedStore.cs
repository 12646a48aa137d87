using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Store;

namespace Jackdaw.Server.Tests.Http;

/// <summary>A server store whose databases are probed.</summary>
internal sealed class ProbedStore(DatabaseCatalog store) : DatabaseCatalog
{
    private readonly ConditionalWeakTable<DocumentDatabase, ProbedDatabase> _probes = [];
    private readonly ConcurrentDictionary<string, ProbedDatabase> _last = new(StringComparer.OrdinalIgnoreCase);

    public bool IsDisposed { get; private set; }

    /// <summary>Lookup that replaces every other while it is not null.</summary>
    public DatabaseLookup? Override { get; set; }

    public override Guid ServerId => store.ServerId;

    public override long CommitIndex => store.CommitIndex;

    public override ClientConfiguration ServerClientConfiguration => store.ServerClientConfiguration;

    /// <summary>The database of a name; after it was closed, the one that was open.</summary>
    public ProbedDatabase Database(string name) =>
        store.Find(name).Database is { } open ? _last[name] = Probe(open) : _last[name];

    public override DatabaseLookup Find(ReadOnlySpan<char> name) => Override ?? Probe(store.Find(name));

    public override async ValueTask<DatabaseLookup> FindOpenAsync(string name, TimeSpan patience, CancellationToken cancellationToken) =>
        Override ?? Probe(await store.FindOpenAsync(name, patience, cancellationToken));

    public override DatabaseRecord? GetRecord(string name) => store.GetRecord(name);

    public override IReadOnlyList<DatabaseRecord> ListRecords() => store.ListRecords();

    public override ValueTask<RecordWriteResult> PutRecordAsync(
        string name, ReadOnlyMemory<byte> json, long? expectedEtag, CancellationToken cancellationToken) =>
        store.PutRecordAsync(name, json, expectedEtag, cancellationToken);

    public override ValueTask<RecordWriteResult> DeleteAsync(string name, bool hard, CancellationToken cancellationToken) =>
        store.DeleteAsync(name, hard, cancellationToken);

    public override ValueTask<RecordWriteResult> SetDisabledAsync(string name, bool isDisabled, CancellationToken cancellationToken) =>
        store.SetDisabledAsync(name, isDisabled, cancellationToken);

    public override ClientConfiguration? GetClientConfiguration(string name) => store.GetClientConfiguration(name);

    public override ValueTask<RecordWriteResult> PutClientConfigurationAsync(
        string? name, ReadOnlyMemory<byte> json, bool isDisabled, CancellationToken cancellationToken) =>
        store.PutClientConfigurationAsync(name, json, isDisabled, cancellationToken);

    public override ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return store.DisposeAsync();
    }

    private DatabaseLookup Probe(in DatabaseLookup lookup) =>
        lookup.Database is { } database ? lookup with { Database = Probe(database) } : lookup;

    private ProbedDatabase Probe(DocumentDatabase database) =>
        _last[database.Name] = _probes.GetValue(database, static inner => new ProbedDatabase(inner));
}
