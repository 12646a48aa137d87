using System.Text;
using System.Text.Json;
using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Json;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Tests.Http.Memory;

/// <summary>A document database for tests of the HTTP layer: one lock, immutable snapshots, switches for the outcomes
/// that a real one only has under load.</summary>
internal sealed class MemoryDatabase(string name, string databaseId, MemoryStore store, long topologyEtag)
    : DocumentDatabase(name, databaseId)
{
    private readonly Lock _lock = new();
    private volatile MemorySnapshot _snapshot = MemorySnapshot.Empty;
    private int _openScopes;

    public override long TopologyEtag => topologyEtag;

    public override long ClientConfigurationEtag => store.EffectiveConfigurationEtag(Name);

    public override long SizeBytes => 65536;

    public override int QueuedWrites => 0;

    /// <summary>Answer of every write while it is not null.</summary>
    public WriteStatus? Refusal { get; set; }

    /// <summary>Awaited before each write while it is not null.</summary>
    public Task? Gate { get; set; }

    /// <summary>Batches written so far.</summary>
    public int Batches { get; private set; }

    /// <summary>Read scopes that were begun.</summary>
    public int ScopesBegun => _openScopes;

    public override DocumentReadScope BeginRead(ReaderKind kind = ReaderKind.Other)
    {
        Interlocked.Increment(ref _openScopes);
        return new MemoryReadScope(_snapshot);
    }

    public override async ValueTask<WriteResult> WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        await (Gate ?? Task.CompletedTask);
        if (Refusal is { } refusal)
        {
            return new WriteResult { Status = refusal };
        }

        lock (_lock)
        {
            var writer = new MemoryWriter(_snapshot, store.Time.GetUtcNow().UtcTicks);
            WriteResult result = writer.Apply(batch);
            _snapshot = result.Status == WriteStatus.Applied ? writer.After : _snapshot;
            Batches++;
            return result;
        }
    }

    public override async ValueTask<HiLoRange> NextHiLoAsync(HiLoRequest request, CancellationToken cancellationToken)
    {
        if (Refusal is { } refusal)
        {
            return new HiLoRange(refusal, 0, 0, default);
        }

        long max = Math.Max(ReadMax(request.Tag), request.LastMax);
        if (max > long.MaxValue - request.Size)
        {
            return new HiLoRange(WriteStatus.NumbersExhausted, 0, 0, default);
        }

        long low = max + 1;
        await StoreMaxAsync(request.Tag, low + request.Size - 1);
        return new HiLoRange(WriteStatus.Applied, low, low + request.Size - 1, default);
    }

    public override async ValueTask<WriteStatus> ReturnHiLoAsync(
        string tag, long end, long last, CancellationToken cancellationToken)
    {
        if (ReadMax(tag) == end && last < end)
        {
            await StoreMaxAsync(tag, last);
        }

        return WriteStatus.Applied;
    }

    public override ValueTask<IdentityResult> NextIdentityAsync(string name, CancellationToken cancellationToken) =>
        Identity(name, value => value == long.MaxValue ? null : value + 1);

    public override ValueTask<IdentityResult> SeedIdentityAsync(
        string name, long value, bool force, CancellationToken cancellationToken) =>
        Identity(name, current => force ? value : Math.Max(current, value));

    private ValueTask<IdentityResult> Identity(string name, Func<long, long?> next)
    {
        lock (_lock)
        {
            var writer = new MemoryWriter(_snapshot, 0);
            WriteStatus status = writer.TryRaiseIdentity(name, next, out long value) ? WriteStatus.Applied : WriteStatus.NumbersExhausted;
            _snapshot = writer.After;
            return new ValueTask<IdentityResult>(new IdentityResult(status, value, default));
        }
    }

    private long ReadMax(string tag)
    {
        using var read = new MemoryReadScope(_snapshot);
        if (!read.TryGet(Encoding.UTF8.GetBytes($"raven/hilo/{tag}".ToLowerInvariant()), out StoredDocument stored))
        {
            return 0;
        }

        using JsonDocument document = JsonDocument.Parse(stored.Body.ToArray());
        return document.RootElement.GetProperty("Max").GetInt64();
    }

    private async Task StoreMaxAsync(string tag, long max)
    {
        using var parser = new DocumentParser();
        ParsedDocument document = parser.Parse(Encoding.UTF8.GetBytes($$$"""{"Max":{{{max}}},"@metadata":{"@collection":"@hilo"}}"""));
        var command = new WriteCommand
        {
            Kind = WriteCommandKind.Put,
            Id = Encoding.UTF8.GetBytes($"Raven/Hilo/{tag}"),
            Key = Encoding.UTF8.GetBytes($"raven/hilo/{tag}".ToLowerInvariant()),
            Body = document.Bytes,
            MetadataOffset = document.MetadataOffset,
            Collection = document.Collection,
        };
        await WriteAsync(new WriteBatch { Commands = new[] { command } }, CancellationToken.None);
    }
}
