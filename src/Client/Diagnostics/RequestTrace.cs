using System.Diagnostics;
using System.Globalization;

namespace Jackdaw.Client.Diagnostics;

/// <summary>One running request that somebody listens to. It is ended once.</summary>
internal readonly struct RequestTrace
{
    private readonly Activity? _activity;
    private readonly string _operation;
    private readonly string? _database;
    private readonly string? _collection;
    private readonly long _begin;

    public RequestTrace(Activity? activity, string operation, string? database, string? collection)
    {
        (_activity, _operation, _database, _collection) = (activity, operation, database, collection);
        _begin = Stopwatch.GetTimestamp();
    }

    /// <summary>Ends it.</summary>
    /// <param name="server">The server that was asked last.</param>
    /// <param name="status">Status of the answer; 0 if there was none.</param>
    /// <param name="error">Null if the request succeeded.</param>
    public void End(Uri server, int status, Exception? error)
    {
        TimeSpan duration = Stopwatch.GetElapsedTime(_begin);
        string? errorType = error?.GetType().FullName;
        ClientTelemetry.Record(duration, TagsOf(server, errorType));
        if (_activity is null)
        {
            return;
        }

        _activity.SetTag("server.address", server.Host);
        _activity.SetTag("server.port", server.Port);
        if (error is not null)
        {
            _activity.SetTag("error.type", errorType);
            _activity.SetStatus(ActivityStatusCode.Error, error.Message);
        }

        if (status != 0)
        {
            _activity.SetTag("db.response.status_code", status.ToString(CultureInfo.InvariantCulture));
        }

        _activity.Dispose();
    }

    private TagList TagsOf(Uri server, string? errorType)
    {
        TagList tags = default;
        tags.Add("db.system.name", "jackdaw");
        tags.Add("db.operation.name", _operation);
        tags.Add("db.namespace", _database);
        tags.Add("server.address", server.Host);
        tags.Add("server.port", server.Port);
        if (_collection is not null)
        {
            tags.Add("db.collection.name", _collection);
        }

        if (errorType is not null)
        {
            tags.Add("error.type", errorType);
        }

        return tags;
    }
}
