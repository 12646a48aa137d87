using Jackdaw.Security.Keys;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Live;

namespace Jackdaw.Server.Hosting;

/// <summary>The server as a process: logs to stderr, one line on stdout when it is ready, signals, exit
/// codes.</summary>
internal static class ServerProcess
{
    /// <summary>A wrong configuration or an address in use: starting again without a change does not help.</summary>
    public const int ExitCodeConfiguration = 2;

    /// <summary>The storages could not be opened.</summary>
    public const int ExitCodeStorage = 3;

    public static async Task<int> RunAsync(ConfigurationResult configuration, OpenDatabaseCatalog openDatabases)
    {
        if (configuration.Options is not { } options)
        {
            await Console.Error.WriteLineAsync($"jackdaw: {configuration.Error}").ConfigureAwait(false);
            return ExitCodeConfiguration;
        }

        using ILoggerFactory loggers = Logging.Create(options);
        using var tail = new LogTail(TimeProvider.System);
        loggers.AddProvider(tail);
        ILogger logger = loggers.CreateLogger("Jackdaw.Server");
        foreach (string warning in configuration.Warnings)
        {
            logger.LogWarning("{Warning}", warning);
        }

        logger.LogInformation("Data folder: {DataDir}", options.RunInMemory ? "none (RunInMemory)" : options.DataDir);
        try
        {
            await using var server = new JackdawServer(options, openDatabases, loggers, TimeProvider.System, log: tail);
            using var idleMemory = new IdleMemory(TimeProvider.System);
            if (await StartAsync(server, options).ConfigureAwait(false) is { } failed)
            {
                return failed;
            }

            Task scheduling = SocketThreads.RequestBatchSchedulingAsync(logger);
            int exitCode = await ServeAsync(server, logger).ConfigureAwait(false);
            await scheduling.ConfigureAwait(false);
            return exitCode;
        }
        catch (AddressUnusableException failure)
        {
            await Console.Error.WriteLineAsync($"jackdaw: {failure.Message}").ConfigureAwait(false);
            return ExitCodeConfiguration;
        }
    }

    /// <summary>Starts the server, and shows the page of a first secured start.</summary>
    /// <returns>An exit code when the keys cannot be used.</returns>
    private static async Task<int?> StartAsync(JackdawServer server, ServerOptions options)
    {
        try
        {
            await server.StartAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (KeyFileException failure)
        {
            await Console.Error.WriteLineAsync($"jackdaw: {failure.Message}").ConfigureAwait(false);
            return ExitCodeConfiguration;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            await Console.Error.WriteLineAsync($"jackdaw: {StartFailure.Describe(failure, options.DataDir)}").ConfigureAwait(false);
            return ExitCodeStorage;
        }

        if (server.FirstStart is { } page)
        {
            await Console.Error.WriteLineAsync(page).ConfigureAwait(false);
        }

        return null;
    }

    private static async Task<int> ServeAsync(JackdawServer server, ILogger logger)
    {
        var stop = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var signals = new StopSignals(() => stop.TrySetResult()); // The process ends when the store is closed.
        await Task.WhenAny(server.Opened, stop.Task).ConfigureAwait(false);
        if (server.Opened.IsFaulted)
        {
            await Console.Error.WriteLineAsync($"jackdaw: {server.Failure}").ConfigureAwait(false);
            return ExitCodeStorage;
        }

        if (!stop.Task.IsCompleted)
        {
            await AnnounceAsync(server.Address, logger).ConfigureAwait(false);
        }

        await stop.Task.ConfigureAwait(false);
        logger.LogInformation("Stopping");
        await server.StopAsync().ConfigureAwait(false);
        return 0;
    }

    /// <summary>Writes one line to stdout. If stdout is closed or on a full disk, the server works anyway.</summary>
    private static async Task AnnounceAsync(string address, ILogger logger)
    {
        try
        {
            await Console.Out.WriteLineAsync($"Server available on: {address}").ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            logger.LogWarning("Server available on: {Address}. stdout cannot be written: {Reason}", address, failure.Message);
        }
    }
}
