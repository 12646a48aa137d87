using System.Diagnostics;
using Jackdaw.Client.Exceptions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Client.Diagnostics;

/// <summary>What a store tells the logs of a program: its requests, its queries, and what happens to its connections. Values of parameters are not
/// logged.</summary>
internal sealed partial class ClientLog
{
    public const string RequestCategory = "Jackdaw.Client.Requests";
    public const string QueryCategory = "Jackdaw.Client.Queries";
    public const string ChangesCategory = "Jackdaw.Client.Changes";

    private readonly ILogger _requests;
    private readonly ILogger _queries;
    private readonly ILogger _changes;
    private readonly TimeSpan _slow;

    /// <param name="loggers">Null: nobody reads the log.</param>
    /// <param name="slow">A query that takes longer is a warning.</param>
    public ClientLog(ILoggerFactory? loggers, TimeSpan slow)
    {
        loggers ??= NullLoggerFactory.Instance;
        (_requests, _queries, _changes) =
            (loggers.CreateLogger(RequestCategory), loggers.CreateLogger(QueryCategory), loggers.CreateLogger(ChangesCategory));
        _slow = slow;
    }

    public static ClientLog None { get; } = new(null, TimeSpan.MaxValue);

    /// <summary>The time at which a request begins; 0 if nobody reads about requests.</summary>
    public long Begin() => _requests.IsEnabled(LogLevel.Error) || _queries.IsEnabled(LogLevel.Warning) ? Stopwatch.GetTimestamp() : 0;

    /// <param name="query">Text of a query; null for any other request.</param>
    /// <param name="began">What <see cref="Begin"/> gave.</param>
    public void Answered(HttpMethod method, string path, string? query, int status, long began)
    {
        if (began == 0)
        {
            return;
        }

        TimeSpan duration = Stopwatch.GetElapsedTime(began);
        Requested(_requests, method, path, status, duration.TotalMilliseconds);
        if (query is not null)
        {
            if (duration >= _slow)
            {
                SlowQuery(_queries, duration.TotalMilliseconds, query);
            }
            else
            {
                Queried(_queries, duration.TotalMilliseconds, query);
            }
        }
    }

    /// <returns>False, so that it can be the filter of a catch that lets the error pass.</returns>
    public bool Failed(HttpMethod method, string path, Exception error, long began)
    {
        if (began == 0 || error is OperationCanceledException)
        {
            return false;
        }

        double milliseconds = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
        if (error is DocumentDatabaseException { StatusCode: > 0 and < 500 and var status })
        {
            Refused(_requests, method, path, status, milliseconds, error.Message); // The program gets the exception, and may expect it.
        }
        else
        {
            RequestFailed(_requests, error, method, path, milliseconds);
        }

        return false;
    }

    /// <summary>A server did not answer, and the request is sent to the next one.</summary>
    public void TriesNext(HttpMethod method, string path, Uri failed, Uri next, string why) => Retry(_requests, method, path, failed, why, next);

    public void Connected(Uri address) => Listening(_changes, address);

    public void Lost(Uri address, string why) => Disconnected(_changes, address, why);

    public void NotConnected(Uri address, string why) => Unreachable(_changes, address, why);

    [LoggerMessage(1, LogLevel.Debug, "{Method} {Path} was answered with {Status} in {Milliseconds:0.0} ms.")]
    private static partial void Requested(ILogger logger, HttpMethod method, string path, int status, double milliseconds);

    [LoggerMessage(2, LogLevel.Debug, "{Method} {Path} was refused with {Status} after {Milliseconds:0.0} ms: {Reason}")]
    private static partial void Refused(ILogger logger, HttpMethod method, string path, int status, double milliseconds, string reason);

    [LoggerMessage(3, LogLevel.Error, "{Method} {Path} failed after {Milliseconds:0.0} ms.")]
    private static partial void RequestFailed(ILogger logger, Exception error, HttpMethod method, string path, double milliseconds);

    [LoggerMessage(4, LogLevel.Warning, "{Method} {Path}: {Server} does not work ({Reason}), so {Next} is asked.")]
    private static partial void Retry(ILogger logger, HttpMethod method, string path, Uri server, string reason, Uri next);

    [LoggerMessage(5, LogLevel.Information, "Query answered in {Milliseconds:0.0} ms: {Rql}")]
    private static partial void Queried(ILogger logger, double milliseconds, string rql);

    [LoggerMessage(6, LogLevel.Warning, "Slow query, answered in {Milliseconds:0.0} ms: {Rql}")]
    private static partial void SlowQuery(ILogger logger, double milliseconds, string rql);

    [LoggerMessage(7, LogLevel.Information, "Changes are reported by {Address}.")]
    private static partial void Listening(ILogger logger, Uri address);

    [LoggerMessage(8, LogLevel.Warning, "The connection to the changes of {Address} was lost, and is made again: {Reason}")]
    private static partial void Disconnected(ILogger logger, Uri address, string reason);

    [LoggerMessage(9, LogLevel.Debug, "{Address} does not report changes yet, and is asked again: {Reason}")]
    private static partial void Unreachable(ILogger logger, Uri address, string reason);
}
