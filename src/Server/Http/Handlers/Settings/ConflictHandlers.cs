using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Databases;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Settings;

/// <summary>Conflicts of replicas. One node has none, so that lists are empty. What clients say about solving them is a member of the record.</summary>
internal static class ConflictHandlers
{
    private const string Member = "ConflictSolverConfig";

    public static void Map(RouteTable routes)
    {
        routes.Server("POST", "/admin/replication/conflicts/solver", Access.Operator, RouteTraits.Audited, SetSolverAsync)
            .Says("Keeps what clients say about solving conflicts of replicas; one node has none.")
            .Takes(Inputs.DatabaseName)
            .Sends(Body.Object(
                "The solver.",
                Input.Json("ResolveToLatest", "Whether the newest version wins.", "true"),
                Input.Json("ResolveByCollection", "A script for each collection.", "{}")))
            .Answers(200, "The solver, and RaftCommandIndex, the number of the change.");
        routes.Database("GET", "/replication/conflicts", Access.Read, RouteTraits.InMultiGet, GetConflicts)
            .Says("Lists conflicts of replicas; one node has none.")
            .Takes(Input.Text("docId", "Only conflicts of this document.", "orders/1-A"))
            .Answers(200, "Results is empty.");
    }

    private static async ValueTask SetSolverAsync(RequestContext context)
    {
        string name = context.Query.GetRequiredText("name");
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A solver of conflicts").ConfigureAwait(false);
        body.Root.FlagMember("ResolveToLatest");
        if (body.Root.Member("ResolveByCollection") is { } collections && collections.ValueKind != JsonValueKind.Object)
        {
            throw new RequestRefusedException(Problem.Argument(
                $"The member 'ResolveByCollection' must be an object with a script for each collection, not {collections.ValueKind}."));
        }

        long index = await RecordChanges.SetAsync(context, name, Member, body.Bytes).ConfigureAwait(false);
        DatabaseRecord record = context.Databases.GetRecord(name) ?? throw new RequestRefusedException(Problem.DatabaseMissing(name));
        await context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteNumber("RaftCommandIndex"u8, index);
            json.WriteString("Key"u8, record.Name);
            json.WritePropertyName("Solver"u8);
            body.Root.WriteTo(json);
            json.WriteEndObject();
        }).ConfigureAwait(false);
    }

    private static ValueTask GetConflicts(RequestContext context) => context.Json(200, context.Query.GetText("docId"), static (json, id) =>
    {
        json.WriteStartObject();
        json.WriteString("Id"u8, id);
        json.WriteNumber("LargestEtag"u8, 0);
        json.WriteNumber("TotalResults"u8, 0);
        json.WriteStartArray("Results"u8);
        json.WriteEndArray();
        json.WriteEndObject();
    });
}
