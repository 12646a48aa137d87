using System.Collections.Concurrent;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Expiration;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Store;
using Jackdaw.Pal.Simulation;
using Jackdaw.Scripting.Caching;
using Jackdaw.Server.Tests.Documents.Attachments;
using Jackdaw.Server.Tests.Documents.Expiration;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Server.Tests.Documents.Mixed;

/// <summary>Writers that send random mixed batches to one database on a simulated disk, of which crash states are taken at every call that
/// promises durability.</summary>
internal sealed class MixedRun(int seed, int batches) : IDisposable
{
    private const int Writers = 5;
    private const int StatesBefore = 2;

    private static readonly byte[][] s_small = [.. Enumerable.Range(0, 4).Select(content => Bytes(content, 700))];
    private static readonly byte[][] s_large = [.. Enumerable.Range(0, 4).Select(content => Bytes(content, AttachmentLimits.ChunkBytes + 900 + content))];
    private static readonly QueryScripts s_scripts = new();

    private readonly SimulatedPlatform _platform = new(seed);
    private readonly SettableTime _time = new();
    private readonly ConcurrentDictionary<MixedBatch, bool> _inFlight = new();
    private long _acknowledged;
    private int _uploads;
    private int _nextState = seed * 10_000;

    /// <summary>Of the database.</summary>
    public string DatabaseId { get; } = StoredDatabase.MakeDatabaseId();

    public List<MixedState> States { get; } = [];

    /// <summary>Batches that were applied, in any order.</summary>
    public ConcurrentBag<MixedBatch> Applied { get; } = [];

    public int Refused { get; private set; }

    public void Dispose() => States.Clear();

    public async Task RunAsync()
    {
        await using StoredDatabase database = MixedCheck.Open(_platform, DatabaseId);
        database.Settings.SetRecord(Encoding.UTF8.GetBytes("""{"Expiration":{"Disabled":false}}"""));
        using JsonDocument json = JsonDocument.Parse("""{"Collections":{"Revised":{"MinimumRevisionsToKeep":3}}}""");
        Assert.True(RevisionsConfiguration.TryRead(json.RootElement, out RevisionsConfiguration? configuration, out _));
        database.Settings.Revisions = configuration;
        await database.Parts.AddAsync(new DueWorker(database, _time, NullLogger.Instance));
        _platform.BeforeOperation = operation => Take(operation, StatesBefore);
        _platform.AfterOperation = operation => Take(operation, 1);
        await Task.WhenAll(Enumerable.Range(0, Writers).Select(writer => Task.Run(() => WriteAsync(database, writer))));
        _platform.BeforeOperation = _platform.AfterOperation = null;
    }

    // Under the lock of the platform. What is acknowledged is read first: a commit that is acknowledged later may be there or not.
    private void Take(PalOperation operation, int states)
    {
        for (int i = 0; operation.IsBarrier && i < states; i++)
        {
            long acknowledged = Volatile.Read(ref _acknowledged);
            MixedBatch[] inFlight = [.. _inFlight.Keys];
            int state = _nextState++;
            States.Add(new MixedState(
                _platform.Crash(state), acknowledged, inFlight, Volatile.Read(ref _uploads), $"seed {seed}, state {state}, at {operation}"));
        }
    }

    private async Task WriteAsync(StoredDatabase database, int writer)
    {
        var random = new Random((seed * 100) + writer);
        for (int i = 1; i <= batches; i++)
        {
            var batch = new MixedBatch();
            var receivers = new List<ContentReceiver>();
            if (random.Next(10) == 0)
            {
                batch.Put($"wide/{writer}/{i}", i);
                batch.Reserve($"value/{writer}/{i}");
            }
            else
            {
                await FillAsync(database, batch, receivers, random, writer, i);
            }

            await SendAsync(database, batch);
            foreach (ContentReceiver receiver in receivers)
            {
                await receiver.DisposeAsync();
            }

            Interlocked.Add(ref _uploads, -receivers.Count);
            lock (_time)
            {
                _time.Advance(TimeSpan.FromSeconds(1));
            }
        }
    }

