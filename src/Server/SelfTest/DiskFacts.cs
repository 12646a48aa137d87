using System.Globalization;

namespace Jackdaw.Server.SelfTest;

/// <summary>The facts that the system has about the disk below a folder; null for facts that it does not have.</summary>
/// <param name="IsTurning">A disk that turns; false = flash. Null also for virtual disks, which often report it
/// wrongly.</param>
/// <param name="WriteCache">The kernel's word: "write back" needs a flush for each sync, "write through" gets
/// none.</param>
internal readonly record struct DiskFacts(bool? IsTurning, string? WriteCache)
{
    // Names of drivers of virtual machines.
    private static readonly string[] s_virtualBuses = ["/virtio", "/vbd-", "/vmbus", "/devices/virtual/"];

    /// <summary>Finds the device in sysfs. File systems without a block device of their own have no facts.</summary>
    /// <param name="device">The number of the device, from the identity of a file (st_dev).</param>
    /// <param name="sysfs">The folder of block devices.</param>
    public static DiskFacts Of(ulong device, string sysfs = "/sys/dev/block")
    {
        // glibc's layout of dev_t.
        ulong major = ((device >> 8) & 0xFFF) | ((device >> 32) & ~0xFFFUL);
        ulong minor = (device & 0xFF) | ((device >> 12) & ~0xFFUL);
        string folder = Resolve(string.Create(CultureInfo.InvariantCulture, $"{sysfs}/{major}:{minor}"));
        bool isVirtual = s_virtualBuses.Any(bus => folder.Contains(bus, StringComparison.Ordinal));
        bool? isTurning = Read(folder, "rotational") switch { "1" => true, "0" => false, _ => null };
        return new DiskFacts(isVirtual ? null : isTurning, Read(folder, "write_cache"));
    }

    /// <summary>The facts as a line of the report.</summary>
    public string Describe()
    {
        string kind = IsTurning switch { true => "turning disk", false => "not a turning disk", null => "kind of disk not known" };
        return WriteCache is null ? kind : $"{kind}, write cache: {WriteCache}";
    }

    // The real folder. Its path in the tree of devices has the name of the bus, and the folder above a partition is its disk.
    private static string Resolve(string folder) =>
        Directory.Exists(folder) ? Directory.ResolveLinkTarget(folder, returnFinalTarget: true)?.FullName ?? folder : folder;

    // A partition has no queue of its own; the queue of its disk is one folder up.
    private static string? Read(string folder, string name)
    {
        foreach (string queue in new[] { "queue", "../queue" })
        {
            try
            {
                return File.ReadAllText($"{folder}/{queue}/{name}").Trim();
            }
            catch (Exception absent) when (absent is IOException or UnauthorizedAccessException)
            {
                continue;
            }
        }

        return null;
    }
}
