using Jackdaw.Pal.Simulation;

namespace Jackdaw.Simulation.Harness;

/// <summary>What a power cut left, with what may be found in it.</summary>
internal sealed record CrashedState(SimulatedPlatform Platform, OracleView Allowed, string Place, int Seed)
{
    public override string ToString() =>
        $"crash seed {Seed} {Place}, acknowledged {Allowed.Acknowledged}, submitted {Allowed.Submitted}";
}
