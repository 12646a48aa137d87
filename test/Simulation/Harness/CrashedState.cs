namespace Jackdaw.Simulation.Harness;

/// <summary>What a power cut left, with what may be found in it: of each storage of the volume, the root first.</summary>
internal sealed record CrashedState(SimulatedPlatform Platform, IReadOnlyList<OracleView> Views, string Place, int Seed)
{
    public CrashedState(SimulatedPlatform platform, OracleView allowed, string place, int seed)
        : this(platform, [allowed], place, seed)
    {
    }

    public override string ToString() => $"crash seed {Seed} {Place}, " +
        string.Join("; ", Views.Select((view, i) => $"storage {i}: acknowledged {view.Acknowledged}, submitted {view.Submitted}"));
}
