using System.Collections.Concurrent;
using System.Text;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Expiration;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Tests.Attachments;
using Jackdaw.Documents.Tests.Expiration;
using Jackdaw.Documents.Tests.Revisions;
using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Scripting.Caching;
using Jackdaw.Storage;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Documents.Tests.Models;

/// <summary>Writers that send random batches to one database on a simulated disk, of which crash states are taken at every call that promises
/// durability. Each writer has documents and a model of its own; a few documents and all contents of attachments are shared.</summary>
internal sealed class TogetherCrashRun(int seed, int batches, QueryScripts scripts)
{
    private const int Writers = 5;
    private const int StatesBefore = 2;
    private const int LargeBytes = AttachmentLimits.ChunkBytes + 900;

    private static readonly Dictionary<string, ModelRules> s_rules = new()
    {
        ["users"] = new ModelRules(false, false, 3, null, null),
        ["orders"] = new ModelRules(false, true, null, null, null),
    };

    private readonly SimulatedPlatform _platform = new(seed);
    private readonly SettableTime _time = new();
    private readonly ConcurrentDictionary<TogetherBatch, bool> _inFlight = new();
    private readonly ConcurrentBag<TogetherApplied> _applied = [];
    private long _acknowledged;
    private int _uploads;
    private int _refused;
    private int _nextState = seed * 10_000;

    public List<TogetherState> States { get; } = [];

    public int Refused => _refused;

    /// <summary>Batches that were applied, in their order.</summary>
    public IEnumerable<TogetherApplied> Applied => _applied.OrderBy(one => one.Batch.Etag);

    public static DocumentDatabase Open(IPlatform platform) => DocumentDatabase.Open(
        platform, "/db", "db", TogetherRun.DatabaseId, new DatabaseSettings(), new StorageOptions { IdleFlushMs = 30 });

    /// <summary>What must be there when the batches up to an etag are.</summary>
    public TogetherModel ModelAt(long last)
    {
        TogetherModel model = NewModel();
        var own = new Dictionary<int, TogetherModel>();
        foreach (TogetherApplied one in Applied.TakeWhile(one => one.Batch.Etag <= last))
        {
            one.Batch.ApplyShared(model);
            own[one.Writer] = one.After;
        }

        own.Values.ToList().ForEach(model.Join);
        return model;
    }

    public async Task RunAsync()
    {
        await using DocumentDatabase database = Open(_platform);
        database.Settings.SetRecord(Encoding.UTF8.GetBytes("""{"Expiration":{"Disabled":false}}"""));
        database.Settings.Revisions = TogetherRules.Read(s_rules);
        await database.Parts.AddAsync(new ScheduleWorker(database, _time, NullLogger.Instance));
        _platform.BeforeOperation = operation => Take(operation, StatesBefore);
        _platform.AfterOperation = operation => Take(operation, 1);
        await Task.WhenAll(Enumerable.Range(0, Writers).Select(writer => Task.Run(() => WriteAsync(database, writer))));
        _platform.BeforeOperation = _platform.AfterOperation = null;
    }

    private static TogetherModel NewModel()
    {
        var model = new TogetherModel();
        s_rules.ToList().ForEach(one => model.Rules.Add(one.Key, one.Value));
        return model;
    }

    // Under the lock of the platform. What is acknowledged is read first: a commit that is acknowledged later may be there or not.
    private void Take(PalOperation operation, int states)
    {
        for (int i = 0; operation.IsBarrier && i < states; i++)
        {
            long acknowledged = Volatile.Read(ref _acknowledged);
            TogetherBatch[] inFlight = [.. _inFlight.Keys];
            int state = _nextState++;
            States.Add(new TogetherState(
                _platform.Crash(state), acknowledged, inFlight, Volatile.Read(ref _uploads), $"seed {seed}, state {state}, at {operation}"));
        }
    }

    private async Task WriteAsync(DocumentDatabase database, int writer)
    {
        var random = new Random((seed * 100) + writer);
        TogetherModel model = NewModel();
        using var sender = new TogetherSender(scripts);
        for (int number = 1; number <= batches; number++)
        {
            TogetherModel after = model.Clone();
            TogetherBatch batch = Make(database, after, random, $"{writer}-", number);
            if (await UploadAndSendAsync(database, sender, batch, after, random))
            {
                after.EndBatch();
                model = after;
                Acknowledge(new TogetherApplied(writer, batch, after));
            }

            _inFlight.Remove(batch, out _);
            lock (_time)
            {
                _time.Advance(TimeSpan.FromSeconds(1));
            }
        }
    }

