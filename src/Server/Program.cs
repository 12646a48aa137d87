using Jackdaw.Server;
using Jackdaw.Server.Documents.Databases;
using Jackdaw.Server.Hosting;

// The document store is given here: the host knows it only by its seam.
return await CommandLine.RunAsync(
    args,
    static (options, progress, cancellationToken) => StoredServerStore.OpenAsync(
        options, progress, Logging.Create(options).CreateLogger("Jackdaw.Server.Databases"), cancellationToken))
    .ConfigureAwait(false);
