using System.Diagnostics;
using Xunit;

namespace Jackdaw.TestKit;

/// <summary>Runs a test program as a processor with fewer instructions would.</summary>
public static class OtherProcessor
{
    /// <summary>Runs the program of a test project, and returns what it prints.</summary>
    /// <param name="program">A type of the program.</param>
    /// <param name="switchedOff">The setting of the runtime that stands for the instructions.</param>
    /// <param name="arguments">Those of the program.</param>
    public static async Task<string> RunAsync(Type program, string switchedOff, params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", [program.Assembly.Location, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment[switchedOff] = "0";
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string text = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, await errors);
        return text;
    }
}