    private async Task SendAsync(StoredDatabase database, MixedBatch batch)
    {
        _inFlight[batch] = true;
        await batch.WriteAsync(database, s_scripts);
        if (batch.Etag == 0)
        {
            lock (_inFlight)
            {
                Refused++;
            }
        }
        else
        {
            Applied.Add(batch);
            for (long known = Volatile.Read(ref _acknowledged); known < batch.Etag;)
            {
                known = Interlocked.CompareExchange(ref _acknowledged, batch.Etag, known) is var found && found == known ? batch.Etag : found;
            }
        }

        _inFlight.Remove(batch, out _);
    }

    private async Task FillAsync(StoredDatabase database, MixedBatch batch, List<ContentReceiver> receivers, Random random, int writer, int number)
    {
        batch.Put($"marks/{writer}", number);
        if (random.Next(10) == 0)
        {
            // Never adopted.
            await ReceiveAsync(database, receivers, s_large[random.Next(4)]);
        }

        if (random.Next(6) == 0)
        {
            string due = $"due/{writer}/{number}";
            batch.Put(due, number, $",\"@expires\":\"{_time.In(TimeSpan.FromSeconds(random.Next(2, 30)))}\"", expires: true);
            batch.Count(due, "c", number);
            await AttachAsync(database, batch, receivers, due, "n0", random);
        }

        for (int i = random.Next(1, 5); i > 0; i--)
        {
            string id = random.Next(3) == 0 ? $"shared/{random.Next(2)}" : $"own/{writer}/{random.Next(3)}";
            if (random.Next(3) > 0)
            {
                batch.Put(id, random.Next(100));
            }

            await AddAsync(database, batch, receivers, id, random);
        }
    }

    private async ValueTask AddAsync(StoredDatabase database, MixedBatch batch, List<ContentReceiver> receivers, string id, Random random)
    {
        string name = $"n{random.Next(3)}";
        switch (random.Next(14))
        {
            case 0:
                batch.Delete(id);
                break;
            case 1:
                batch.Script(id, random.Next(10));
                break;
            case 2:
                batch.JsonPatch(id, random.Next(1000));
                break;
            case 3 or 4:
                batch.Count(id, $"c{random.Next(2)}", random.Next(1, 9));
                break;
            case 5:
                batch.Detach(id, name);
                break;
            case 6 or 7:
                await AttachAsync(database, batch, receivers, id, name, random);
                batch.Transfer(id, name, id, $"m{random.Next(2)}", isMove: random.Next(2) == 0);
                break;
            default:
                await AttachAsync(database, batch, receivers, id, name, random);
                break;
        }
    }

    private async Task AttachAsync(
        StoredDatabase database, MixedBatch batch, List<ContentReceiver> receivers, string id, string name, Random random)
    {
        bool isLarge = random.Next(7) == 0;
        byte[] bytes = (isLarge ? s_large : s_small)[random.Next(4)];
        ReceivedContent content = isLarge || random.Next(3) == 0
            ? await (await ReceiveAsync(database, receivers, bytes)).FinishAsync(0, CancellationToken.None)
            : AttachmentBed.Put(id, name, bytes).Content!;
        batch.Attach(id, name, bytes, content);
    }

    private async Task<ContentReceiver> ReceiveAsync(StoredDatabase database, List<ContentReceiver> receivers, byte[] bytes)
    {
        ContentReceiver receiver = AttachmentBed.NewReceiver(database);
        receivers.Add(receiver);
        Interlocked.Increment(ref _uploads);
        await receiver.AppendAsync(bytes, CancellationToken.None);
        return receiver;
    }

    private static byte[] Bytes(int content, int length)
    {
        byte[] bytes = new byte[length];
        new Random(content).NextBytes(bytes);
        return bytes;
    }
}

/// <summary>What a power cut could leave.</summary>
/// <param name="After">The disk.</param>
/// <param name="Acknowledged">Etag of the last batch that was acknowledged before.</param>
/// <param name="InFlight">Batches that were sent and not acknowledged.</param>
/// <param name="Uploads">Contents that were being received or waited for their batch.</param>
/// <param name="Place">For messages.</param>
internal sealed record MixedState(SimulatedPlatform After, long Acknowledged, MixedBatch[] InFlight, int Uploads, string Place);
