using Jackdaw.Server;
using Jackdaw.Server.Documents.Databases;
using Jackdaw.Server.Hosting;

// The document store is given here: the host knows it only by its seam.
return await ServerCommandLine.RunAsync(
    args,
    static (options, progress, cancellationToken) => StoredDatabaseCatalog.OpenAsync(
        options, [], progress, Logging.Create(options).CreateLogger("Jackdaw.Server.Databases"), cancellationToken))
    .ConfigureAwait(false);
