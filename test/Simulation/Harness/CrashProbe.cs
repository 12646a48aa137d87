namespace Jackdaw.Simulation.Harness;

/// <summary>Takes crash states of a platform before and after its calls. The states are checked later: callbacks run under the
/// platform's lock and must not wait for the storage's threads.</summary>
internal sealed class CrashProbe : IDisposable
{
    private readonly SimulatedPlatform _platform;
    private readonly IReadOnlyList<Oracle> _oracles;
    private readonly Func<PalOperation, bool> _isWanted;
    private readonly int _seedsPerPoint;
    private List<CrashedState> _states = [];
    private int _nextSeed;

    public CrashProbe(
        SimulatedPlatform platform, Oracle oracle, int firstSeed, int seedsPerPoint = 1, Func<PalOperation, bool>? isWanted = null)
        : this(platform, [oracle], firstSeed, seedsPerPoint, isWanted)
    {
    }

    /// <param name="platform">Where to look.</param>
    /// <param name="oracles">Say what may be found in each storage.</param>
    /// <param name="firstSeed">Seed of the first state; the next one takes the next.</param>
    /// <param name="seedsPerPoint">States before and as many after each wanted call.</param>
    /// <param name="isWanted">Which calls; all barriers unless given.</param>
    public CrashProbe(
        SimulatedPlatform platform, IReadOnlyList<Oracle> oracles, int firstSeed, int seedsPerPoint = 1, Func<PalOperation, bool>? isWanted = null)
    {
        _platform = platform;
        _oracles = oracles;
        _nextSeed = firstSeed;
        _seedsPerPoint = seedsPerPoint;
        _isWanted = isWanted ?? (operation => operation.IsBarrier);
        platform.BeforeOperation = operation => Take("before", operation);
        platform.AfterOperation = operation => Take("after", operation);
    }

    /// <summary>States taken since they were fetched.</summary>
    public int Count => Volatile.Read(ref _states).Count;

    /// <summary>Stops taking and returns what was taken.</summary>
    public List<CrashedState> TakeStates()
    {
        _platform.BeforeOperation = null;
        _platform.AfterOperation = null;

        // A callback may still run on a thread of the storage; it holds the platform's lock, as this call does.
        _ = _platform.OperationCount;
        List<CrashedState> taken = _states;
        _states = [];
        return taken;
    }

    /// <summary>Takes more.</summary>
    public void Resume()
    {
        _platform.BeforeOperation = operation => Take("before", operation);
        _platform.AfterOperation = operation => Take("after", operation);
    }

    /// <summary>One more state, now.</summary>
    public void TakeNow(string place) => Add(place);

    public void Dispose() => TakeStates();

    private void Take(string when, in PalOperation operation)
    {
        if (!_isWanted(operation))
        {
            return;
        }

        for (int i = 0; i < _seedsPerPoint; i++)
        {
            Add($"{when} operation {operation.Sequence} {operation}");
        }
    }

    private void Add(string place)
    {
        // Read in this order: what was acknowledged before the cut must be found, what was submitted by then may be.
        List<OracleView> before = [.. _oracles.Select(oracle => oracle.View)];
        int seed = _nextSeed++;
        SimulatedPlatform left = _platform.Crash(seed);
        List<OracleView> views = [.. _oracles.Select((oracle, i) => oracle.View with { Acknowledged = before[i].Acknowledged })];
        _states.Add(new CrashedState(left, views, place, seed));
    }
}
