using System.CommandLine;

using Jackdaw.Server.Configuration;
using Jackdaw.Server.Documents.Databases;
using Jackdaw.Server.Hosting;
using Jackdaw.Server.Verbs;

namespace Jackdaw.Server;

/// <summary>The command line: verbs and --help by System.CommandLine; without a verb the arguments are configuration
/// keys.</summary>
internal static class CommandLine
{
    public static Task<int> RunAsync(string[] arguments, OpenServerStore openStore)
    {
        var root = new RootCommand(
            "Jackdaw, a document database server. Without a verb it serves; keys are given as --Key=value.")
        {
            // Drivers pass keys of other servers: those are warnings, not errors.
            TreatUnmatchedTokensAsErrors = false,
        };
        foreach (ConfigurationKey key in ConfigurationKeys.All)
        {
            string byDefault = key.Default.Length == 0 ? "none" : key.Default;
            root.Add(new Option<string>($"--{key.Name}")
            {
                Description = $"{key.Meaning} Default: {byDefault}",
                Arity = ArgumentArity.ZeroOrOne,
            });
        }

        root.Add(HealthVerb.Create());
        root.Add(BenchIoVerb.Create());
        root.Add(VerifyVerb.Create());
        root.Add(CompactVerb.Create());
        root.Add(SelfTestVerb.Create());
        root.Add(SelfTestVerb.CreateWriter());
        root.SetAction((_, _) => ServeAsync(arguments, openStore));
        return root.Parse(arguments).InvokeAsync(new InvocationConfiguration { ProcessTerminationTimeout = null });
    }

    private static Task<int> ServeAsync(string[] arguments, OpenServerStore openStore)
    {
        var loader = new ConfigurationLoader(
            Environment.CurrentDirectory, Environment.GetEnvironmentVariables(), arguments);
        return ServerProcess.RunAsync(loader.Load(), openStore);
    }
}
