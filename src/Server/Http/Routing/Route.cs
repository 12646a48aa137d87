using System.Diagnostics.Metrics;
using Jackdaw.Server.Diagnostics;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Routing;

/// <summary>One path with its handlers by method. Immutable once the table is built.</summary>
internal sealed class Route(Meter meter, string pattern, bool isOfDatabase)
{
    private readonly List<(string Method, RequestHandler Handler)> _handlers = [];

    public string Pattern { get; } = pattern;

    /// <summary>The path follows <c>/databases/{name}</c>, and the handler gets that database.</summary>
    public bool IsOfDatabase { get; } = isOfDatabase;

    /// <summary>Answered before the storages are open (health, metrics, version).</summary>
    public bool AlwaysAvailable { get; init; }

    /// <summary>The whole path with the name of the database as a placeholder.</summary>
    public string Template { get; } = isOfDatabase ? $"/databases/{{database}}{pattern}" : pattern;

    public RouteMetrics Metrics { get; } = new(meter, isOfDatabase ? $"/databases/*{pattern}" : pattern);

    public string Methods => string.Join(", ", _handlers.Select(entry => entry.Method));

    public void Add(string method, RequestHandler handler) => _handlers.Add((method, handler));

    public RequestHandler? Find(string method)
    {
        foreach ((string known, RequestHandler handler) in _handlers)
        {
            // Reference equality is the usual case: Kestrel interns the methods it knows.
            if (ReferenceEquals(known, method) || known.Equals(method, StringComparison.OrdinalIgnoreCase))
            {
                return handler;
            }
        }

        return null;
    }
}

/// <summary>Serves one request. Throws <see cref="RequestRefusedException"/> for input that cannot be served.</summary>
internal delegate ValueTask RequestHandler(RequestContext context);
