using System.Text;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Tests.Attachments;
using Jackdaw.Pal;
using Jackdaw.Scripting.Caching;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;
using Xunit.Abstractions;

namespace Jackdaw.Documents.Tests.Models;

/// <summary>Power cuts at every durable call while several writers send batches of all kinds of commands: what was acknowledged is there whole,
/// a batch in flight whole or not at all, and the collector leaves no byte that nothing refers to.</summary>
public sealed class TogetherCrashTests(ITestOutputHelper output)
{
    private readonly HashSet<string> _kinds = [];
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

    [Fact]
    public async Task PowerCuts_UnderBatchesOfAllKinds_KeepEachBatchWholeAndLeakNothing()
    {
        await RunAsync(41, states: 100, batches: 5, statesOfRunMax: 34);
        Assert.True(_uploading > 0 && _withLoose > 0 && _adoptionsThere + _adoptionsGone > 0, "too little happened");
    }

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(5_000)]
    public async Task FiveThousandPowerCuts_UnderBatchesOfAllKinds_KeepEachBatchWholeAndLeakNothing(int states)
    {
        await RunAsync(1000, states, batches: 8, statesOfRunMax: 160);
        Assert.All(
            [_uploading, _withLoose, _adoptionsThere, _adoptionsGone, _widesThere, _widesGone, _expired, _refused], count => Assert.True(count > 0));
        Assert.Empty(TogetherModelTests.KindsOfCommands.Except(_kinds));
    }

    private async Task RunAsync(int firstSeed, int states, int batches, int statesOfRunMax)
    {
        using var scripts = new QueryScripts();
        for (int seed = firstSeed; _states < states; seed++)
        {
            output.WriteLine($"seed {seed}");
            var run = new TogetherCrashRun(seed, batches, scripts);
            await run.RunAsync();
            _applied += run.Applied.Count();
            _refused += run.Refused;
            _kinds.UnionWith(run.Applied.SelectMany(one => one.Batch.Kinds));
            TogetherState[] chosen = [.. run.States];
            new Random(seed).Shuffle(chosen);
            foreach (TogetherState state in chosen.Take(Math.Min(statesOfRunMax, states - _states)))
            {
                await ExamineAsync(run, state);
            }
        }

        output.WriteLine(
            $"{_states} states of {_applied} batches ({_refused} refused); in flight at a cut: adoptions {_adoptionsThere} there, {_adoptionsGone} gone, " +
            $"cluster-wide {_widesThere} there, {_widesGone} gone; {_uploading} states with uploads, {_withLoose} with contents to collect, " +
            $"{_expired} with expired documents: 0 acknowledged lost, 0 half, 0 bytes leaked");
    }

    private async Task ExamineAsync(TogetherCrashRun run, TogetherState state)
    {
        _states++;
        _withLoose += CountLoose(state.After, state.Place) > 0 ? 1 : 0;
        _uploading += state.Uploads > 0 ? 1 : 0;
        await using DocumentDatabase database = TogetherCrashRun.Open(state.After);
        long last = Compare(database, run, state);
        foreach (TogetherBatch batch in state.InFlight.Where(batch => batch.Etag > 0))
        {
            bool isThere = batch.Etag <= last;
            _adoptionsThere += batch.Adopts && isThere ? 1 : 0;
            _adoptionsGone += batch.Adopts && !isThere ? 1 : 0;
            _widesThere += batch.IsClusterWide && isThere ? 1 : 0;
            _widesGone += batch.IsClusterWide && !isThere ? 1 : 0;
        }

        await AttachmentBed.CollectAsync(database);
        CheckCollected(database, state.Place);
    }

    // Contents that nothing refers to, before the collector sees them; everything else must be in order already.
    private static long CountLoose(IPlatform platform, string place)
    {
        var storage = StorageEnvironment.Open(platform, "/db", new StorageOptions { BackgroundFlush = false });
        try
        {
            using ReadTransaction read = storage.BeginRead();
            ContentReport report = ContentVerification.Examine(read);
            Assert.True(report.Problems.Count == 0, $"{place}: {string.Join("; ", report.Problems)}");
            return report.Loose;
        }
        finally
        {
            storage.Abandon();
        }
    }

    // Returns the etag of the last write that is there.
    private long Compare(DocumentDatabase database, TogetherCrashRun run, TogetherState state)
    {
        using DocumentReadScope read = database.BeginRead();
        long last = read.LastEtag.Value;
        Assert.True(last >= state.Acknowledged, $"{state.Place}: acknowledged up to {state.Acknowledged}, and only {last} is there");
        TogetherModel model = run.ModelAt(last);

        // These may have expired: each is there whole, or not at all.
        string[] expired = [.. model.Documents.Keys.Where(key =>
            key.StartsWith("due/", StringComparison.Ordinal) && !read.TryGet(Encoding.UTF8.GetBytes(key), out _))];
        Array.ForEach(expired, key => model.Documents.Remove(key));
        _expired += expired.Length > 0 ? 1 : 0;
        new TogetherComparison(read, database.Replica, model, state.Place).Run();
        AttachmentBed.CheckShown(read, state.Place);
        return last;
    }

    // Nothing is left that no attachment and no revision shows, and the pages are sound.
    private static void CheckCollected(DocumentDatabase database, string place)
    {
        using DocumentReadScope read = database.BeginRead();
        ContentReport report = ContentVerification.Examine(read.Transaction);
        Assert.True(report.Problems.Count == 0 && report.Loose == 0 && report.LooseBytes == 0,
            $"{place}: {report.Loose} contents with {report.LooseBytes} bytes left; {string.Join("; ", report.Problems)}");
        Assert.Empty(EnvironmentVerifier.Verify(database.Environment, DatabaseSchemas.Standard));
    }
}
