using System.Diagnostics.Metrics;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Diagnostics;
using Jackdaw.Server.Http.Descriptions;

namespace Jackdaw.Server.Http.Routing;

/// <summary>One path with its methods. Immutable once the table is built.</summary>
internal sealed class Route(Meter meter, string pattern, bool isOfDatabase)
{
    private readonly List<RouteMethod> _methods = [];
    private readonly Lazy<RouteMetrics> _metrics = new(() => new RouteMetrics(meter, isOfDatabase ? $"/databases/*{pattern}" : pattern));

    public string Pattern { get; } = pattern;

    /// <summary>Whether the path follows <c>/databases/{name}</c>, so that the handler gets that database.</summary>
    public bool IsOfDatabase { get; } = isOfDatabase;

    /// <summary>The whole path with the name of the database as a placeholder.</summary>
    public string Template { get; } = isOfDatabase ? $"/databases/{{database}}{pattern}" : pattern;

    /// <summary>Made by the first request: a server has hundreds of routes, and a client uses a few.</summary>
    public RouteMetrics Metrics => _metrics.Value;

    public IReadOnlyList<RouteMethod> Methods => _methods;

    /// <summary>Whether one of its methods has a trait.</summary>
    public bool Has(RouteTraits trait) => _methods.Exists(method => method.Has(trait));

    /// <summary>The methods that clients may send.</summary>
    public string MethodNames
    {
        get
        {
            bool alsoAnswersHead = FindOwn("HEAD") is null && FindOwn("GET") is not null;
            return string.Join(", ", _methods.Select(method => method.Name).Concat(alsoAnswersHead ? ["HEAD"] : []));
        }
    }

    public RouteDescription Add(string method, Access access, RouteTraits traits, RequestHandler handler)
    {
        var added = new RouteMethod(this, method, access, traits, handler);
        _methods.Add(added);
        return added.Description;
    }

    /// <summary>The method for a request. Where there is only GET, it also answers HEAD: the same headers, and no body.</summary>
    public RouteMethod? Find(string name) =>
        FindOwn(name) ?? (name.Equals("HEAD", StringComparison.OrdinalIgnoreCase) ? FindOwn("GET") : null);

    private RouteMethod? FindOwn(string name)
    {
        foreach (RouteMethod method in _methods)
        {
            // Reference equality is the usual case: Kestrel interns the methods it knows.
            if (ReferenceEquals(method.Name, name) || method.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                return method;
            }
        }

        return null;
    }
}
