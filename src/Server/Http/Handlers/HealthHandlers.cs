using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Databases;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>Liveness, readiness and metrics. They are answered as soon as the server listens, even while storages are recovered.</summary>
internal static class HealthHandlers
{
    /// <summary>The most unusable databases that are named in one answer; the rest is only counted. More of them usually means that a disk failed.</summary>
    private const int FaultedNamedMax = 100;

    public static void Map(RouteTable routes)
    {
        routes.Server("GET", "/health/live", Access.Anonymous, RouteTraits.WhileStarting, Live)
            .Says("Tells that the process runs.")
            .Answers(200, "It runs.");
        routes.Server("GET", "/health/ready", Access.Anonymous, RouteTraits.WhileStarting, Ready)
            .Says("Tells whether the server answers requests, and which databases cannot be opened.")
            .Answers(200, "It answers requests.")
            .Answers(503, "It starts, stops, or could not open its storages.");
        routes.Server("GET", "/metrics", Access.ValidUser, RouteTraits.WhileStarting, Metrics)
            .Says("Gives the metrics of the server in the format of Prometheus.")
            .Answers(200, "The metrics.", MediaTypes.Plain);
        routes.Server("GET", "/setup/alive", Access.Anonymous, RouteTraits.WhileStarting,
            context => context.Empty(204))
            .Says("Tells that the process runs, as official tools ask it.")
            .AnswersEmpty(204, "It runs.");
    }

    private static ValueTask Live(RequestContext context) =>
        context.Json(200, static json =>
        {
            json.WriteStartObject();
            json.WriteString("Status"u8, "Live"u8);
            json.WriteEndObject();
        });

    private static ValueTask Ready(RequestContext context)
    {
        bool isReady = context.Server.Databases is not null && !context.Server.Stopping.IsCancellationRequested;
        string status = isReady ? "Ready"
            : context.Server.Failure is not null ? "Failed"
            : context.Server.Databases is null ? "Starting" : "Stopping";
        RecoveryProgress progress = context.Server.Progress;
        if (!isReady)
        {
            context.Response.Headers.RetryAfter = HttpLimits.RetryAfterSeconds;
        }

        return context.Json(isReady ? 200 : 503, json =>
        {
            json.WriteStartObject();
            json.WriteString("Status"u8, status);
            json.WriteString("Phase"u8, isReady ? "ready" : progress.Phase);
            json.WriteNumber("Done"u8, progress.Done);
            json.WriteNumber("Total"u8, progress.Total);
            json.WriteString("Failure"u8, context.Server.Failure);
            WriteFaulted(json, context);
            json.WriteEndObject();
        });
    }

    // Unusable databases do not make the server unready, because the others are served. A database that waits for its first use is not opened for this answer.
    // Everybody may know the number of databases; their names and faults are only for callers who may open them.
    private static void WriteFaulted(Utf8JsonWriter json, RequestContext context)
    {
        DatabaseCatalog? databases = context.Server.Databases;
        int count = 0;
        json.WriteStartArray("FaultedDatabases"u8);
        foreach (DatabaseRecord record in databases?.ListRecords() ?? [])
        {
            DatabaseLookup lookup = databases!.Find(record.Name);
            if (lookup.IsUnusable && ++count <= FaultedNamedMax && context.Caller.MayKnowOf(record.Name))
            {
                json.WriteStartObject();
                json.WriteString("Name"u8, record.Name);
                json.WriteString("Reason"u8, lookup.Reason);
                json.WriteEndObject();
            }
        }

        json.WriteEndArray();
        json.WriteNumber("FaultedCount"u8, count);
    }

    private static async ValueTask Metrics(RequestContext context)
    {
        using var body = new ResponseBuffer(context.Server.Answers);
        body.Append(System.Text.Encoding.UTF8.GetBytes(context.Server.Metrics.Scrape(name => context.Caller.MayKnowOf(name))));
        await context.Send(200, body, "text/plain; version=0.0.4; charset=utf-8").ConfigureAwait(false);
    }
}
