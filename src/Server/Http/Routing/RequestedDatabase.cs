using Jackdaw.Documents.Databases;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Routing;

/// <summary>Finds the open database for a name in a path, if the caller may know of it.</summary>
internal static class RequestedDatabase
{
    /// <summary>How long a request waits for its database to be opened before it is answered with 503: shorter than
    /// clients' own timeouts, longer than opening takes without a large journal.</summary>
    private static readonly TimeSpan s_openingPatience = TimeSpan.FromSeconds(5);

    /// <summary>How long a request waits for the end of a compaction: nobody notices a short one, and clients soon learn the progress of a long one.</summary>
    private static readonly TimeSpan s_compactionPatience = TimeSpan.FromSeconds(1);

    /// <summary>Finds the database, opens it when it is not open yet, and runs a handler with it.</summary>
    public static ValueTask Run(RequestContext context, ReadOnlySpan<char> name, RequestHandler handler)
    {
        DatabaseLookup lookup = context.Databases.Find(name);
        return lookup.Status switch
        {
            DatabaseLookupStatus.Idle or DatabaseLookupStatus.Loading => OpenAndRunAsync(context, name.ToString(), s_openingPatience, handler),
            DatabaseLookupStatus.Compacting => OpenAndRunAsync(context, name.ToString(), s_compactionPatience, handler),
            _ => RunWith(context, lookup, name, handler),
        };
    }

    private static async ValueTask OpenAndRunAsync(RequestContext context, string name, TimeSpan patience, RequestHandler handler)
    {
        DatabaseLookup lookup = await context.Databases.FindOpenAsync(name, patience, context.Aborted).ConfigureAwait(false);
        context.Demand(context.Access, name, context.Title); // it may be lost by now
        await RunWith(context, lookup, name, handler).ConfigureAwait(false);
    }

    private static ValueTask RunWith(RequestContext context, in DatabaseLookup lookup, ReadOnlySpan<char> name, RequestHandler handler)
    {
        if (ToProblem(lookup, name) is { } problem)
        {
            return context.Send(problem);
        }

        context.Database = lookup.Database!;
        context.Database.CountRequest();
        RefreshHints.AddOfDatabase(context, context.Database);
        return handler(context);
    }

    /// <summary>Why a database cannot be used; null when it can.</summary>
    public static Problem? ToProblem(in DatabaseLookup lookup, ReadOnlySpan<char> name) => lookup.Status switch
    {
        DatabaseLookupStatus.Open => null,
        DatabaseLookupStatus.Missing => Problem.DatabaseMissing(name.ToString()),
        DatabaseLookupStatus.Disabled => new Problem(503, ProblemTypes.DatabaseDisabled,
            $"Database '{name}' is disabled; enable it with POST /admin/databases/enable."),
        DatabaseLookupStatus.Idle when lookup.IsUnusable => Problem.Unavailable(ProblemTypes.DatabaseLoading,
            $"Database '{name}' could not be opened now ({lookup.Reason}); it is tried again, so repeat the request in a moment."),
        DatabaseLookupStatus.Idle or DatabaseLookupStatus.Loading => Problem.Unavailable(ProblemTypes.DatabaseLoading,
            $"Database '{name}' is being opened ({lookup.Reason}); try again in a moment."),
        DatabaseLookupStatus.Compacting => Problem.Unavailable(ProblemTypes.DatabaseLoading,
            $"Database '{name}' is being compacted ({lookup.Reason}); try again in a moment."),
        _ => new Problem(500, ProblemTypes.Server, $"Database '{name}' cannot be used: {lookup.Reason}"),
    };
}
