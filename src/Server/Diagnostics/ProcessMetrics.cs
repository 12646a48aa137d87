using System.Diagnostics.Metrics;
using Jackdaw.Storage.Scratch;

namespace Jackdaw.Server.Diagnostics;

/// <summary>Memory and writes of the process as metrics. Figures that the system does not provide have no value, not
/// zero.</summary>
internal static class ProcessMetrics
{
    public static void Add(Meter meter, MemoryWatch watch)
    {
        meter.CreateObservableCounter(
            "jackdaw.process.device.written", () => ProcessFigures.DeviceWriteBytes, "By", "Bytes written to devices.");
        meter.CreateObservableGauge(
            "jackdaw.process.memory.resident", () => MeasureResident(watch), "By", "Memory in RAM, by kind; they add up.");
        meter.CreateObservableGauge(
            "jackdaw.process.memory.heap", () => MemoryWatch.ManagedHeapBytes, "By", "Managed heap; part of the anonymous memory.");
        meter.CreateObservableGauge("jackdaw.process.memory.scratch", () => ScratchPool.ProcessMappedBytes, "By",
            "Mapped for scratch of all storages; what of it is in use is part of the anonymous memory.");
        meter.CreateObservableGauge(
            "jackdaw.process.mappings", () => Measure(watch.Take().Mappings), "{mapping}", "Memory mappings.");
        meter.CreateObservableGauge(
            "jackdaw.process.mappings.max", () => Measure(watch.Take().MappingsMax), "{mapping}", "Memory mappings the system allows.");
    }

    private static IEnumerable<Measurement<long>> Measure(long? value) => value is { } known ? [new Measurement<long>(known)] : [];

    private static IEnumerable<Measurement<long>> MeasureResident(MemoryWatch watch)
    {
        if (watch.Take().Resident is { } memory)
        {
            yield return OfKind(memory.Anonymous, "anonymous");
            yield return OfKind(memory.File, "file");
            yield return OfKind(memory.Shared, "shared");
        }
    }

    private static Measurement<long> OfKind(long bytes, string kind) => new(bytes, new KeyValuePair<string, object?>("kind", kind));
}
