namespace Jackdaw.Bench.Writes;

/// <summary>What one flush cost.</summary>
/// <param name="WriteMs">Time of the writes, in milliseconds.</param>
/// <param name="SyncMs">Time of the fdatasync behind them.</param>
/// <param name="Calls">System calls of the writes.</param>
/// <param name="DeviceWrites">Writes the device completed meanwhile, those of other programs included.</param>
internal readonly record struct FlushCost(double WriteMs, double SyncMs, long Calls, long DeviceWrites)
{
    public double TotalMs => WriteMs + SyncMs;
}
