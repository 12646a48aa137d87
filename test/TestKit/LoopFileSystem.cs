namespace Jackdaw.TestKit;

/// <summary>Whether a test can have a file system of its own in a file.</summary>
public static class LoopFileSystem
{
    /// <summary>Why this machine cannot make and mount one; null when it can.</summary>
    /// <param name="fileSystem">ext4, xfs or btrfs.</param>
    public static string? FindProblem(string fileSystem)
    {
        if (!OperatingSystem.IsLinux() || Environment.UserName != "root")
        {
            return "a file system can be mounted by root on Linux only";
        }

        if (!File.Exists("/dev/loop-control"))
        {
            return "there are no loop devices";
        }

        bool isKnown = File.ReadLines("/proc/filesystems").Any(line => line.Trim() == fileSystem);
        return !isKnown ? $"the kernel has no {fileSystem}"
            : !File.Exists($"/sbin/mkfs.{fileSystem}") ? $"mkfs.{fileSystem} is not installed"
            : null;
    }
}
