using System.Diagnostics;
using System.Globalization;
using Jackdaw.Pal;

namespace Jackdaw.Storage.Headers;

/// <summary>A storage's folder belongs to one process at a time. The repair of a branch's links takes the lock of its
/// folder without opening the branch.</summary>
public static class FolderLock
{
    private const string FileName = "lock";

    /// <summary>Takes a storage's folder for this process, until the result is disposed.</summary>
    /// <param name="platform">Where it lies.</param>
    /// <param name="path">The folder; must exist.</param>
    /// <exception cref="PalException"><see cref="PalStatus.Locked"/> when another process has it; the message says
    /// which.</exception>
    public static IDisposable Take(IPlatform platform, string path) => platform.Lock(path + "/" + FileName, OwnerText());

    private static string OwnerText() => string.Create(CultureInfo.InvariantCulture,
        $"pid {Environment.ProcessId} since {Process.GetCurrentProcess().StartTime.ToUniversalTime():yyyy-MM-dd HH:mm:ss}Z");
}
