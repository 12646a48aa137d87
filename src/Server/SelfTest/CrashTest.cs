using System.Diagnostics;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Server.SelfTest;

/// <summary>Kills a process that writes all the time, many times. Everything that it acknowledged must be stored, nothing may be stored in part, and the next
/// process must be able to continue.</summary>
/// <remarks>A kill keeps what the kernel has, so this proves the storage and the file system, not the drive.</remarks>
internal sealed class CrashTest(string folder, int seed) : SelfTestStage(folder, seed)
{
    private const int KillAfterMsMin = 20;
    private const int KillAfterMsMax = 2000;

    /// <summary>Short runs are the rule, so that recovery itself is killed early; long ones fill and recycle
    /// journals.</summary>
    private const int ShortLifeMsMax = 400;

    private readonly Random _random = new(seed);
    private readonly AcknowledgedRecords _acknowledged = new(CrashWriter.Writers);

    public override string Name => "crash";

    public override string Activity => "Killing a process that writes";

    public override double Share => 0.4;

    public override Finding Run(TimeSpan time, CancellationToken cancellationToken)
    {
        long started = Stopwatch.GetTimestamp();
        int kills = 0;
        do
        {
            string? problem = RunOnce(++kills, cancellationToken);
            cancellationToken.ThrowIfCancellationRequested();
            if (problem is not null)
            {
                return Failed(
                    $"after kill {kills}: {problem}",
                    "Acknowledged writes do not survive the end of a process here. Do not keep data on this volume: check its file system",
                    "(fsck, dmesg), its mount options, and the disk. Seed of this run: see above.");
            }
        }
        while (Stopwatch.GetElapsedTime(started) < time);
        return Passed($"{kills} kills, {_acknowledged.Count:N0} transactions acknowledged, 0 lost, 0 half");
    }

    private string? RunOnce(int cycle, CancellationToken cancellationToken)
    {
        bool isFromStart = _random.Next(4) == 0;
        int lifeMsMax = _random.Next(4) == 0 ? KillAfterMsMax : ShortLifeMsMax;
        var child = new CrashChild(Folder);
        string? gap = null;
        child.Run(
            TimeSpan.FromMilliseconds(_random.Next(KillAfterMsMin, lifeMsMax)),
            isFromStart,
            (writer, number) =>
            {
                string? found = _acknowledged.Add(writer, number);
                gap ??= found;
            },
            cancellationToken);
        cancellationToken.ThrowIfCancellationRequested();
        return gap ?? child.OwnEnd ?? Check(isClosedInOrder: cycle % 2 == 0);
    }

    /// <summary>Opens the storage that the child left. Returns the problem, or null.</summary>
    private string? Check(bool isClosedInOrder)
    {
        StorageEnvironment? storage = null;
        try
        {
            storage = StorageEnvironment.Open(Platform, Folder, SelfTestRecords.Options());
            return _acknowledged.Compare(storage);
        }
        catch (CorruptionException damage)
        {
            return damage.Message;
        }
        finally
        {
            if (isClosedInOrder)
            {
                storage?.Dispose();
            }
            else
            {
                storage?.Abandon(); // like a second crash: the next opening recovers the same journals
            }
        }
    }
}
