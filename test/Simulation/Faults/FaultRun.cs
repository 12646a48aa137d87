using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage;

namespace Jackdaw.Simulation.Faults;

/// <summary>Lives one life after the other, each with its fault at another call, until a fault finds no call any more.</summary>
internal static class FaultRun
{
    private const int CallsMax = 5000;

    /// <param name="output">Gets a line of counts, and each violation.</param>
    /// <param name="effect">What happens to the call.</param>
    /// <param name="repeats">True: to all calls from that one on.</param>
    /// <param name="stride">Calls from one tested fault to the next.</param>
    /// <param name="seed">For the report.</param>
    /// <param name="live">One life; says whether the fault came out, and how many crash states were checked.</param>
    public static void RunAll(
        ITestOutputHelper output, FaultEffect effect, bool repeats, int stride, int seed, Func<SimulatedFault, (bool Surfaced, int States)> live)
    {
        long started = Stopwatch.GetTimestamp();
        List<string> violations = [];
        int runs = 0, surfaced = 0, states = 0;
        int first = 1 + ((((int)effect * 7) + (repeats ? 3 : 0)) % stride); // each effect meets other calls
        for (int n = first; n < CallsMax; n += stride)
        {
            var fault = new SimulatedFault { Effect = effect, Occurrence = n, Repeats = repeats };
            try
            {
                (bool hasSurfaced, int count) = live(fault);
                surfaced += hasSurfaced ? 1 : 0;
                states += count;
            }
            catch (Exception e)
            {
                violations.Add($"call {n}: {fault.Hit}: {e}");
            }

            runs++;
            if (fault.Fired == 0)
            {
                break;
            }
        }

        output.WriteLine($"{effect}{(repeats ? " for good" : "")}: {runs} runs, {surfaced} surfaced, {states} crash states, seed {seed}, " +
            $"{Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s, {violations.Count} violations");
        violations.ForEach(output.WriteLine);
        Assert.Empty(violations.Select(violation => violation.Split(Environment.NewLine)[0]));
        Assert.True(runs > 1, "the fault found no call: the test proves nothing");
        bool isHidden = effect is FaultEffect.Interrupted or FaultEffect.ShortTransfer || IsRefusal(effect);
        Assert.Equal(isHidden, surfaced == 0);
    }

    /// <summary>True for a link that is refused: the storage has another way.</summary>
    public static bool IsRefusal(FaultEffect effect) => effect is FaultEffect.LinkAcrossVolumes or FaultEffect.TooManyLinks;

    /// <summary>What comes out of a storage says what happened, and only when something did.</summary>
    public static void RequireTyped(Exception e, SimulatedFault fault)
    {
        bool isTyped = e is StoragePoisonedException or DiskFullException or ResourceShortageException
            or PalException { Status: PalStatus.IoError or PalStatus.NoSpace or PalStatus.TooManyFiles };
        bool isRight = (e is not DiskFullException || fault.Effect == FaultEffect.NoSpace)
            && (e is not ResourceShortageException || fault.Effect == FaultEffect.TooManyFiles);
        if (!isTyped || !isRight || fault.Fired == 0)
        {
            throw new SimulationViolationException($"{fault.Effect} came out as {e.GetType().Name}: {e.Message}", e);
        }
    }
}
