using System.Text.Json;
using Jackdaw.Server.Documents.Databases;
using Jackdaw.Server.Documents.Expiration;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Documents;

/// <summary>Configuration of expiration, refresh and archiving: members of the database's record.</summary>
internal static class DueHandlers
{
    public static void Map(RouteTable routes)
    {
        Map(routes, "expiration", DueFeature.Expiration);
        Map(routes, "refresh", DueFeature.Refresh);
        Map(routes, "data-archival", DueFeature.Archival);
    }

    private static void Map(RouteTable routes, string path, DueFeature feature)
    {
        routes.Database("POST", $"/admin/{path}/config", context => PostAsync(context, feature));
        routes.Database("GET", $"/admin/{path}/config", context => Get(context, feature));
        routes.Database("GET", $"/{path}/config", context => Get(context, feature));
    }

    private static async ValueTask PostAsync(RequestContext context, DueFeature feature)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, $"The configuration of {feature.Name}").ConfigureAwait(false);
        if (!feature.TryRead(body.Root, out _, out string problem))
        {
            throw new RequestRefusedException(Problem.Argument(problem));
        }

        RecordWriteResult result = await context.Store
            .PutRecordMemberAsync(context.Database.Name, feature.Member, body.Bytes, context.Aborted).ConfigureAwait(false);
        if (result.Status != RecordWriteStatus.Written)
        {
            await context.Send(Problem.DatabaseMissing(context.Database.Name)).ConfigureAwait(false);
            return;
        }

        await context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteNumber("RaftCommandIndex"u8, result.CommitIndex);
            json.WriteEndObject();
        }).ConfigureAwait(false);
    }

    private static ValueTask Get(RequestContext context, DueFeature feature)
    {
        DatabaseRecord? record = context.Store.GetRecord(context.Database.Name);
        using JsonDocument? json = record is null ? null : JsonBody.ParseStored(record.Json);
        if (json?.RootElement.Member(feature.Member) is not { } configuration)
        {
            return context.Empty(404);
        }

        return context.Json(200, configuration, static (writer, stored) => stored.WriteTo(writer));
    }
}
