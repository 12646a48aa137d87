using System.CommandLine;

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
        command.SetAction(parsed => BenchIo.Run(
            parsed.GetValue(folder)!, secondsPerCell: parsed.GetValue(seconds)));
        return command;
    }
}
