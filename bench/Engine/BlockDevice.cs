using System.Globalization;

namespace Jackdaw.Bench.Engine;

/// <summary>What the device under a folder wrote, as the kernel counted it (/sys/dev/block/MAJOR:MINOR/stat).</summary>
/// <remarks>Counts all writers of the device: give it a device of its own, such as a loop device with a file system.</remarks>
internal sealed class BlockDevice
{
    private readonly string _path;

    private BlockDevice(string path) => _path = path;

    /// <summary>The device that holds a folder.</summary>
    public static BlockDevice Of(string folder)
    {
        string full = Path.GetFullPath(folder);
        string best = "";
        string device = "";
        foreach (string line in File.ReadLines("/proc/self/mountinfo"))
        {
            string[] fields = line.Split(' ');
            bool holds = fields[4] == "/" || full == fields[4] || full.StartsWith(fields[4] + "/", StringComparison.Ordinal);
            if (holds && fields[4].Length >= best.Length)
            {
                (best, device) = (fields[4], fields[2]);
            }
        }

        return new BlockDevice($"/sys/dev/block/{device}/stat");
    }

    /// <summary>Write requests that reached the device, and bytes.</summary>
    public (long Writes, long Bytes) Read()
    {
        string[] fields = File.ReadAllText(_path).Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return (long.Parse(fields[4], CultureInfo.InvariantCulture), long.Parse(fields[6], CultureInfo.InvariantCulture) * 512);
    }
}
