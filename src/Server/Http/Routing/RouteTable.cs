using System.Diagnostics;
using System.Diagnostics.Metrics;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Descriptions;

namespace Jackdaw.Server.Http.Routing;

/// <summary>All routes. Paths are compared exactly, but without regard to case; one that ends with <c>/*</c> stands for all below it that have no route
/// of their own. There is one table for the server, and one for paths after a database's name.</summary>
/// <remarks>Lookups take no lock and allocate nothing. The table is filled before the first request.</remarks>
internal sealed class RouteTable(Meter meter)
{
    private const string DatabasePrefix = "/databases/";

    private const string Below = "/*";

    private readonly Dictionary<string, Route> _server = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, Route> _database = new(StringComparer.OrdinalIgnoreCase);

    // The routes of the server whose paths end with /*, by what stands before the star.
    private readonly List<(string Prefix, Route Route)> _below = [];

    // First segment of the path after the database's name -> subject and verb of the message, such as "Queries are".
    private readonly Dictionary<string, string> _laterFeatures = new(StringComparer.OrdinalIgnoreCase);

    public IEnumerable<Route> All => _server.Values.Concat(_database.Values);

    /// <summary>Adds a method of a path of the server.</summary>
    public RouteDescription Server(string method, string path, Access access, RouteTraits traits, RequestHandler handler) =>
        Add(_server, isOfDatabase: false, path).Add(method, access, traits, handler);

    /// <summary>Adds a method of a path that follows the name of a database.</summary>
    public RouteDescription Database(string method, string path, Access access, RouteTraits traits, RequestHandler handler) =>
        Add(_database, isOfDatabase: true, path).Add(method, access, traits, handler);

    /// <summary>Names a feature that clients can call and that this version does not have.</summary>
    /// <param name="firstSegments">The first segments of its paths, or whole paths if other features share the segment.</param>
    public void Later(string subjectAndVerb, params ReadOnlySpan<string> firstSegments)
    {
        foreach (string segment in firstSegments)
        {
            _laterFeatures[segment] = subjectAndVerb;
        }
    }

    /// <summary>Splits a path and finds its route.</summary>
    /// <param name="path">A path that begins with a slash; a slash at the end is ignored.</param>
    /// <param name="databaseName">Empty for paths of the server.</param>
    public Route? Find(ReadOnlySpan<char> path, out ReadOnlySpan<char> databaseName)
    {
        databaseName = Split(path, out ReadOnlySpan<char> rest);
        Dictionary<string, Route> table = databaseName.IsEmpty ? _server : _database;
        return table.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(rest, out Route? route) ? route : FindBelow(databaseName, rest);
    }

    /// <summary>The missing feature to which a path without a route belongs; null when the path is a mistake.</summary>
    public string? FindLaterFeature(ReadOnlySpan<char> path)
    {
        Split(path, out path);
        var later = _laterFeatures.GetAlternateLookup<ReadOnlySpan<char>>();
        if (later.TryGetValue(path, out string? feature))
        {
            return feature;
        }

        // The longest known beginning wins: /admin/revisions before /admin.
        for (int end = path.LastIndexOf('/'); end > 0; end = path[..end].LastIndexOf('/'))
        {
            if (later.TryGetValue(path[..end], out feature))
            {
                return feature;
            }
        }

        return null;
    }

    private Route? FindBelow(ReadOnlySpan<char> databaseName, ReadOnlySpan<char> path)
    {
        foreach ((string prefix, Route route) in _below)
        {
            if (databaseName.IsEmpty && path.StartsWith(prefix, StringComparison.OrdinalIgnoreCase))
            {
                return route;
            }
        }

        return null;
    }

    private Route Add(Dictionary<string, Route> table, bool isOfDatabase, string path)
    {
        if (!table.TryGetValue(path, out Route? route))
        {
            table.Add(path, route = new Route(meter, path, isOfDatabase));
            if (path.EndsWith(Below, StringComparison.Ordinal))
            {
                Debug.Assert(!isOfDatabase);
                _below.Add((path[..^1], route));
            }
        }

        return route;
    }

    // Returns the database's name, which is empty for a path of the server; rest is the part that the tables contain.
    private static ReadOnlySpan<char> Split(ReadOnlySpan<char> path, out ReadOnlySpan<char> rest)
    {
        rest = path.Length > 1 && path[^1] == '/' ? path[..^1] : path;
        if (!rest.StartsWith(DatabasePrefix, StringComparison.OrdinalIgnoreCase))
        {
            return default;
        }

        ReadOnlySpan<char> named = rest[DatabasePrefix.Length..];
        int slash = named.IndexOf('/');
        if (slash <= 0)
        {
            return default;
        }

        rest = named[slash..];
        return named[..slash];
    }
}
