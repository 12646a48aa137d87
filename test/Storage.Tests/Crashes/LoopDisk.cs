using System.Diagnostics;
using System.Globalization;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>A file system in a file, mounted through a loop device. For root on Linux.</summary>
internal sealed class LoopDisk : IDisposable
{
    private const int Megabytes = 400;

    private readonly string _image;

    /// <param name="fileSystem">ext4, xfs or btrfs.</param>
    public LoopDisk(string fileSystem)
    {
        string folder = Path.Combine(Path.GetTempPath(), $"jackdaw-disk-{Guid.NewGuid():N}");
        Directory.CreateDirectory(folder);
        _image = folder + ".img";
        Mount = folder;
        Run($"truncate -s {Megabytes}M {_image} && mkfs.{fileSystem} -q {_image}");
        Attach();
    }

    /// <summary>Where it is mounted.</summary>
    public string Mount { get; }

    /// <summary>Why this machine has no such disk; null when it has.</summary>
    public static string? FindProblem(string fileSystem) => LoopFileSystem.FindProblem(fileSystem);

    /// <summary>Mounts it; the file system repairs itself from its log.</summary>
    public void Attach() => Run($"mount -o loop {_image} {Mount}");

    /// <summary>Unmounts it.</summary>
    public void Detach() => Run($"umount {Mount}");

    /// <inheritdoc/>
    public void Dispose()
    {
        Detach();
        Directory.Delete(Mount);
        File.Delete(_image);
    }

    private static void Run(string command)
    {
        using Process shell = Process.Start(new ProcessStartInfo("bash", ["-c", command]) { RedirectStandardError = true })!;
        string errors = shell.StandardError.ReadToEnd();
        shell.WaitForExit();
        if (shell.ExitCode != 0)
        {
            throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture, $"{command}: exit {shell.ExitCode}: {errors}"));
        }
    }
}
