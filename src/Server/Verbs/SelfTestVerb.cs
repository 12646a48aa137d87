using System.CommandLine;
using System.Globalization;
using System.Security.Cryptography;
using Jackdaw.Pal.Native;
using Jackdaw.Server.Hosting;
using Jackdaw.Server.SelfTest;

namespace Jackdaw.Server.Verbs;

/// <summary><c>jackdaw selftest folder</c>: tests whether the disk below a folder and this program together keep data.</summary>
internal static class SelfTestVerb
{
    /// <summary>All parts passed.</summary>
    public const int ExitCodePassed = 0;

    /// <summary>Data was lost or came back wrong.</summary>
    public const int ExitCodeFailed = 1;

    /// <summary>The test could not be run, or not completely.</summary>
    public const int ExitCodeNotTested = 2;

    /// <summary>The disk behaves like one that may lose data.</summary>
    public const int ExitCodeSuspicious = 3;

    private const int SecondsMin = 2;
    private const int SecondsMax = 86_400;

    public static Command Create()
    {
        // All arguments are checked here and not by the parser, whose exit code would be that of a failed test.
        var folder = new Argument<string?>("folder")
        {
            Description = "An existing folder on the disk in question.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var seconds = new Option<string?>("--seconds")
        {
            Description = $"How long, {SecondsMin} to {SecondsMax}. Default: {SelfTestRun.SecondsDefault}",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var seed = new Option<string?>("--seed")
        {
            Description = "Number that repeats the random choices of another run. Default: a new one",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var command = new Command("selftest", "Test with crashes, bit flips and timings whether a disk keeps data. Exit code 0: passed, "
            + "1: failed, 2: not tested, 3: suspicious.") { folder, seconds, seed };
        command.TreatUnmatchedTokensAsErrors = false;
        command.SetAction(parsed => parsed.UnmatchedTokens is [{ } unknown, ..]
            ? Refuse($"'{unknown}' is not an option of selftest; there are --seconds and --seed")
            : Run(parsed.GetValue(folder), Given(parsed, seconds), Given(parsed, seed)));
        return command;
    }

    public static Command CreateWriter()
    {
        var folder = new Argument<string>("folder");
        var command = new Command(CrashWriter.VerbName) { folder };
        command.Hidden = true;
        command.SetAction((parsed, _) => CrashWriter.RunAsync(parsed.GetValue(folder)!));
        return command;
    }

    // Null when the option is not given, empty when it has no value.
    private static string? Given(ParseResult parsed, Option<string?> option) =>
        parsed.GetResult(option) is null ? null : parsed.GetValue(option) ?? "";

    private static int Run(string? folder, string? secondsText, string? seedText)
    {
        int seconds = SelfTestRun.SecondsDefault;
        int seed = RandomNumberGenerator.GetInt32(int.MaxValue); // printed, so that the run can be repeated
        if (secondsText is not null && !TryParse(secondsText, SecondsMin, SecondsMax, out seconds))
        {
            return Refuse($"--seconds must be a whole number from {SecondsMin} to {SecondsMax}, not '{secondsText}'");
        }

        if (seedText is not null && !TryParse(seedText, 0, int.MaxValue, out seed))
        {
            return Refuse($"--seed must be a whole number from 0 to {int.MaxValue}, not '{seedText}'");
        }

        if (string.IsNullOrEmpty(folder))
        {
            return Refuse("name a folder on the disk to test: jackdaw selftest <folder>");
        }

        if (!Directory.Exists(folder))
        {
            return Refuse(File.Exists(folder)
                ? $"'{folder}' is a file; name a folder on the disk to test"
                : $"there is no folder '{folder}'; make it first, on the disk to test");
        }

        return RunChecked(Path.GetFullPath(folder), seconds, seed);
    }

    private static int RunChecked(string folder, int seconds, int seed)
    {
        using var stop = new CancellationTokenSource();
        using var signals = new StopSignals(stop.Cancel); // The process ends when its folder is removed.
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"Self test of {folder}: about {seconds} s, at most {SelfTestRun.FreeBytesMin >> 20} MB, seed {seed}"));
        try
        {
            return Print(new SelfTestRun(PlainConsole.Open(), new NativePlatform(), stop.Token).Run(folder, seconds, seed));
        }
        catch (OperationCanceledException)
        {
            return Refuse("stopped before the end: no verdict. The test's own folder is removed");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return Refuse($"'{folder}' could not be tested: {failure.Message}");
        }
    }

    private static bool TryParse(string text, int min, int max, out int value) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value) && value >= min && value <= max;

    private static int Print(IReadOnlyList<Finding> findings)
    {
        foreach (Finding finding in findings)
        {
            Console.WriteLine($"{finding.Part,-12}{Word(finding.Verdict),-12}{finding.Summary}");
            foreach (string detail in finding.Details)
            {
                Console.WriteLine($"            {detail}");
            }
        }

        Verdict worst = findings.Max(finding => finding.Verdict);
        Console.WriteLine($"Result: {Word(worst)}");
        return worst switch
        {
            Verdict.Passed => ExitCodePassed,
            Verdict.Suspicious => ExitCodeSuspicious,
            _ => ExitCodeFailed,
        };
    }

    private static string Word(Verdict verdict) => verdict.ToString().ToUpperInvariant();

    private static int Refuse(string message)
    {
        Console.Error.WriteLine($"jackdaw: {message}");
        return ExitCodeNotTested;
    }
}
