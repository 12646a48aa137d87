using System.Globalization;
using Jackdaw.Pal.Measurement;
using Jackdaw.Pal.Native;
using Jackdaw.Server.Hosting;
using Spectre.Console;

namespace Jackdaw.Server.SelfTest;

/// <summary><c>jackdaw bench-io FOLDER</c>: measures how fast the disk below a folder is with durable and with buffered writes, and checks whether the figures
/// are plausible.</summary>
public static class BenchIo
{
    /// <summary>Seconds per cell unless the user says otherwise: about two minutes for the whole table.</summary>
    public const double SecondsPerCellDefault = 1;

    // The fastest known drives with power-loss protection need about this long for a durable 4 KB write, system call
    // included. With a shorter time, the data is in a cache that a power cut empties.
    private const double DurableUsMin = 15;

    // A durable write that is not slower than a copy into the cache by at least this factor was only such a copy.
    private const double DurableFactorMin = 2;

    private const int SmallWriteBytes = 4096;

    // The free space for the files and for other programs on the disk.
    private const long FreeBytesMin = 4 * WriteMeasurement.FileBytesTotal;

    private static readonly int[] s_writeBytes =
        [SmallWriteBytes, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20];

    private static readonly int[] s_threads = [1, 4, 16, 64, 128];
    private static readonly WriteMode[] s_modes = [WriteMode.Durable, WriteMode.BufferedAndSync];

    /// <summary>Measures, prints, and returns the exit code of the process.</summary>
    /// <param name="folder">An existing folder on the disk in question. A subfolder is made in it and removed at the end.</param>
    /// <param name="console">Where to print; null = the process's console.</param>
    /// <param name="secondsPerCell">How long each combination runs, 0.01 to 600.</param>
    /// <param name="stop">Ends the measurement early.</param>
    /// <returns>0 when done, also with warnings; 2 when it could not be measured.</returns>
    public static int Run(
        string folder, IAnsiConsole? console = null, double secondsPerCell = SecondsPerCellDefault, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(folder);
        console ??= AnsiConsole.Console;
        if (!(secondsPerCell is >= 0.01 and <= 600))
        {
            return Fail(console, "--seconds must be between 0.01 and 600.");
        }

        try
        {
            var platform = new NativePlatform();
            long free = platform.GetFreeSpace(folder);
            if (free < FreeBytesMin)
            {
                return Fail(console,
                    $"bench-io needs {FreeBytesMin >> 20} MB of free space in {folder}; there are {free >> 20} MB.");
            }

            Report report = Measure(folder, console, TimeSpan.FromSeconds(secondsPerCell), stop);
            Print(report, console, folder);
            return 0;
        }
        catch (OperationCanceledException)
        {
            return Fail(console, "stopped before the end. Its own folder is removed.");
        }
        catch (Exception exception) when (exception is IOException or DllNotFoundException)
        {
            return Fail(console, exception.Message);
        }
    }

    /// <summary>The implausible facts about the figures; empty when there are none.</summary>
    /// <param name="durable">Durable 4 KB writes of one thread.</param>
    /// <param name="bufferedAndSync">Buffered 4 KB writes with a sync each, one thread.</param>
    /// <param name="bufferedOnly">The control: buffered 4 KB writes without a sync.</param>
    /// <param name="isDirect">Whether durable writes bypass the page cache.</param>
    public static IReadOnlyList<string> FindWarnings(
        WriteResult durable, WriteResult bufferedAndSync, WriteResult bufferedOnly, bool isDirect)
    {
        var warnings = new List<string>();
        AddImpossible(warnings, "A durable 4 KB write", durable.LatencyUsP50, bufferedOnly.LatencyUsP50);
        AddImpossible(warnings, "A 4 KB write with a sync", bufferedAndSync.LatencyUsP50, bufferedOnly.LatencyUsP50);
        if (!isDirect)
        {
            warnings.Add("This file system refuses unbuffered writes (O_DIRECT): durable writes go through the page "
                + "cache.");
        }

        return warnings;
    }

    private static void AddImpossible(List<string> warnings, string what, double us, double controlUs)
    {
        if (us < DurableUsMin)
        {
            warnings.Add($"{what} takes {Format(us)} us, faster than any disk that really stores it (about "
                + $"{DurableUsMin} us): this volume does not honour durability. A power cut will lose "
                + "acknowledged writes.");
        }
        else if (us < controlUs * DurableFactorMin)
        {
            warnings.Add($"{what} takes {Format(us)} us, a write into memory {Format(controlUs)} us: nearly the same, "
                + "so the volume probably does not wait for the disk. A power cut may lose acknowledged writes.");
        }
    }

