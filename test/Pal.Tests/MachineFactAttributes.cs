using Jackdaw.Pal.Native;

namespace Jackdaw.Pal.Tests;

/// <summary>A test that needs a second volume; skipped, with the reason, where there is none.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class OtherVolumeFactAttribute : FactAttribute
{
    /// <summary>A file system in memory, on most Linux machines.</summary>
    public const string Path = "/dev/shm";

    public OtherVolumeFactAttribute() => Skip = FindProblem()!;

    private static string? FindProblem()
    {
        if (!Directory.Exists(Path))
        {
            return $"there is no {Path}";
        }

        var platform = new NativePlatform();
        string temporary = System.IO.Path.GetTempPath();
        return platform.GetIdentity(temporary).Device == platform.GetIdentity(Path).Device ? $"{temporary} is on the volume of {Path}" : null;
    }
}

/// <summary>A test that fills much of the disk of temporary files; skipped, with the reason, where so much is not free.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class FreeSpaceFactAttribute : FactAttribute
{
    /// <param name="bytes">What must be free.</param>
    public FreeSpaceFactAttribute(long bytes)
    {
        long free = new NativePlatform().GetFreeSpace(Path.GetTempPath());
        Skip = free < bytes ? $"{Path.GetTempPath()} has {free >> 20} MB free, and {bytes >> 20} MB are needed" : null!;
    }
}
