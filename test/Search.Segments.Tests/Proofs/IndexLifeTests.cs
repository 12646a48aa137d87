using System.Globalization;
using Xunit.Abstractions;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>Random lives of an index with kills and power cuts inside of merges.</summary>
public sealed class IndexLifeTests(ITestOutputHelper output)
{
    [Fact]
    public void Lives_WithKillsAndPowerCutsInMerges_EndAsARebuildDoes() => Run(first: 1, lives: 4, steps: 120);

    /// <summary>SEARCH_LIFE_SEED: the first seed, to repeat a run.</summary>
    [Fact]
    [Trait("Tier", "Full")]
    public void Lives_OfManySeeds_EndAsARebuildDoes() => Run(
        int.TryParse(Environment.GetEnvironmentVariable("SEARCH_LIFE_SEED"), NumberStyles.None, CultureInfo.InvariantCulture, out int seed) ? seed : 1000,
        lives: 200, steps: 150);

    private void Run(int first, int lives, int steps)
    {
        int cuts = 0, inMerges = 0;
        for (int seed = first; seed < first + lives; seed++)
        {
            using var life = new IndexLife(seed);
            life.Run(steps);
            cuts += life.Cuts;
            inMerges += life.CutsInMerges;
        }

        output.WriteLine($"{lives} lives, {cuts} cuts, {inMerges} of them inside of merges");
        Assert.True(cuts > lives * 3 && inMerges > lives, $"{cuts} cuts, {inMerges} inside of merges");
    }
}
