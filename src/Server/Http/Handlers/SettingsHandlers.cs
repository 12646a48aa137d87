using System.Text.Json;
using Jackdaw.Server.Documents.Databases;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>Settings of a database: texts by name, the member Settings of its record. They apply as those of a record do.</summary>
internal static class SettingsHandlers
{
    private const string Member = "Settings";

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/admin/configuration/settings", Get);
        routes.Database("PUT", "/admin/configuration/settings", PutAsync);
    }

    private static ValueTask Get(RequestContext context)
    {
        using JsonDocument record = JsonBody.ParseStored(context.Store.GetRecord(context.Database.Name)?.Json ?? "{}"u8.ToArray());
        JsonElement? settings = record.RootElement.Member(Member);
        return context.Json(200, settings, static (json, stored) =>
        {
            json.WriteStartObject();
            json.WritePropertyName(Member);
            if (stored is { } found)
            {
                found.WriteTo(json);
            }
            else
            {
                json.WriteStartObject();
                json.WriteEndObject();
            }

            json.WriteEndObject();
        });
    }

    private static async ValueTask PutAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "The settings of a database").ConfigureAwait(false);
        foreach (JsonProperty setting in body.Root.EnumerateObject())
        {
            if (setting.Value.ValueKind is not (JsonValueKind.String or JsonValueKind.Null))
            {
                throw new RequestRefusedException(Problem.Argument(
                    $"The setting '{setting.Name}' must be a text or null, not {setting.Value.ValueKind}; send {{\"Name\":\"value\"}}."));
            }
        }

        RecordWriteResult result = await context.Store.PutRecordMemberAsync(context.Database.Name, Member, body.Bytes, context.Aborted)
            .ConfigureAwait(false);
        if (result.Status != RecordWriteStatus.Written)
        {
            await context.Send(Problem.DatabaseMissing(context.Database.Name)).ConfigureAwait(false);
            return;
        }

        await context.Empty(204).ConfigureAwait(false);
    }
}
