using System.Text.Json;
using Jackdaw.Server.Diagnostics;
using Jackdaw.Storage.Scratch;

namespace Jackdaw.Server.Http.Answers;

/// <summary>The process's memory as a member of a JSON answer.</summary>
internal static class MemoryReport
{
    /// <summary>Writes the member. Figures that the system does not provide are null.</summary>
    public static void Write(Utf8JsonWriter json, MemoryWatch watch)
    {
        MemorySample sample = watch.Take();
        json.WriteStartObject("ProcessMemory"u8);
        WriteNumberOrNull(json, "ResidentBytes"u8, sample.Resident?.Resident);
        WriteNumberOrNull(json, "AnonymousBytes"u8, sample.Resident?.Anonymous);
        WriteNumberOrNull(json, "FileBytes"u8, sample.Resident?.File);
        WriteNumberOrNull(json, "SharedBytes"u8, sample.Resident?.Shared);
        WriteNumberOrNull(json, "SwappedBytes"u8, sample.Resident?.Swapped);
        json.WriteNumber("ScratchMappedBytes"u8, ScratchPool.ProcessMappedBytes);
        json.WriteNumber("ManagedHeapBytes"u8, MemoryWatch.ManagedHeapBytes);
        WriteNumberOrNull(json, "Mappings"u8, sample.Mappings);
        WriteNumberOrNull(json, "MappingsMax"u8, sample.MappingsMax);
        json.WriteNumber("AgeMilliseconds"u8, (long)watch.AgeOf(sample).TotalMilliseconds);
        json.WriteNumber("ReadMicroseconds"u8, (long)sample.Cost.TotalMicroseconds);
        json.WriteEndObject();
    }

    private static void WriteNumberOrNull(Utf8JsonWriter json, ReadOnlySpan<byte> name, long? value)
    {
        if (value is { } known)
        {
            json.WriteNumber(name, known);
        }
        else
        {
            json.WriteNull(name);
        }
    }
}
