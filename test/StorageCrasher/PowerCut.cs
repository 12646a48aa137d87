using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;
using Jackdaw.Pal;
using Jackdaw.TestKit;
using Microsoft.Win32.SafeHandles;

namespace Jackdaw.StorageCrasher;

/// <summary>Takes the file system away under a running process: what is not on the disk yet never gets there. Linux, as root, on
/// ext4 or xfs.</summary>
/// <remarks>An odd seed aims at a change of a name in a folder of journals, an even one at any moment.</remarks>
internal sealed partial class PowerCut
{
    /// <summary>EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN: _IOR('X', 125, uint32).</summary>
    private const nuint ShutDownRequest = 0x8004587D;

    /// <summary>The log of the file system is not written either: as if the power went.</summary>
    private const uint NoLogFlush = 2;

    private const int OpenDirectoryFlags = 0;
    private const int CutAfterMsMax = 1500;
    private const int AimedChangeMax = 15;

    /// <summary>How long the process goes on without a disk: what it acknowledged then would be found missing.</summary>
    private const int LifeAfterMs = 30;

    private static int s_hasCome;
    private static Timer? s_end; // static: a timer that nobody refers to is collected, and never fires

    private readonly SafeFileHandle _mount;
    private readonly Report _report;
    private int _changes;
    private Timer? _timer;

    private PowerCut(string mount, Report report)
    {
        int handle = OpenPath(mount, OpenDirectoryFlags);
        _mount = handle >= 0 ? new SafeFileHandle(handle, ownsHandle: true) : throw new Win32Exception();
        _report = report;
    }

    /// <summary>True from when the disk is being taken away: what fails then is no finding.</summary>
    public static bool HasCome => Volatile.Read(ref s_hasCome) != 0;

    /// <summary>The platform to run on so that the cut comes.</summary>
    /// <param name="platform">The real one.</param>
    /// <param name="path">A folder right below the mount point.</param>
    /// <param name="seed">Decides the moment.</param>
    /// <param name="report">Is told when and where.</param>
    public static IPlatform Plan(IPlatform platform, string path, int seed, Report report)
    {
        var random = new Random(seed);
        var cut = new PowerCut(Path.GetDirectoryName(path)!, report);
        bool isAimed = seed % 2 != 0;

        // What is aimed at may not come: then the cut does without it.
        int latest = isAimed ? CutAfterMsMax : random.Next(CutAfterMsMax);
        cut._timer = new Timer(_ => cut.Strike(isAimed ? "instead of the aimed" : "any moment"), null, latest, Timeout.Infinite);
        if (!isAimed)
        {
            return platform;
        }

        NameChange kind = Enum.GetValues<NameChange>()[random.Next(4)];
        int count = random.Next(1, AimedChangeMax);
        var hooked = new HookedPlatform(platform);
        if (random.Next(2) == 0)
        {
            hooked.BeforeNameChange = (change, name) => cut.StrikeAt(kind, count, change, "before", name);
        }
        else
        {
            hooked.AfterNameChange = (change, name) => cut.StrikeAt(kind, count, change, "after", name);
        }

        return hooked;
    }

    private void StrikeAt(NameChange kind, int count, NameChange change, string when, string name)
    {
        bool isOfJournal = name.Contains("/Journals/", StringComparison.Ordinal);
        if (change == kind && isOfJournal && Interlocked.Increment(ref _changes) == count)
        {
            Strike($"{when} {change} {count}");
        }
    }

    private void Strike(string moment)
    {
        if (Interlocked.Exchange(ref s_hasCome, 1) != 0)
        {
            return;
        }

        uint flags = NoLogFlush;
        if (Control(_mount, ShutDownRequest, ref flags) != 0)
        {
            _report.Write("failed " + new Win32Exception().Message);
        }

        _report.Write("cut " + moment);
        s_end = new Timer(_ => Process.GetCurrentProcess().Kill(), null, LifeAfterMs, Timeout.Infinite);
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int OpenPath(string path, int flags);

    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    private static partial int Control(SafeFileHandle file, nuint request, ref uint argument);
}
