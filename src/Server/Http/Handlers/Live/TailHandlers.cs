using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Live;

namespace Jackdaw.Server.Http.Handlers.Live;

/// <summary>The websockets with the requests of a database and with the lines of the log, while they come.</summary>
internal static class TailHandlers
{
    /// <summary>People cannot read more, and the server has better things to do than to write them.</summary>
    public const int RequestsOfFrameMax = 250;

    private static readonly LogLevel[] s_levels =
        [LogLevel.Trace, LogLevel.Debug, LogLevel.Information, LogLevel.Warning, LogLevel.Error, LogLevel.Critical];

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/live/requests", Access.Admin, RouteTraits.Streams, FollowRequestsAsync)
            .Says("Follows the requests to the database, by a websocket.")
            .Takes(
                Input.Text("contains", "Only requests with this text in their path or parameters.", "orders/"),
                Input.Text("method", "Only requests of this method.", "PUT"),
                Input.Count("minStatus", "Only answers with this status or a higher one.", "400"),
                Input.Count("minMilliseconds", "Only requests that took as long, or longer.", "100"))
            .AnswersEmpty(101, "The websocket.");
        routes.Server("GET", "/admin/logs/tail", Access.Operator, RouteTraits.Streams, FollowLogAsync)
            .Says("Follows the log of the server from its last lines on, by a websocket.")
            .Takes(
                Input.Text("contains", "Only lines with this text.", "failed"),
                Input.OneOf("minLevel", "Only lines of this level or a higher one.", [.. s_levels.Select(level => level.ToString())]))
            .AnswersEmpty(101, "The websocket.");
    }

    private static async ValueTask FollowRequestsAsync(RequestContext context)
    {
        Predicate<RequestEntry> wants = ReadRequestFilter(context.Query);
        using IDisposable watch = context.Server.Requests.Watch(context.Database.Name, out Tail<RequestEntry> entries);
        await LiveHandlers.FollowAsync(context, socket => new TailConnection<RequestEntry>(
            socket, context, entries, entries.Newest, RequestsOfFrameMax, wants, Write)).ConfigureAwait(false);
    }

    private static Predicate<RequestEntry> ReadRequestFilter(QueryParameters query)
    {
        string text = query.GetText("contains") ?? "";
        string method = query.GetText("method") ?? "";
        long status = query.GetCount("minStatus", 0);
        TimeSpan duration = TimeSpan.FromMilliseconds(Math.Min(query.GetCount("minMilliseconds", 0), int.MaxValue));
        return entry => entry.Status >= status
            && entry.Duration >= duration
            && (method.Length == 0 || entry.Method.Equals(method, StringComparison.OrdinalIgnoreCase))
            && (text.Length == 0 || Contains(entry.Path, text) || Contains(Uri.UnescapeDataString(entry.Parameters), text));
    }

    private static ValueTask FollowLogAsync(RequestContext context)
    {
        string text = context.Query.GetText("contains") ?? "";
        LogLevel least = ReadLevel(context.Query.GetText("minLevel"));
        Tail<LogEntry> lines = context.Server.LogTail.Entries;
        long after = Math.Max(0, lines.Newest - LogTail.EntriesMax);
        return LiveHandlers.FollowAsync(context, socket => new TailConnection<LogEntry>(
            socket, context, lines, after, LogTail.EntriesMax, entry => entry.Level >= least && (text.Length == 0 || HasText(entry, text)), Write));
    }

    private static LogLevel ReadLevel(string? text)
    {
        if (string.IsNullOrEmpty(text))
        {
            return LogLevel.Trace;
        }

        int at = Array.FindIndex(s_levels, level => level.ToString().Equals(text, StringComparison.OrdinalIgnoreCase));
        return at >= 0
            ? s_levels[at]
            : throw new RequestRefusedException(Problem.Argument($"minLevel must be one of {string.Join(", ", s_levels)}, not '{text}'."));
    }

    private static bool HasText(LogEntry entry, string text) =>
        Contains(entry.Message, text) || Contains(entry.Category, text) || (entry.Failure is { } failure && Contains(failure, text));

    private static bool Contains(string whole, string text) => whole.Contains(text, StringComparison.OrdinalIgnoreCase);

    private static void Write(Utf8JsonWriter json, RequestEntry entry)
    {
        json.WriteStartObject();
        json.WriteString("At"u8, entry.Ended);
        json.WriteString("Method"u8, entry.Method);
        json.WriteString("Path"u8, entry.Path);
        json.WriteString("Parameters"u8, entry.Parameters);
        json.WriteNumber("Status"u8, entry.Status);
        json.WriteNumber("Milliseconds"u8, Math.Round(entry.Duration.TotalMilliseconds, 3));
        json.WriteString("Caller"u8, entry.Caller);
        json.WriteString("Address"u8, entry.Address?.ToString());
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, LogEntry entry)
    {
        json.WriteStartObject();
        json.WriteString("At"u8, entry.At);
        json.WriteString("Level"u8, entry.Level.ToString());
        json.WriteString("Category"u8, entry.Category);
        json.WriteString("Message"u8, entry.Message);
        json.WriteString("Failure"u8, entry.Failure);
        json.WriteEndObject();
    }
}
