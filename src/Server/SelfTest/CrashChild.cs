using System.Diagnostics;
using System.Globalization;

namespace Jackdaw.Server.SelfTest;

/// <summary>One run of the process that is killed.</summary>
internal sealed class CrashChild
{
    /// <summary>The exit code of a process that SIGKILL ended.</summary>
    private const int KilledExitCode = 137;

    private readonly string _folder;

    public CrashChild(string folder) => _folder = folder;

    /// <summary>Why the child ended before it was killed; null when it was killed.</summary>
    public string? OwnEnd { get; private set; }

    /// <summary>Starts it, kills it after a time, and hands over each record that it reported.</summary>
    /// <param name="killAfter">Time until the kill.</param>
    /// <param name="isFromStart">Whether the time counts from the start of the process, so that opening and recovery are hit too; otherwise it counts from the
    /// first write.</param>
    /// <param name="acknowledged">Called with writer and number.</param>
    /// <param name="cancellationToken">Kills it at once.</param>
    public void Run(TimeSpan killAfter, bool isFromStart, Action<int, long> acknowledged, CancellationToken cancellationToken)
    {
        using Process child = Process.Start(StartOf(_folder))!;
        Task<string> errors = child.StandardError.ReadToEndAsync(CancellationToken.None);
        using var timer = new Timer(_ => Kill(child));
        using CancellationTokenRegistration registration = cancellationToken.Register(() => Kill(child));
        if (isFromStart)
        {
            timer.Change(killAfter, Timeout.InfiniteTimeSpan);
        }

        while (child.StandardOutput.ReadLine() is { } line)
        {
            if (line == CrashWriter.ReadyLine && !isFromStart)
            {
                timer.Change(killAfter, Timeout.InfiniteTimeSpan);
            }
            else if (TryParse(line, out int writer, out long number))
            {
                acknowledged(writer, number);
            }
        }

        child.WaitForExit();
        string said = errors.GetAwaiter().GetResult();
        OwnEnd = child.ExitCode == KilledExitCode
            ? null
            : $"the writing process ended by itself with exit code {child.ExitCode}: {said.Trim().ReplaceLineEndings(" ")}";
    }

    private static void Kill(Process child)
    {
        try
        {
            child.Kill();
        }
        catch (InvalidOperationException)
        {
            // It has just ended, so nothing needs to be killed.
        }
    }

    private static ProcessStartInfo StartOf(string folder)
    {
        string program = Environment.ProcessPath ?? throw new IOException("The path of this program is not known.");
        var start = new ProcessStartInfo(program)
        {
            RedirectStandardInput = true, // the child ends when this ends: see CrashWriter
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        if (Path.GetFileNameWithoutExtension(program) == "dotnet")
        {
            start.ArgumentList.Add(typeof(CrashChild).Assembly.Location);
        }

        start.ArgumentList.Add(CrashWriter.VerbName);
        start.ArgumentList.Add(folder);
        return start;
    }

    // A line is one short write to the pipe: it arrives complete or not at all. Other lines are warnings of the
    // runtime.
    private static bool TryParse(string line, out int writer, out long number)
    {
        number = 0;
        int space = line.IndexOf(' ', StringComparison.Ordinal);
        return int.TryParse(line.AsSpan(0, Math.Max(space, 0)), CultureInfo.InvariantCulture, out writer)
            && long.TryParse(line.AsSpan(space + 1), CultureInfo.InvariantCulture, out number);
    }
}
