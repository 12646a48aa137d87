using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Random changes of documents and of indexes, with power cuts: what indexes hold in the end is what the same indexes hold when they
/// are built afterwards, and an answer that is not called stale is right at any time.</summary>
public sealed class IndexModelTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 5)]
    public Task Changes_Random_LeaveWhatARebuildGives(int seed, int batchesBetweenCuts) =>
        RunAsync(new IndexModelRun(seed) { BatchesBetweenCuts = batchesBetweenCuts }, batches: 15);

    /// <summary>More documents than a batch reads, and references that take several batches; indexes are disabled, paused, reset, changed
    /// and rest while tombstones are trimmed.</summary>
    [Theory]
    [InlineData(3, 0, false)]
    [InlineData(4, 4, false)]
    [InlineData(5, 1, true)]
    public Task Changes_BesideTrimmingAndChangesOfIndexes_LeaveWhatARebuildGives(int seed, int batchesBetweenCuts, bool hasTinySlices) => RunAsync(
        new IndexModelRun(seed) { BatchesBetweenCuts = batchesBetweenCuts, Documents = 400, ChangesIndexes = true, HasTinySlices = hasTinySlices },
        batches: 8);

    [Trait("Tier", "Soak")]
    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(20)]
    public async Task Changes_RandomForLong_LeaveWhatARebuildGives(int batchesBetweenCuts)
    {
        for (int round = 0; round < 10; round++)
        {
            await RunAsync(new IndexModelRun(Environment.TickCount + round) { BatchesBetweenCuts = batchesBetweenCuts }, batches: 200);
        }
    }

    /// <summary>INDEX_MODEL_SEED: the seed to begin with, to repeat a run; INDEX_MODEL_ROUNDS: the number of seeds.</summary>
    [Trait("Tier", "Soak")]
    [Fact]
    public async Task Changes_BesideTrimmingOverManySeeds_LeaveWhatARebuildGives()
    {
        int first = int.TryParse(Environment.GetEnvironmentVariable("INDEX_MODEL_SEED"), out int seed) ? seed : Environment.TickCount;
        int rounds = int.TryParse(Environment.GetEnvironmentVariable("INDEX_MODEL_ROUNDS"), out int wanted) ? wanted : 200;
        for (int round = 0; round < rounds; round++)
        {
            var run = new IndexModelRun(first + round)
            {
                BatchesBetweenCuts = round % 3 * 4,
                Documents = round % 2 == 0 ? 25 : 400,
                ChangesIndexes = true,
                HasTinySlices = round % 4 > 0,
            };
            await RunAsync(run, batches: 30);
        }
    }

    /// <summary>A server that is killed in the middle of its work, changed at once after it is back, and killed again.</summary>
    [Fact]
    public Task Kill_TenTimesBetweenChanges_IndexesFollow() => RunAsync(new IndexModelRun(seed: 20) { BatchesBetweenCuts = 1 }, batches: 10);

    [Trait("Tier", "Full")]
    [Fact]
    public Task Kill_HundredTimesBetweenChanges_IndexesFollow() =>
        RunAsync(new IndexModelRun(Environment.TickCount) { BatchesBetweenCuts = 1 }, batches: 100);

    private async Task RunAsync(IndexModelRun run, int batches)
    {
        output.WriteLine($"{run}, {batches} batches");
        try
        {
            await run.RunAsync(batches);
        }
        catch (Exception failure)
        {
            throw new InvalidOperationException($"{run}, {batches} batches; the last steps: {run.Steps}\n{failure.Message}", failure);
        }
    }
}
