using System.Globalization;

namespace Jackdaw.Server.Diagnostics;

/// <summary>The counters that Linux has for this process; 0 on other systems.</summary>
internal static class ProcessFigures
{
    private const string WriteBytes = "write_bytes: ";

    /// <summary>Bytes that this process caused to be written to devices.</summary>
    public static long DeviceWriteBytes
    {
        get
        {
            string? line = OperatingSystem.IsLinux()
                ? File.ReadLines("/proc/self/io").FirstOrDefault(line => line.StartsWith(WriteBytes, StringComparison.Ordinal))
                : null;
            return line is null ? 0 : long.Parse(line.AsSpan(WriteBytes.Length), CultureInfo.InvariantCulture);
        }
    }
}
