using System.Diagnostics;
using System.Globalization;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>A child process that writes until it is ended. What it prints before its end counts, whatever the end was.</summary>
internal sealed class CrasherProcess : IDisposable
{
    /// <summary>Exit code of a process that got SIGKILL.</summary>
    public const int Killed = 137;

    private readonly Process _process;
    private readonly Task<string> _errors;

    private CrasherProcess(Process process)
    {
        _process = process;
        _errors = process.StandardError.ReadToEndAsync();
    }

    /// <summary>What it wrote to stderr; waits for its end.</summary>
    public string Errors => _errors.GetAwaiter().GetResult();

    /// <summary>Starts the crasher.</summary>
    /// <param name="arguments">See its Program.cs.</param>
    public static CrasherProcess Start(params string[] arguments) => StartThrough([], arguments);

    /// <summary>Starts the crasher through another program.</summary>
    /// <param name="through">Program and its arguments; nothing for none.</param>
    /// <param name="arguments">See the crasher's Program.cs.</param>
    public static CrasherProcess StartThrough(IReadOnlyList<string> through, params string[] arguments)
    {
        string program = Path.Combine(AppContext.BaseDirectory, "Jackdaw.StorageCrasher.dll");
        List<string> line = [.. through, "dotnet", program, .. arguments];
        return new CrasherProcess(Process.Start(new ProcessStartInfo(line[0], line.Skip(1))
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!);
    }

    /// <summary>The next line; null when there is none any more.</summary>
    public Task<string?> ReadLineAsync() => _process.StandardOutput.ReadLineAsync();

    /// <summary>The next line must be this one.</summary>
    public async Task ExpectAsync(string expected)
    {
        if (await ReadLineAsync() is var line && line != expected)
        {
            Kill();
            Assert.Fail($"the child wrote '{line}', not '{expected}': {await _errors}");
        }
    }

    /// <summary>SIGKILL; nothing when it has ended already.</summary>
    public void Kill() => _process.Kill();

    /// <summary>SIGTERM.</summary>
    public void Terminate()
    {
        using Process kill = Process.Start("kill", ["-TERM", _process.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    /// <summary>Waits for its end; the exit code.</summary>
    public async Task<int> WaitForExitAsync()
    {
        await _process.WaitForExitAsync();
        return _process.ExitCode;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
            _process.WaitForExit();
        }

        _process.Dispose();
    }
}
