using System.Diagnostics;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Reading;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Live;
using Jackdaw.Storage.Transactions;
using Microsoft.AspNetCore.Http.Features;

namespace Jackdaw.Server.Http.Routing;

/// <summary>One request and its answer. The object belongs to the connection, whose next request uses it again.</summary>
/// <remarks>Used by one request at a time; nothing touches it after the handler's task has completed.</remarks>
internal sealed partial class RequestContext(ServerState server)
{
    private const string JsonContentType = "application/json; charset=utf-8";

    private readonly DefaultHttpContext _http = new();
    private DocumentDatabase? _database;

    // An answer to a write is never refused for its length, which the length of the request bounds.
    private readonly ResponseBuffer _body = new(memory: null);
    private Utf8JsonWriter? _json;
    private SpliceBuffer? _splice;
    private bool _isMeasured;

    public ServerState Server { get; } = server;

    public HttpRequest Request => _http.Request;

    public HttpResponse Response => _http.Response;

    public IFeatureCollection Features => _http.Features;

    /// <summary>Fires when the client disconnected.</summary>
    public CancellationToken Aborted => _http.RequestAborted;

    /// <summary>Begins to read the database. The read ends with the request.</summary>
    /// <param name="kind">The kind of reader, for statistics.</param>
    public RenewedRead OpenRead(ReaderKind kind) => new(Database, kind, Server.Time, Aborted);

    public long StartTimestamp { get; private set; }

    /// <summary>The connection's buffer for the end of one document.</summary>
    public SpliceBuffer Splice => _splice ??= new SpliceBuffer();

    public QueryParameters Query { get; set; }

    public Route? Route { get; set; }

    /// <summary>Method and template of the route, for messages.</summary>
    public string Title => $"{Request.Method} {Route?.Template}";

    /// <summary>The sender of the request; set before anything else is read.</summary>
    public Caller Caller { get; set; } = null!;

    /// <summary>The caller of the connection, when it has one that is the same for all of its requests; null until it was asked.</summary>
    public Caller? ConnectionCaller { get; set; }

    /// <summary>The access that the route needed, which the caller therefore has.</summary>
    public Access Access { get; set; }

    /// <summary>The databases. Their storages are open, because the dispatcher lets no request in before.</summary>
    public DatabaseCatalog Databases => Server.Databases!;

    /// <summary>Only for routes of a database.</summary>
    public DocumentDatabase Database
    {
        get => _database!;
        set => _database = value;
    }

    /// <summary>Whether <see cref="Database"/> is set.</summary>
    public bool HasDatabase => _database is not null;

    /// <summary>Null where the route has no database, or none was found.</summary>
    public string? DatabaseName => _database?.Name;

    /// <summary>Null without a listener.</summary>
    public Activity? Trace { get; set; }

    /// <summary>What the audit log says of the request; null for routes that are not audited, and on servers without such a log.</summary>
    public AuditedAction? Audited { get; set; }

    /// <summary>Set by handlers that write; shown in Server-Timing.</summary>
    public WriteCost? Cost { get; set; }

    /// <summary>How long the request waited for indexes, which Server-Timing shows; null when it did not wait.</summary>
    public TimeSpan? IndexWait { get; set; }

    /// <summary>Path and query as sent, for messages.</summary>
    public string Url => $"{Request.Path.Value}{Request.QueryString.Value}";

    public void Begin(IFeatureCollection features)
    {
        _http.Initialize(features);
        StartTimestamp = Stopwatch.GetTimestamp();
        Query = new QueryParameters(_http.Request.QueryString.Value!);
        Route = null;
        Caller = null!;
        Access = Access.Anonymous;
        Audited = null;
        Cost = null;
        IndexWait = null;
        Trace = null;
        _database = null;
        _isMeasured = false;
        Response.Headers[ProtocolVersion.HeaderName] = ProtocolVersion.Full;
        BeginLife();
    }

    public void End()
    {
        EndLife();
        _http.Uninitialize();
    }

    /// <summary>Ends the duration and the trace of the request, which now counts as answered. A second call does nothing. The time after an upgrade to a
    /// websocket, which may be hours, does not count as a slow request.</summary>
    public void EndMeasurement()
    {
        if (_isMeasured)
        {
            return;
        }

        _isMeasured = true;
        TimeSpan duration = Stopwatch.GetElapsedTime(StartTimestamp);
        Route?.Metrics.Record(duration, Response.StatusCode);
        CountNotModified();
        if (!Server.Requests.IsEmpty && _database is { } database)
        {
            Tell(database.Name, duration);
        }

        if (Trace is { } trace)
        {
            RequestTrace.End(trace, this);
            Trace = null;
        }
    }

    private void Tell(string database, TimeSpan duration) => Server.Requests.Add(new RequestEntry(
        Server.Time.GetUtcNow(), database, Request.Method, Request.Path.Value ?? "", Request.QueryString.Value ?? "", Response.StatusCode, duration,
        Caller.Name, _http.Connection.RemoteIpAddress));

    // A patch is answered so too when it changes nothing, which says nothing about a client's cache.
    private void CountNotModified()
    {
        if (Response.StatusCode == StatusCodes.Status304NotModified && !HttpMethods.IsPatch(Request.Method))
        {
            _database?.CountNotModified();
        }
    }

