using System.Collections.Concurrent;
using System.Globalization;
using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Xunit.Abstractions;
using Loaded = Jackdaw.Server.Tests.Http.Reading.ClusterWideStore.Loaded;

namespace Jackdaw.Server.Tests.Http.Reading;

/// <summary>Cluster-wide transactions of 16 clients, with power cuts in between, are as if they had run one after the other, in the order of
/// their indexes.</summary>
/// <remarks>
/// Append: a transaction loads some lists and adds its number to each. Register: it loads some registers, puts its number into some and
/// deletes others. What each transaction read must be what the one before it, of those that wrote the document, has left; readers of several
/// documents must see the state after one of the transactions.
/// </remarks>
public sealed class SerialisabilityTests(ITestOutputHelper output)
{
    private const int Clients = 16;
    private const int Documents = 6;
    private const int DocumentsOfOneMax = 3;

    [Theory]
    [InlineData(1, 1000, 2, false)]
    [InlineData(2, 1000, 2, true)]
    public Task Transactions_AreSerialisable(int seed, int transactions, int cuts, bool isRegister) => RunAsync(seed, transactions, cuts, isRegister);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(11, 25_000, 20, false)]
    [InlineData(12, 25_000, 20, true)]
    public Task ManyTransactions_AreSerialisable(int seed, int transactions, int cuts, bool isRegister) =>
        RunAsync(seed, transactions, cuts, isRegister);

    [Fact]
    public async Task Database_ThatIsOpenedAgain_KnowsItsGuards()
    {
        var platform = new SimulatedPlatform(1);
        await using (var before = new ClusterWideStore(platform))
        {
            Assert.NotNull(await before.SaveAsync(ClusterWideStore.Put("a", "1", new Loaded(null, null))));
        }

        await using var store = new ClusterWideStore(platform);
        Loaded loaded = (await store.LoadAsync("a"))["a"];
        Assert.Equal("1", loaded.Value?.GetRawText());
        Assert.NotNull(await store.SaveAsync(ClusterWideStore.Put("a", "2", loaded)));
        Assert.Null(await store.SaveAsync(ClusterWideStore.Put("a", "3", loaded)));
    }

    private async Task RunAsync(int seed, int transactions, int cuts, bool isRegister)
    {
        output.WriteLine($"seed {seed}");
        var history = new History(isRegister);
        IPlatform platform = new SimulatedPlatform(seed);
        for (int cut = 0; cut <= cuts; cut++)
        {
            Phase phase = await RunPhaseAsync(history, (SimulatedPlatform)platform, seed + cut, transactions / (cuts + 1), cut < cuts);
            platform = phase.After ?? platform;
            await using var recovered = new ClusterWideStore(platform);
            history.Keep(phase, recovered.LastEtag);
        }

        await using var last = new ClusterWideStore(platform);
        int committed = await history.CheckAsync(last);
        output.WriteLine($"{committed} transactions committed, {history.Refused} refused");
        Assert.True(committed > transactions / 10, $"only {committed} of {transactions} were committed");
        Assert.True(history.Refused > 0, "nobody was in another's way");
    }

    // The power is cut after three quarters of the transactions; the others do not know that, and what becomes of them depends on the moment.
    private static async Task<Phase> RunPhaseAsync(History history, SimulatedPlatform platform, int seed, int transactions, bool isCut)
    {
        var ended = new ConcurrentQueue<Transaction>();
        Transaction[] acknowledged = [];
        SimulatedPlatform? after = null;
        await using (var store = new ClusterWideStore(platform))
        {
            int begun = 0;
            int done = 0;
            await Task.WhenAll(Enumerable.Range(0, Clients).Select(client => Task.Run(async () =>
            {
                var random = new Random((seed * Clients) + client);
                while (Interlocked.Increment(ref begun) <= transactions)
                {
                    await history.RunOneAsync(store, random, ended);
                    if (Interlocked.Increment(ref done) == transactions * 3 / 4 && isCut)
                    {
                        acknowledged = [.. ended];
                        after = platform.Crash(seed);
                    }
                }
            })));
        }

        return new Phase([.. ended], isCut ? acknowledged : [.. ended], after);
    }

    /// <param name="Ended">All transactions whose end a client saw, some of them after the cut.</param>
    /// <param name="Acknowledged">Those before the cut.</param>
    /// <param name="After">The disk after the cut; null: there was none.</param>
    private sealed record Phase(Transaction[] Ended, Transaction[] Acknowledged, SimulatedPlatform? After);

    /// <summary>A transaction that was acknowledged.</summary>
    /// <param name="Index">0 for a reader.</param>
    /// <param name="Read">Value of each document; null: none.</param>
    /// <param name="Wrote">As for what was read; empty for a reader.</param>
    private sealed record Transaction(long Index, Dictionary<string, string?> Read, Dictionary<string, string?> Wrote)
    {
        public bool HasWritten => Wrote.Any(one => one.Value is not null || Read[one.Key] is not null);
    }

    private sealed class History(bool isRegister)
    {
        private readonly List<Transaction> _kept = [];
        private long _next;
        private int _refused;

        public int Refused => _refused;

        /// <summary>A cut keeps the transactions up to one of them: that is, all that were acknowledged before, and some of those that ran.</summary>
        public void Keep(Phase phase, long lastEtag)
        {
            Assert.All(
                phase.Acknowledged.Where(one => one.HasWritten),
                one => Assert.True(one.Index <= lastEtag, $"transaction {one.Index} was acknowledged and is lost"));
            _kept.AddRange(phase.Ended.Where(one => one.HasWritten && one.Index <= lastEtag));
            _kept.AddRange(phase.Acknowledged.Where(one => !one.HasWritten));
        }

        public async Task RunOneAsync(ClusterWideStore store, Random random, ConcurrentQueue<Transaction> ended)
        {
            string[] ids = [.. Enumerable.Range(0, Documents).OrderBy(_ => random.Next()).Take(random.Next(1, DocumentsOfOneMax + 1)).Select(n => $"d/{n}")];
            Dictionary<string, Loaded> loaded = await store.LoadAsync(ids);
            var read = loaded.ToDictionary(one => one.Key, one => one.Value.Value?.GetRawText());
            if (random.Next(4) == 0)
            {
                ended.Enqueue(new Transaction(0, read, []));
                return;
            }

            string number = Interlocked.Increment(ref _next).ToString(CultureInfo.InvariantCulture);
            var wrote = read.ToDictionary(one => one.Key, one => Write(one.Value, number, random));
            long? index = await store.SaveAsync(wrote.Select(one => one.Value is null
                ? ClusterWideStore.Delete(one.Key, loaded[one.Key])
                : ClusterWideStore.Put(one.Key, one.Value, loaded[one.Key])));
            if (index is { } written)
            {
                ended.Enqueue(new Transaction(written, read, wrote));
            }
            else
            {
                Interlocked.Increment(ref _refused);
            }
        }

        /// <summary>Transactions in the order of their indexes, and what they leave.</summary>
        public async Task<int> CheckAsync(ClusterWideStore store)
        {
            // A transaction that only deletes what is not there takes no etag: its index is that of the next one that writes.
            Transaction[] writers = [.. _kept.Where(one => one.Wrote.Count > 0).OrderBy(one => one.Index).ThenBy(one => one.HasWritten)];
            long[] indexes = [.. writers.Where(one => one.HasWritten).Select(one => one.Index)];
            Assert.Equal(indexes.Distinct(), indexes);
            var states = new Dictionary<string, List<(long From, string? Value)>>();
            for (int i = 0; i < Documents; i++)
            {
                states[$"d/{i}"] = [(0, null)];
            }

            foreach (Transaction writer in writers)
            {
                foreach ((string id, string? value) in writer.Read)
                {
                    Assert.True(
                        states[id][^1].Value == value,
                        $"transaction {writer.Index} read {value ?? "nothing"} of {id}, and there was {states[id][^1].Value ?? "nothing"}");
                    states[id].Add((writer.Index, writer.Wrote[id]));
                }
            }

            Assert.All(_kept.Where(one => one.Wrote.Count == 0), reader => CheckReader(reader, states));
            foreach ((string id, Loaded loaded) in await store.LoadAsync([.. states.Keys]))
            {
                Assert.Equal(states[id][^1].Value, loaded.Value?.GetRawText());
            }

            return writers.Length;
        }

        // There is an index at which all that was read was there.
        private static void CheckReader(Transaction reader, Dictionary<string, List<(long From, string? Value)>> states)
        {
            IEnumerable<long> candidates = reader.Read.SelectMany(one =>
                states[one.Key].Where(state => state.Value == one.Value).Select(state => state.From));
            bool isSeen = candidates.Any(index => reader.Read.All(one =>
                states[one.Key].Last(state => state.From <= index).Value == one.Value));
            Assert.True(isSeen, "a reader saw a state that there never was: " + string.Join(", ", reader.Read));
        }

        private string? Write(string? before, string number, Random random) => isRegister
            ? random.Next(4) == 0 ? null : number
            : before is null ? $"[{number}]" : $"{before[..^1]},{number}]";
    }
}
