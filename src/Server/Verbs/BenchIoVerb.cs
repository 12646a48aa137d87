using System.CommandLine;
using Jackdaw.Server.Hosting;
using Jackdaw.Server.SelfTest;

namespace Jackdaw.Server.Verbs;

/// <summary><c>jackdaw bench-io folder</c>: the command line of <see cref="BenchIo"/>.</summary>
internal static class BenchIoVerb
{
    public static Command Create()
    {
        var folder = new Argument<string>("folder") { Description = "An existing folder on the disk in question." };
        var seconds = new Option<double>("--seconds")
        {
            Description = "Seconds per cell of the table, 0.01 to 600.",
            DefaultValueFactory = _ => BenchIo.SecondsPerCellDefault,
        };
        var command = new Command("bench-io", "Measure durable and buffered writes of a disk.") { folder, seconds };
        command.SetAction(parsed => Run(parsed.GetValue(folder)!, parsed.GetValue(seconds)));
        return command;
    }

    private static int Run(string folder, double seconds)
    {
        using var stop = new CancellationTokenSource();
        using var signals = new StopSignals(stop.Cancel); // The process ends when its folder is removed.
        return BenchIo.Run(folder, secondsPerCell: seconds, stop: stop.Token);
    }
}
