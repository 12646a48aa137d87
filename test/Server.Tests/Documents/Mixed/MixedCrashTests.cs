using Jackdaw.Documents.Store;
using Jackdaw.Server.Tests.Documents.Attachments;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Documents.Mixed;

/// <summary>Power cuts at every durable call while mixed batches are written and attachments are adopted: what was acknowledged is there whole,
/// a batch in flight whole or not at all, and the collector leaves no byte that nothing refers to.</summary>
public sealed class MixedCrashTests(ITestOutputHelper output)
{
    private int _states;
    private int _applied;
    private int _refused;
    private int _adoptionsThere;
    private int _adoptionsGone;
    private int _widesThere;
    private int _widesGone;
    private int _expired;
    private int _uploading;
    private int _withLoose;
    private readonly HashSet<string> _kinds = [];

    [Fact]
    public async Task PowerCuts_UnderMixedBatches_KeepEachBatchWholeAndLeakNothing()
    {
        for (int seed = 41; _states < 100; seed++)
        {
            await RunAsync(seed, batches: 5, statesMax: 100 - _states);
        }

        Report();
        Assert.True(_uploading > 0 && _withLoose > 0 && _adoptionsThere + _adoptionsGone > 0, "too little happened");
    }

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(5_000)]
    public async Task FiveThousandPowerCuts_UnderMixedBatches_KeepEachBatchWholeAndLeakNothing(int states)
    {
        for (int seed = 1000; _states < states; seed++)
        {
            await RunAsync(seed, batches: 8, statesMax: 160);
        }

        Report();
        Assert.True(_states >= states);
        Assert.All(
            [_uploading, _withLoose, _adoptionsThere, _adoptionsGone, _widesThere, _widesGone, _expired, _refused], count => Assert.True(count > 0));
        Assert.Equal(
            ["AttachmentCOPY", "AttachmentDELETE", "AttachmentMOVE", "AttachmentPUT", "CompareExchangePUT", "Counters", "DELETE", "JsonPatch", "PATCH", "PUT"],
            _kinds.Order(StringComparer.Ordinal));
    }

    private void Report() => output.WriteLine(
        $"{_states} states of {_applied} batches ({_refused} refused); in flight at a cut: adoptions {_adoptionsThere} there, {_adoptionsGone} gone, " +
        $"cluster-wide {_widesThere} there, {_widesGone} gone; {_uploading} states with uploads, {_withLoose} with contents to collect, " +
        $"{_expired} with expired documents: 0 acknowledged lost, 0 half, 0 bytes leaked");

    private async Task RunAsync(int seed, int batches, int statesMax)
    {
        output.WriteLine($"seed {seed}");
        using var run = new MixedRun(seed, batches);
        await run.RunAsync();
        MixedBatch[] ordered = [.. run.Applied.OrderBy(batch => batch.Etag)];
        _applied += ordered.Length;
        _refused += run.Refused;
        _kinds.UnionWith(ordered.SelectMany(batch => batch.Kinds));
        var random = new Random(seed);
        MixedState[] chosen = [.. run.States];
        random.Shuffle(chosen);
        foreach (MixedState state in chosen.Take(statesMax))
        {
            await ExamineAsync(state, ordered, run.DatabaseId);
        }
    }

    private async Task ExamineAsync(MixedState state, MixedBatch[] ordered, string databaseId)
    {
        _states++;
        _withLoose += MixedCheck.CountLoose(state.After, state.Place) > 0 ? 1 : 0;
        _uploading += state.Uploads > 0 ? 1 : 0;
        await using StoredDatabase database = MixedCheck.Open(state.After, databaseId);
        (long last, bool hasExpired) = MixedCheck.Check(database, ordered, state);
        _expired += hasExpired ? 1 : 0;
        foreach (MixedBatch batch in state.InFlight.Where(batch => batch.Etag > 0))
        {
            bool isThere = batch.Etag <= last;
            _adoptionsThere += batch.Adopts && isThere ? 1 : 0;
            _adoptionsGone += batch.Adopts && !isThere ? 1 : 0;
            _widesThere += batch.IsClusterWide && isThere ? 1 : 0;
            _widesGone += batch.IsClusterWide && !isThere ? 1 : 0;
        }

        await AttachmentBed.CollectAsync(database);
        MixedCheck.CheckCollected(database, state.Place);
    }
}
