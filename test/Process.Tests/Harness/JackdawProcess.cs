using System.Diagnostics;
using System.Globalization;
using System.Text;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests.Harness;

/// <summary>One process of the built executable: what it prints is kept, every wait has a deadline.</summary>
internal sealed class JackdawProcess : IDisposable
{
    /// <summary>Far more than any start or stop takes on a slow, busy machine.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private const string AvailableLine = "Server available on: ";

    private readonly Process _process;
    private readonly StringBuilder _output = new(); // guarded by itself
    private readonly StringBuilder _errors = new(); // guarded by itself
    private readonly TaskCompletionSource<string> _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private JackdawProcess(ProcessStartInfo start)
    {
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Keep(_output, line.Data);
        _process.ErrorDataReceived += (_, line) => Keep(_errors, line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>The executable under test: $JACKDAW_SERVER, or what was built with these tests.</summary>
    public static string Executable { get; } = Environment.GetEnvironmentVariable("JACKDAW_SERVER") ?? FindExecutable();

    public static string RepositoryFolder { get; } = FindRepository();

    public int Id => _process.Id;

    public bool HasExited => _process.HasExited;

    public string Output => Read(_output);

    public string Errors => Read(_errors);

    /// <summary>Completes with the address when the server is ready.</summary>
    public Task<string> Ready => _ready.Task;

    /// <summary>Starts a process in a folder.</summary>
    public static JackdawProcess Start(string folder, params IEnumerable<string> arguments) => Start(folder, [Executable], arguments);

    /// <summary>Starts a process through another program, such as one that changes the user.</summary>
    public static JackdawProcess Start(string folder, IReadOnlyList<string> through, IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo(through[0])
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (string argument in through.Skip(1).Concat(arguments))
        {
            start.ArgumentList.Add(argument);
        }

        foreach (string name in Environment.GetEnvironmentVariables().Keys.Cast<string>().Where(
            name => name.StartsWith("JACKDAW_", StringComparison.Ordinal) || name.StartsWith("OTEL_", StringComparison.Ordinal)))
        {
            start.Environment.Remove(name);
        }

        return new JackdawProcess(start);
    }

    /// <summary>Starts it with a signal as a terminal would: a run in the background of a shell has SIGINT ignored, and so have all processes
    /// that it starts.</summary>
    public static IReadOnlyList<string> WithDefault(string signal) => ["env", $"--default-signal={signal}", Executable];

    /// <summary>The executable through a shell that sends its output elsewhere, to start or run it through.</summary>
    public static IReadOnlyList<string> WithOutput(string redirection) => ["/bin/sh", "-c", $"exec \"$0\" \"$@\" {redirection}", Executable];

    /// <summary>Runs a verb, or a server that is expected to stop by itself.</summary>
    public static Task<ProcessEnd> RunAsync(string folder, params string[] arguments) => RunAsync(folder, [Executable], arguments);

    /// <summary>As <see cref="RunAsync(string, string[])"/>, through another program.</summary>
    public static async Task<ProcessEnd> RunAsync(string folder, IReadOnlyList<string> through, IEnumerable<string> arguments)
    {
        long started = Stopwatch.GetTimestamp();
        using JackdawProcess process = Start(folder, through, arguments);
        int code = await process.WaitForExitAsync();
        return new ProcessEnd(code, process.Output, process.Errors, Stopwatch.GetElapsedTime(started));
    }

    public async Task<int> WaitForExitAsync()
    {
        using var deadline = new CancellationTokenSource(Patience);
        try
        {
            await _process.WaitForExitAsync(deadline.Token);
        }
        catch (OperationCanceledException)
        {
            throw new TimeoutException($"Still running after {Patience.TotalSeconds} s.\n{Output}\n{Errors}");
        }

        return _process.ExitCode;
    }

    /// <summary>Waits until something is so; fails with the problem when it is not in time.</summary>
    public static Task WaitAsync(Func<bool> condition, string problem) => Eventually.IsTrueAsync(condition, () => problem, Patience);

    /// <summary>Sends a signal, such as TERM.</summary>
    public async Task SignalAsync(string signal)
    {
        using Process kill = Process.Start("kill", [$"-{signal}", Id.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
    }

    /// <summary>SIGTERM; the exit code and how long the stop took.</summary>
    public async Task<(int Code, TimeSpan Time)> TerminateAsync()
    {
        long started = Stopwatch.GetTimestamp();
        await SignalAsync("TERM");

        return (await WaitForExitAsync(), Stopwatch.GetElapsedTime(started));
    }

    /// <summary>SIGKILL: the nearest thing to a power cut that a process can be given.</summary>
    public async Task KillAsync()
    {
        _process.Kill();
        await WaitForExitAsync();
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
            _process.WaitForExit();
        }

        _process.Dispose();
    }

    private static string FindRepository()
    {
        string? folder = AppContext.BaseDirectory;
        while (folder is not null && !File.Exists(Path.Combine(folder, "Server.sln")))
        {
            folder = Path.GetDirectoryName(folder);
        }

        return folder ?? throw new InvalidOperationException($"{AppContext.BaseDirectory} is not inside the repository.");
    }

    private static string FindExecutable()
    {
        // .../bin/Debug/net10.0: the server of the same configuration.
        string framework = Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory);
        string configuration = Path.GetFileName(Path.GetDirectoryName(framework)!);
        return Path.Combine(FindRepository(), "src", "Server", "bin", configuration, Path.GetFileName(framework), "jackdaw");
    }

    private static string Read(StringBuilder text)
    {
        lock (text)
        {
            return text.ToString();
        }
    }

    private void Keep(StringBuilder text, string? line)
    {
        if (line is null)
        {
            if (text == _output)
            {
                _ready.TrySetException(new InvalidOperationException("The server ended before it was ready."));
                _ = _ready.Task.Exception; // Seen, even when nobody waits for it.
            }

            return;
        }

        lock (text)
        {
            text.AppendLine(line);
        }

        if (text == _output && line.StartsWith(AvailableLine, StringComparison.Ordinal))
        {
            _ready.TrySetResult(line[AvailableLine.Length..]);
        }
    }
}
