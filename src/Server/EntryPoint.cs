using Jackdaw.Server.Hosting;

namespace Jackdaw.Server;

/// <summary>Starts the process.</summary>
/// <remarks>Not a file of statements: their class would be called <c>Program</c>, as that of every web application, whose tests name it.</remarks>
internal static class EntryPoint
{
    // The document store is given here: the host knows only its interface.
    private static Task<int> Main(string[] args) => ServerCommandLine.RunAsync(
        args,
        static (options, progress, cancellationToken) => ServerDatabases.OpenAsync(
            options, TimeProvider.System, Logging.Create(options).CreateLogger("Jackdaw.Server.Databases"), progress, cancellationToken));
}
