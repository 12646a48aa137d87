using System.Globalization;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Queries.Running;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Queries;

/// <summary>Shows the queries that run now, and ends those that somebody does not want.</summary>
internal static class RunningQueryHandlers
{
    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/queries/running", Access.Admin, RouteTraits.InMultiGet, List)
            .Says("Lists the queries that run now, the oldest first.")
            .Answers(200, "Results has their numbers, texts and senders, and how long they have run.");
        routes.Database("POST", "/queries/kill", Access.Admin, RouteTraits.AuditedWithDetails, Kill)
            .Says("Ends a query that runs. Its sender gets an error.")
            .Takes(Input.Count("id", "The number of the query.", "0").Required())
            .AnswersEmpty(204, "It ends.")
            .Answers(404, "It does not run any more.");
    }

    private static ValueTask List(RequestContext context) =>
        context.Json(200, context.Server.Queries.List(context.Database.Name), static (json, queries) =>
        {
            json.WriteStartObject();
            json.WriteStartArray("Results"u8);
            foreach (RunningQuery query in queries)
            {
                json.WriteStartObject();
                json.WriteNumber("Id"u8, query.Id);
                JsonAnswers.WriteBeginning(json, "Query", query.Text);
                json.WriteString("Sender"u8, query.Sender);
                json.WriteNumber("Milliseconds"u8, Math.Round(query.Elapsed.TotalMilliseconds, 1));
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        });

    private static ValueTask Kill(RequestContext context)
    {
        context.Query.GetRequiredText("id");
        long id = context.Query.GetCount("id", 0);
        RunningQuery query = context.Server.Queries.Find(context.Database.Name, id)
            ?? throw new RequestRefusedException(new Problem(404, ProblemTypes.InvalidOperation,
                $"Query {id} does not run in this database (any more); GET queries/running shows those that do."));
        context.Audited?.Begin(new("query", id.ToString(CultureInfo.InvariantCulture)), new("sender", query.Sender));
        query.Deadline.Kill();
        return context.Empty(204);
    }
}