    private TogetherBatch Make(DocumentDatabase database, TogetherModel after, Random random, string scope, int number)
    {
        // The times of its documents do not come in this run: those of the expiring ones do.
        DateTime never = _time.GetUtcNow().UtcDateTime.AddYears(1);
        var batch = new TogetherBatch(after, random, never, scope) { ContentBytesMax = LargeBytes, LargeContentOf = 4 };
        if (number > 1 && random.Next(10) == 0)
        {
            batch.Mark($"wide/{scope}{number}", isClusterWide: true);
            batch.MakeClusterWide(index => $"TRXN:{index}-{TogetherRun.DatabaseId}");
            return batch;
        }

        batch.Mark($"marks/{scope}", isClusterWide: false);
        if (number == 1)
        {
            batch.Fill();
        }

        if (random.Next(6) == 0)
        {
            batch.AddExpiring($"due/{scope}{number}", _time.GetUtcNow().UtcDateTime.AddSeconds(random.Next(2, 30)));
        }

        if (random.Next(2) == 0)
        {
            batch.AddShared($"shared/{random.Next(2)}");
        }

        if (number > 1)
        {
            batch.Make(key => VectorOf(database, key));
        }

        return batch;
    }

    private async Task<bool> UploadAndSendAsync(DocumentDatabase database, TogetherSender sender, TogetherBatch batch, TogetherModel after, Random random)
    {
        var receivers = new List<ContentReceiver>();
        var contents = new List<ReceivedContent>();
        foreach (byte[] bytes in batch.Contents)
        {
            batch.Adopts |= bytes.Length == LargeBytes;
            contents.Add(bytes.Length == LargeBytes || random.Next(3) == 0
                ? await (await ReceiveAsync(database, receivers, bytes)).FinishAsync(0, CancellationToken.None)
                : TogetherSender.InMemory(bytes));
        }

        if (random.Next(10) == 0)
        {
            await ReceiveAsync(database, receivers, new byte[LargeBytes]); // Never adopted.
        }

        _inFlight[batch] = true;
        bool isApplied = await sender.SendAsync(database, batch, after, contents, $"seed {seed}");
        Assert.True(isApplied ? !batch.IsRefused : batch.IsRefused || batch.IsShared, $"seed {seed}: applied {isApplied}: {batch.Json}");
        foreach (ContentReceiver receiver in receivers)
        {
            await receiver.DisposeAsync();
        }

        Interlocked.Add(ref _uploads, -receivers.Count);
        Interlocked.Add(ref _refused, isApplied ? 0 : 1);
        return isApplied;
    }

    private async Task<ContentReceiver> ReceiveAsync(DocumentDatabase database, List<ContentReceiver> receivers, byte[] bytes)
    {
        ContentReceiver receiver = AttachmentBed.NewReceiver(database);
        receivers.Add(receiver);
        Interlocked.Increment(ref _uploads);
        await receiver.AppendAsync(bytes, CancellationToken.None);
        return receiver;
    }

    private void Acknowledge(TogetherApplied applied)
    {
        Assert.True(applied.Batch.Etag > 0, applied.Batch.Json);
        _applied.Add(applied);
        for (long known = Volatile.Read(ref _acknowledged); known < applied.Batch.Etag;)
        {
            known = Interlocked.CompareExchange(ref _acknowledged, applied.Batch.Etag, known) is var found && found == known ? applied.Batch.Etag : found;
        }
    }

    private static string VectorOf(DocumentDatabase database, string key)
    {
        using DocumentReadScope read = database.BeginRead();
        return read.TryGet(Encoding.UTF8.GetBytes(key), out StoredDocument document) ? database.Replica.TextOf(document.Version) : "";
    }
}

/// <summary>A batch of a writer, and the writer's model after it.</summary>
internal sealed record TogetherApplied(int Writer, TogetherBatch Batch, TogetherModel After);

/// <summary>What a power cut could leave.</summary>
/// <param name="After">The disk.</param>
/// <param name="Acknowledged">Etag of the last batch that was acknowledged before.</param>
/// <param name="InFlight">Batches that were sent and not acknowledged.</param>
/// <param name="Uploads">Contents that were being received or waited for their batch.</param>
/// <param name="Place">For messages.</param>
internal sealed record TogetherState(SimulatedPlatform After, long Acknowledged, TogetherBatch[] InFlight, int Uploads, string Place);
