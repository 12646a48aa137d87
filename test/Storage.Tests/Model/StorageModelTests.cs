using System.Diagnostics;
using System.Globalization;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Model;

/// <summary>Random operations on a whole storage against ordered maps: trees, a table, readers that stay, flushes, syncs,
/// journals, rollbacks, restarts.</summary>
/// <remarks>A failure prints its seed. To run one again: <c>JACKDAW_MODEL_SEED=17 JACKDAW_MODEL_STEPS=5000 dotnet test
/// test/Storage.Tests --filter Storage_ChosenSeed</c>; it also prints a shorter script that fails.</remarks>
public sealed class StorageModelTests(ITestOutputHelper output)
{
    private const string SeedVariable = "JACKDAW_MODEL_SEED";
    private const int QuickSteps = 3400;
    private const int FullSteps = 5000;
    private const int VerifiedSteps = 1500;
    private const int ShrinkTries = 150;

    public static TheoryData<int> QuickSeeds => [.. Enumerable.Range(1, 4)];

    [Theory]
    [MemberData(nameof(QuickSeeds))]
    public void Storage_RandomScript_TellsTheSameAsTheModel(int seed) => Run(seed, QuickSteps);

    [Theory]
    [InlineData(31)]
    [InlineData(32)]
    public void Storage_RandomScriptVerifiedAfterEachCommit_IsSoundAllTheTime(int seed)
    {
        using var run = new ModelRun(ModelSettings.Of(seed) with { VerifiesCommits = true });
        run.Run(ModelScript.Generate(seed, VerifiedSteps));
        output.WriteLine($"seed {seed}: {run.VerifiedCommits} commits verified");
        Assert.True(run.VerifiedCommits > VerifiedSteps / 50, $"seed {seed}: {run.VerifiedCommits} commits were verified.");
    }

    [Fact]
    [Trait("Tier", "Full")]
    public void Storage_ManyRandomScripts_TellTheSameAsTheModel()
    {
        long started = Stopwatch.GetTimestamp();
        foreach (int seed in Enumerable.Range(7, 6).Concat(Enumerable.Range(1000, 194)))
        {
            Run(seed, FullSteps);
        }

        output.WriteLine($"1,000,000 operations, 200 seeds, {Stopwatch.GetElapsedTime(started).TotalSeconds:0} s");
    }

    [ChosenSeedFact]
    public void Storage_ChosenSeed_TellsTheSameAsTheModel()
    {
        int seed = int.Parse(Environment.GetEnvironmentVariable(SeedVariable)!, CultureInfo.InvariantCulture);
        string steps = Environment.GetEnvironmentVariable("JACKDAW_MODEL_STEPS") ?? "";
        List<ModelStep> script = ModelScript.Generate(seed, steps.Length == 0 ? QuickSteps : ParseSteps(steps));
        if (TryRun(ModelSettings.Of(seed), script) is { } failure)
        {
            script = ModelScript.Shrink(script, part => TryRun(ModelSettings.Of(seed), part) is not null, ShrinkTries);
            Assert.Fail($"seed {seed}: {failure}\nA shorter script:\n{string.Join('\n', script)}\n" +
                TryRun(ModelSettings.Of(seed), script));
        }
    }

    private static int ParseSteps(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    internal static string? TryRun(ModelSettings settings, List<ModelStep> script)
    {
        var run = new ModelRun(settings);
        try
        {
            run.Run(script);
            run.Dispose();
            return null;
        }
        catch (Exception failure)
        {
            // The storage may be in any state: its folder is left, its memory too.
            string at = run.Position < script.Count ? script[run.Position].ToString() : "the end";
            return $"step {run.Position} {at} {settings}: {failure}";
        }
    }

    private void Run(int seed, int steps)
    {
        long started = Stopwatch.GetTimestamp();
        var settings = ModelSettings.Of(seed);
        string? failure = TryRun(settings, ModelScript.Generate(seed, steps));
        output.WriteLine($"{settings}, {steps} steps: {Stopwatch.GetElapsedTime(started).TotalSeconds:0.00} s");
        Assert.True(failure is null,
            $"JACKDAW_MODEL_SEED={seed} JACKDAW_MODEL_STEPS={steps} runs it again. {failure}");
    }

    /// <summary>Skipped unless a seed was chosen.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    private sealed class ChosenSeedFactAttribute : FactAttribute
    {
        public ChosenSeedFactAttribute() =>
            Skip = Environment.GetEnvironmentVariable(SeedVariable) is null ? $"{SeedVariable} names no seed to run again" : null!;
    }
}
