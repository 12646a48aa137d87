using Jackdaw.Server;
using Jackdaw.Server.Hosting;

// The document store is given here: the host knows only its interface.
return await ServerCommandLine.RunAsync(
    args,
    static (options, progress, cancellationToken) => ServerDatabases.OpenAsync(
        options, TimeProvider.System, Logging.Create(options).CreateLogger("Jackdaw.Server.Databases"), progress, cancellationToken))
    .ConfigureAwait(false);
