using System.CommandLine;
using Jackdaw.Pal.Native;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Hosting;
using Jackdaw.Server.Verbs;
using Jackdaw.Server.Verbs.Certificates;

namespace Jackdaw.Server;

/// <summary>The command line: verbs and --help by System.CommandLine; without a verb the arguments are configuration
/// keys.</summary>
internal static class ServerCommandLine
{
    public static async Task<int> RunAsync(string[] arguments, OpenDatabaseCatalog openDatabases)
    {
        var root = new RootCommand(
            "Jackdaw, a document database server. Without a verb it serves; keys are given as --Key=value.")
        {
            // Drivers pass keys of other servers; such keys are warnings, not errors.
            TreatUnmatchedTokensAsErrors = false,
        };
        foreach (ConfigurationKey key in ConfigurationKeys.All)
        {
            string byDefault = key.Default.Length == 0 ? "none" : key.Default;
            root.Add(new Option<string[]>($"--{key.Name}")
            {
                Description = $"{key.Meaning} Default: {byDefault}",
                Arity = ArgumentArity.ZeroOrMore, // the last one wins
            });
        }

        root.Add(HealthVerb.Create());
        root.Add(BenchIoVerb.Create());
        root.Add(VerifyVerb.Create());
        root.Add(CompactVerb.Create());
        root.Add(SampleVerb.Create());
        root.Add(CertVerb.Create());
        root.Add(RotateCaVerb.Create());
        root.Add(LoginLinkVerb.Create());
        root.Add(SelfTestVerb.Create());
        root.Add(SelfTestVerb.CreateWriter());
        root.SetAction((_, _) => ServeAsync(arguments, openDatabases));
        ParseResult parsed = root.Parse(arguments);
        string? problem = FindProblem(parsed) is { } wrong ? $"{wrong} See jackdaw --help." : FindMissingLibrary();
        if (problem is not null)
        {
            return Refuse(problem);
        }

        try
        {
            return await parsed.InvokeAsync(new InvocationConfiguration { ProcessTerminationTimeout = null, EnableDefaultExceptionHandler = false })
                .ConfigureAwait(false);
        }
        catch (IOException failure)
        {
            // For example, stdout may be on a full disk. The parser itself would return 1, which for verify and compact means damage.
            return Refuse(failure.Message);
        }
    }

    private static int Refuse(string problem)
    {
        Console.Error.WriteLine($"jackdaw: {problem}");
        return ServerProcess.ExitCodeConfiguration;
    }

    /// <summary>Finds the mistake in a verb's arguments. The parser itself would print a page of help and return the exit code of a verb that found
    /// damage.</summary>
    private static string? FindProblem(ParseResult parsed)
    {
        if (parsed.Errors is [{ } error, ..])
        {
            return error.Message;
        }

        Command verb = parsed.CommandResult.Command;
        return verb is RootCommand || !verb.TreatUnmatchedTokensAsErrors || parsed.UnmatchedTokens is not [{ } unknown, ..]
            ? null
            : $"'{unknown}' is neither an option of {verb.Name} nor an argument that it takes.";
    }

    /// <summary>Otherwise a write would notice the missing library and stop the storage.</summary>
    private static string? FindMissingLibrary()
    {
        try
        {
            NativePlatform.EnsureAvailable();
            return null;
        }
        catch (DllNotFoundException e)
        {
            return e.Message;
        }
    }

    private static Task<int> ServeAsync(string[] arguments, OpenDatabaseCatalog openDatabases)
    {
        var loader = new ConfigurationLoader(
            Environment.CurrentDirectory, Environment.GetEnvironmentVariables(), arguments);
        return ServerProcess.RunAsync(loader.Load(), openDatabases);
    }
}
