using System.Diagnostics;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage;
using Xunit.Abstractions;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>Power cuts and kills in the middle of rounds, repairs, reconnections and recodings: the graph is byte for byte what an acknowledged transaction, or
/// the one that was written, left.</summary>
public sealed class VectorCrashTests(ITestOutputHelper output)
{
    private const int StepsPerCutThatGoesOn = 10;

    /// <summary>Calls between barriers after which the power is cut, too: one in so many.</summary>
    private const int OtherCalls = 12;

    [Theory]
    [InlineData(1, 8, 40)]
    [InlineData(2, 256, 24)] // with recoding to signs
    public void Index_PowerCutAtEachBarrier_IsWhatATransactionLeft(int seed, int dimensions, int steps) => Run(seed, dimensions, steps);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(3, 8, 250)]
    [InlineData(4, 12, 250)]
    [InlineData(5, 256, 120)]
    [InlineData(6, 300, 120)]
    public void Index_PowerCutAtEachBarrierOfALongLife_IsWhatATransactionLeft(int seed, int dimensions, int steps) => Run(seed, dimensions, steps);

    [Theory]
    [InlineData(7, 8, 80)]
    [InlineData(8, 256, 100)]
    public void Step_ThatFindsTheDiskFull_LeavesTheIndexAsItWas(int seed, int dimensions, int steps)
    {
        var random = new Random(seed);
        var platform = new SimulatedPlatform(seed);
        using var life = new VectorLife(platform, seed, dimensions);
        (int refused, long room) = (0, platform.CapacityBytes);
        for (int step = 0; step < steps; step++)
        {
            platform.CapacityBytes = random.Next(2) == 0 ? room : platform.UsedBytes + random.Next(100_000);
            try
            {
                life.Step();
            }
            catch (DiskFullException)
            {
                refused++;
            }

            life.Check();
        }

        platform.CapacityBytes = room;
        life.Settle();
        output.WriteLine($"seed {seed}: {refused} times full, {string.Join(", ", life.Done.Select(done => $"{done.Value} {done.Key}"))}");
        Assert.True(refused > 3, $"{refused} times full");
    }

    private void Run(int seed, int dimensions, int steps)
    {
        long started = Stopwatch.GetTimestamp();
        var platform = new SimulatedPlatform(seed);
        using var life = new VectorLife(platform, seed, dimensions);
        List<(SimulatedPlatform Left, long Acknowledged, string Place)> cuts = [];
        int taken = 0;
        void Take(string when, in PalOperation operation)
        {
            if (operation.IsBarrier || operation.Sequence % OtherCalls == 0)
            {
                cuts.Add((platform.Crash((seed * 100_000) + taken++), life.Acknowledged, $"seed {seed}, cut {taken} {when} {operation}"));
            }
        }

        for (int step = 0; step < steps; step++)
        {
            platform.BeforeOperation = operation => Take("before", operation);
            platform.AfterOperation = operation => Take("after", operation);
            life.Step();
            (platform.BeforeOperation, platform.AfterOperation) = (null, null);
            _ = platform.OperationCount; // A call of another thread may still be under the platform's lock.
            cuts.ForEach(cut => Check(life, cut.Left, cut.Acknowledged, cut.Place, goesOn: step % StepsPerCutThatGoesOn == 0));
            cuts.Clear();
        }

        life.Settle();
        output.WriteLine($"seed {seed}: {taken} cuts, {string.Join(", ", life.Done.Select(done => $"{done.Value} {done.Key}"))}; "
            + $"{Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s");
        Assert.True(taken > 2 * steps, $"{taken} cuts");
        Assert.True(life.Done["steps"] >= 5 && life.Done["batches"] > 5);
    }

    private static void Check(VectorLife life, SimulatedPlatform left, long acknowledged, string place, bool goesOn)
    {
        try
        {
            using VectorLife after = life.Reopen(left, acknowledged, seed: 1);
            if (goesOn)
            {
                after.Step();
                after.Settle();
            }
        }
        catch (Exception e)
        {
            throw new InvalidOperationException($"{place}: {e.Message}", e);
        }
    }
}
