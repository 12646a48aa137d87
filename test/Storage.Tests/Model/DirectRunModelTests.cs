using System.Diagnostics;
using System.Globalization;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Model;

/// <summary>Random scripts of runs that bypass the journal, mixed with ordinary ones under the same few keys, beside readers, flushes, syncs, holes,
/// rollbacks and kills, against ordered maps.</summary>
/// <remarks>A failure prints its seed. To run one again: <c>JACKDAW_RUNS_SEED=17 dotnet test test/Storage.Tests --filter
/// Runs_ChosenSeed</c>; it also prints a shorter script that fails.</remarks>
public sealed class DirectRunModelTests(ITestOutputHelper output)
{
    private const string SeedVariable = "JACKDAW_RUNS_SEED";
    private const int QuickSteps = 1600;
    private const int FullSteps = 5000;
    private const int VerifiedSteps = 1000;
    private const int ShrinkTries = 150;

    public static TheoryData<int> QuickSeeds => [.. Enumerable.Range(1, 6)];

    [Theory]
    [MemberData(nameof(QuickSeeds))]
    public void Runs_RandomScript_TellTheSameAsTheModel(int seed) => Run(ModelSettings.OfRuns(seed), QuickSteps);

    [Theory]
    [InlineData(41)]
    [InlineData(42)]
    [InlineData(43)]
    public void Runs_RandomScriptVerifiedAfterEachCommit_AreSoundAllTheTime(int seed) =>
        Run(ModelSettings.OfRuns(seed) with { VerifiesCommits = true }, VerifiedSteps);

    [Fact]
    [Trait("Tier", "Full")]
    public void Runs_ManyRandomScripts_TellTheSameAsTheModel()
    {
        long started = Stopwatch.GetTimestamp();
        foreach (int seed in Enumerable.Range(2000, 200))
        {
            Run(ModelSettings.OfRuns(seed), FullSteps);
        }

        output.WriteLine($"1,000,000 operations, 200 seeds, {Stopwatch.GetElapsedTime(started).TotalSeconds:0} s");
    }

    [ChosenSeedFact]
    public void Runs_ChosenSeed_TellTheSameAsTheModel()
    {
        int seed = int.Parse(Environment.GetEnvironmentVariable(SeedVariable)!, CultureInfo.InvariantCulture);
        ModelSettings settings = ModelSettings.OfRuns(seed);
        List<ModelStep> script = ModelScript.GenerateRuns(seed, FullSteps);
        if (StorageModelTests.TryRun(settings, script) is { } failure)
        {
            script = ModelScript.Shrink(script, part => StorageModelTests.TryRun(settings, part) is not null, ShrinkTries);
            Assert.Fail($"seed {seed}: {failure}\nA shorter script:\n{string.Join('\n', script)}\n{StorageModelTests.TryRun(settings, script)}");
        }
    }

    private void Run(ModelSettings settings, int steps)
    {
        long started = Stopwatch.GetTimestamp();
        string? failure = StorageModelTests.TryRun(settings, ModelScript.GenerateRuns(settings.Seed, steps));
        output.WriteLine($"{settings}, {steps} steps: {Stopwatch.GetElapsedTime(started).TotalSeconds:0.00} s");
        Assert.True(failure is null, $"{SeedVariable}={settings.Seed} runs it again. {failure}");
    }

    /// <summary>Skipped unless a seed was chosen.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    private sealed class ChosenSeedFactAttribute : FactAttribute
    {
        public ChosenSeedFactAttribute() =>
            Skip = Environment.GetEnvironmentVariable(SeedVariable) is null ? $"{SeedVariable} names no seed to run again" : null!;
    }
}
