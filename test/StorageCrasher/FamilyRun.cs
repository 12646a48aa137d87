using System.Runtime.InteropServices;
using Jackdaw.Pal;
using Jackdaw.Pal.Native;

namespace Jackdaw.StorageCrasher;

/// <summary>The life of a root with branches until it is ended from outside.</summary>
/// <param name="path">Folder of the root.</param>
/// <param name="branches">How many branches.</param>
/// <param name="seed">Decides moments.</param>
/// <param name="report">Lines to the parent.</param>
internal sealed class FamilyRun(string path, int branches, int seed, Report report)
{
    /// <summary>What it can do; see the usage.</summary>
    public static IReadOnlyList<string> Modes { get; } = ["write", "recover", "hungry", "cut"];

    public void Run(string mode)
    {
        using var stop = new ManualResetEventSlim();
        using PosixSignalRegistration registration = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context =>
        {
            context.Cancel = true;
            stop.Set();
        });
        if (mode == "cut")
        {
            RunToTheCut(stop);
            return;
        }

        report.Write("opening");
        using (Family family = Family.Open(new NativePlatform(), path, branches))
        {
            report.Write("ready");
            using FamilyLoad? load = mode == "recover" ? null : new FamilyLoad(family, report);
            using Appetite? appetite = mode == "hungry" ? new Appetite(seed) : null;
            stop.Wait();
        }

        report.Write("closed");
    }

    /// <summary>Writes until the disk is gone, maybe while it opens; then waits for its end.</summary>
    private void RunToTheCut(ManualResetEventSlim stop)
    {
        IPlatform platform = PowerCut.Plan(new NativePlatform(), path, seed, report);
        report.Write("opening");
        Family family;
        try
        {
            family = Family.Open(platform, path, branches);
        }
        catch (Exception) when (PowerCut.HasCome)
        {
            stop.Wait();
            return;
        }

        report.Write("ready");
        var load = new FamilyLoad(family, report);
        stop.Wait();
        GC.KeepAlive(load);
    }
}