    /// <summary>Refuses the request when the caller may not do with its database what is more than the route needed.</summary>
    /// <param name="access">The access that is needed.</param>
    /// <param name="subject">The action that needs it, as the subject of a sentence.</param>
    /// <exception cref="AccessDeniedException">The caller does not have the access.</exception>
    public void Demand(Access access, string subject) => Demand(access, Database.Name, subject);

    /// <summary>Refuses the request, and records the refusal, when the caller does not have an access.</summary>
    /// <inheritdoc cref="Caller.Demand"/>
    public void Demand(Access access, ReadOnlySpan<char> database, string subject)
    {
        if (!Caller.May(access, database))
        {
            AuditedRequests.Refuse(this, database, subject, access);
            Caller.Demand(access, database, subject);
        }
    }

    /// <summary>Refuses commands whose kind the caller may not send.</summary>
    /// <exception cref="AccessDeniedException">The caller does not have the access.</exception>
    public void Demand(ParsedBatch batch)
    {
        if (batch.MostDemanding is { } kind)
        {
            Demand(kind.Access, kind.Title);
        }
    }

    /// <summary>Sends an answer without a body.</summary>
    public ValueTask Empty(int status)
    {
        Response.StatusCode = status;
        AddTiming();
        if (status is not (StatusCodes.Status204NoContent or StatusCodes.Status304NotModified))
        {
            Response.ContentLength = 0;
        }

        return ValueTask.CompletedTask;
    }

    /// <summary>Sends a small JSON answer.</summary>
    public ValueTask Json(int status, Action<Utf8JsonWriter> write) => Json(status, write, static (json, inner) => inner(json));

    /// <summary>Sends a small JSON answer that is written from a state, without a closure.</summary>
    public ValueTask Json<TState>(int status, TState state, Action<Utf8JsonWriter, TState> write)
    {
        ValueTask sent;
        try
        {
            _json ??= new Utf8JsonWriter(_body, JsonAnswers.WriterOptions);
            _json.Reset();
            write(_json, state);
            _json.Flush();
            sent = Send(status, _body);
        }
        catch
        {
            _body.Dispose();
            throw;
        }

        if (!sent.IsCompletedSuccessfully)
        {
            return EmptyBodyAfterAsync(sent);
        }

        _body.Dispose();
        return sent;
    }

    /// <summary>Sends a finished body; the caller disposes it afterwards. A body that fits into one step costs no state machine.</summary>
    public ValueTask Send(int status, ResponseBuffer body, string contentType = JsonContentType)
    {
        PrepareBody(status, body.Length, contentType);
        if (HttpMethods.IsHead(Request.Method))
        {
            return ValueTask.CompletedTask;
        }

        // This only waits when a callback was registered.
        Task start = Response.StartAsync(Aborted);
        if (!start.IsCompletedSuccessfully || !body.TryGetOneStep(out ReadOnlySpan<byte> step))
        {
            return SendStepsAsync(start, body);
        }

        Response.BodyWriter.Append(step);
        return ValueTask.CompletedTask;
    }

    private async ValueTask SendStepsAsync(Task start, ResponseBuffer body)
    {
        await start.ConfigureAwait(false);
        await body.CopyToAsync(Response.BodyWriter, Aborted).ConfigureAwait(false);
    }

    private async ValueTask EmptyBodyAfterAsync(ValueTask sent)
    {
        using ResponseBuffer body = _body;
        await sent.ConfigureAwait(false);
    }

    /// <summary>Sets the headers of an answer whose length is known.</summary>
    public void PrepareBody(int status, long length, string contentType = JsonContentType)
    {
        Response.StatusCode = status;
        Response.ContentType = contentType;
        Response.ContentLength = length;
        AddTiming();
    }

    /// <summary>Sends a problem as the answer. This is possible as long as no byte of another answer was sent.</summary>
    public ValueTask Send(Problem problem)
    {
        Debug.Assert(!Response.HasStarted);
        Response.Clear();
        Response.Headers[ProtocolVersion.HeaderName] = ProtocolVersion.Full;
        if (problem.RetryLater)
        {
            Response.Headers.RetryAfter = HttpLimits.RetryAfterSeconds;
        }

        if (problem.CloseConnection)
        {
            Response.Headers.Connection = "close";
        }

        if (problem.Allow is not null)
        {
            Response.Headers.Allow = problem.Allow;
        }

        if (problem.MissingDatabase is { } missing)
        {
            NameMissing(missing);
        }

        return Json(problem.Status, json => problem.WriteTo(json, Url));
    }

    /// <summary>Adds the header by which clients tell that a database does not exist.</summary>
    public void NameMissing(string database) => Response.Headers["Database-Missing"] = ToHeaderText(database);

    // A header holds only visible ASCII; a name from a URL may hold any character.
    private static string ToHeaderText(string text) =>
        string.Create(text.Length, text, static (span, source) =>
        {
            for (int i = 0; i < span.Length; i++)
            {
                span[i] = source[i] is > ' ' and < '\u007f' ? source[i] : '?';
            }
        });

    private void AddTiming()
    {
        string timing = Cost is { } cost ? ServerTiming.ForWrite(StartTimestamp, cost) : ServerTiming.ForRead(StartTimestamp);
        Response.Headers["Server-Timing"] = IndexWait is { } wait ? timing + ServerTiming.ForIndexWait(wait) : timing;
    }
}
