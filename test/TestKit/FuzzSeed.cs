using System.Globalization;

namespace Jackdaw.TestKit;

/// <summary>Seeds and rounds of the random tests: fixed for the usual run, overridden to search further.</summary>
/// <remarks><c>JACKDAW_FUZZ_SEED=5 JACKDAW_FUZZ_ROUNDS=1000000 dotnet test</c> runs other and more rounds. Every
/// failure names the seed of its own round: with that and one round it fails at once.</remarks>
public static class FuzzSeed
{
    public static int First => Read("JACKDAW_FUZZ_SEED", 1);

    public static int Rounds(int usual) => Read("JACKDAW_FUZZ_ROUNDS", usual);

    private static int Read(string name, int usual)
    {
        string? text = Environment.GetEnvironmentVariable(name);
        return int.TryParse(text, CultureInfo.InvariantCulture, out int value) ? value : usual;
    }
}
