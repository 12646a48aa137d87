using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Settings;

/// <summary>Reads and writes the settings of a database: texts by name, in the member Settings of its record. They take effect like those that come with a
/// record.</summary>
internal static class SettingsHandlers
{
    private const string Member = "Settings";

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/admin/configuration/settings", Access.Admin, RouteTraits.InMultiGet, Get)
            .Says("Gives the settings of the database.")
            .Answers(200, "Settings has them.");
        routes.Database("PUT", "/admin/configuration/settings", Access.Admin, RouteTraits.Audited, PutAsync)
            .Says("Replaces the settings of the database.")
            .Sends(Body.Json("Texts by name.", """{"Indexing.MapTimeoutInSec":"15"}"""))
            .AnswersEmpty(204, "They are stored.");
    }

    private static ValueTask Get(RequestContext context)
    {
        return context.Json(200, RecordChanges.Find(context, Member), static (json, stored) =>
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

        await RecordChanges.SetAsync(context, Member, body.Bytes).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }
}