    private static Report Measure(string folder, IAnsiConsole console, TimeSpan duration, CancellationToken stop)
    {
        var report = new Report();
        console.Progress().AutoClear(true).Start(context =>
        {
            ProgressTask task = context.AddTask("Writing", maxValue: CellCount());
            foreach (int threads in s_threads)
            {
                MeasureThreads(report, NewFolder(folder), threads, isShared: false, duration, task, stop);
                if (threads > 1)
                {
                    MeasureThreads(report, NewFolder(folder), threads, isShared: true, duration, task, stop);
                }
            }
        });
        return report;
    }

    private static void MeasureThreads(
        Report report, string folder, int threads, bool isShared, TimeSpan duration, ProgressTask task, CancellationToken stop)
    {
        using var measurement = new WriteMeasurement(folder, isShared ? 1 : threads);
        report.IsDirect = measurement.IsDirect;
        if (threads == 1)
        {
            report.Control = measurement.Run(WriteMode.BufferedOnly, SmallWriteBytes, 1, duration, stop);
            task.Increment(1);
        }

        foreach (WriteMode mode in s_modes)
        {
            foreach (int bytes in s_writeBytes.Where(bytes => IsMeasured(bytes, threads)))
            {
                task.Description = $"{Name(mode)}, {Size(bytes)}, {threads} in parallel";
                WriteResult result = measurement.Run(mode, bytes, threads, duration, stop);
                stop.ThrowIfCancellationRequested();
                report.Rows.Add(new Row(mode, bytes, threads, isShared, result));
                task.Increment(1);
            }
        }
    }

    // With more writes at once than the files have room for, two writes would write the same bytes at the same time.
    private static bool IsMeasured(int bytes, int threads) => (long)bytes * threads <= WriteMeasurement.FileBytesTotal;

    private static int CellCount()
    {
        return 1 + s_threads.Sum(threads =>
            s_writeBytes.Count(bytes => IsMeasured(bytes, threads)) * s_modes.Length * (threads == 1 ? 1 : 2));
    }

    private static string NewFolder(string folder) => Path.Combine(folder, $"jackdaw-bench-io-{Guid.NewGuid():N}");

    private static void Print(Report report, IAnsiConsole console, string folder)
    {
        var table = new Table().Title(Markup.Escape($"Writes in {folder}")).Border(TableBorder.Simple);
        table.AddColumns("write", "size", "parallel", "files");
        foreach (string column in new[] { "p50 us", "p99 us", "writes/s", "MB/s" })
        {
            table.AddColumn(new TableColumn(column).RightAligned());
        }

        foreach (Row row in report.Rows.OrderBy(row => row.Mode).ThenBy(row => row.Bytes).ThenBy(row => row.Threads))
        {
            string files = row.Threads == 1 ? "one" : row.IsShared ? "same" : "own";
            WriteResult result = row.Result;
            table.AddRow(Name(row.Mode), Size(row.Bytes), $"{row.Threads}", files, Format(result.LatencyUsP50),
                Format(result.LatencyUsP99), Format(result.Writes / result.Seconds), Format(result.MegabytesPerSecond));
        }

        console.Write(table);
        WriteResult durable = report.Single(WriteMode.Durable);
        string control = Format(report.Control.LatencyUsP50);
        console.MarkupLineInterpolated($"Control: a 4 KB write into the cache, without a sync, takes {control} us.");
        foreach (string warning in FindWarnings(
            durable, report.Single(WriteMode.BufferedAndSync), report.Control, report.IsDirect))
        {
            console.MarkupLineInterpolated($"[yellow]Warning:[/] {warning}");
        }
    }

    private static int Fail(IAnsiConsole console, string message)
    {
        console.MarkupLineInterpolated($"[red]Error:[/] {message}");
        return ServerProcess.ExitCodeConfiguration;
    }

    private static string Name(WriteMode mode) => mode == WriteMode.Durable ? "durable" : "buffered+sync";

    private static string Size(int bytes) => bytes >= 1 << 20 ? $"{bytes >> 20} MB" : $"{bytes >> 10} KB";

    private static string Format(double value) =>
        value.ToString(value < 100 ? "0.0" : "#,0", CultureInfo.InvariantCulture);

    private sealed record Row(WriteMode Mode, int Bytes, int Threads, bool IsShared, WriteResult Result);

    private sealed class Report
    {
        internal List<Row> Rows { get; } = [];

        internal WriteResult Control { get; set; }

        internal bool IsDirect { get; set; }

        internal WriteResult Single(WriteMode mode)
        {
            return Rows.Find(row => row.Mode == mode && row.Threads == 1 && row.Bytes == SmallWriteBytes)!.Result;
        }
    }
}
