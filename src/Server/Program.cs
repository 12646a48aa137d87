using Jackdaw.Server;

// The document store is given here: the host knows it only by its seam.
return await CommandLine.RunAsync(
    args, static (_, _, _) => throw new NotSupportedException("this build has no document store"))
        .ConfigureAwait(false);
