using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Databases;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Settings;

/// <summary>Settings that clients fetch and obey, for one database or for all.</summary>
internal static class ClientConfigurationHandlers
{
    private static readonly Body s_configuration = Body.Object(
        "The settings.",
        Input.Json("Disabled", "Whether clients drop what they had.", "false"),
        Input.Count("MaxNumberOfRequestsPerSession", "The most requests of one session.", "30"),
        Input.Text("IdentityPartsSeparator", "The character between collection and number in ids.", "/"),
        Input.OneOf("ReadBalanceBehavior", "Which node reads.", "None", "RoundRobin", "FastestNode"));

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/configuration/client", Access.Read, RouteTraits.InMultiGet, GetOfDatabase)
            .Says("Gives the settings that clients of the database obey.")
            .Answers(200, "Etag and Configuration, which is null where nothing is set.");
        routes.Database("PUT", "/admin/configuration/client", Access.Admin, RouteTraits.Audited,
            context => PutAsync(context, context.Database.Name))
            .Says("Sets what clients of the database obey.")
            .Sends(s_configuration)
            .AnswersEmpty(201, "It holds; clients fetch it with their next request.");
        routes.Server("GET", "/configuration/client", Access.ValidUser, RouteTraits.None, GetOfServer)
            .Says("Gives the settings that clients of all databases obey.")
            .Answers(200, "Etag and the settings, or a Configuration that is null.");
        routes.Server("PUT", "/admin/configuration/client", Access.Operator, RouteTraits.Audited,
            context => PutAsync(context, name: null))
            .Says("Sets what clients of all databases obey, where their database says nothing.")
            .Sends(s_configuration)
            .AnswersEmpty(201, "It holds; clients fetch it with their next request.");
    }

    // The etag comes first and without a space: one client finds it by searching the raw text.
    private static ValueTask GetOfDatabase(RequestContext context)
    {
        ClientConfiguration own = context.Databases.GetClientConfiguration(context.Database.Name) ?? ClientConfiguration.Unset;
        ClientConfiguration ofServer = context.Databases.ServerClientConfiguration;

        // "Disabled" makes a client drop its earlier configuration; sending none does not.
        ClientConfiguration inForce = own.IsDisabled && !ofServer.Json.IsEmpty ? ofServer : own;
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteNumber("Etag"u8, context.Database.ClientConfigurationEtag);
            json.WritePropertyName("Configuration"u8);
            if (inForce.Json.IsEmpty)
            {
                json.WriteNullValue();
            }
            else
            {
                Write(json, inForce);
            }

            json.WriteEndObject();
        });
    }

    private static ValueTask GetOfServer(RequestContext context)
    {
        ClientConfiguration configuration = context.Databases.ServerClientConfiguration;
        return context.Json(200, json =>
        {
            if (configuration.Json.IsEmpty)
            {
                WriteNone(json);
            }
            else
            {
                Write(json, configuration);
            }
        });
    }

    // Clients treat any status except 200 as a failure.
    private static void WriteNone(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteNumber("Etag"u8, 0);
        json.WriteNull("Configuration"u8);
        json.WriteEndObject();
    }

    /// <summary>Writes a configuration as clients read it.</summary>
    internal static void Write(Utf8JsonWriter json, ClientConfiguration configuration)
    {
        using JsonDocument sent = JsonBody.ParseStored(configuration.Json);
        json.WriteStartObject();
        json.WriteNumber("Etag"u8, configuration.Etag);
        json.WriteBoolean("Disabled"u8, configuration.IsDisabled);
        sent.RootElement.CopyMembers(json, "Etag", "Disabled");
        json.WriteEndObject();
    }

    private static async ValueTask PutAsync(RequestContext context, string? name)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A client configuration").ConfigureAwait(false);
        CheckSeparator(body.Root.TextMember("IdentityPartsSeparator"));
        bool isDisabled = body.Root.FlagMember("Disabled") ?? false;
        RecordWriteResult result = await context.Databases
            .PutClientConfigurationAsync(name, body.Bytes, isDisabled, context.Aborted).ConfigureAwait(false);
        if (result.Status != RecordWriteStatus.Written)
        {
            await context.Send(Problem.DatabaseMissing(name!)).ConfigureAwait(false);
            return;
        }

        context.Response.Headers["Refresh-Client-Configuration"] = "true";
        await context.Empty(201).ConfigureAwait(false);
    }

    // The separator ends ids that the server numbers, and '|' ends those with identities.
    private static void CheckSeparator(string? separator)
    {
        if (separator is not null && !(separator is [var one] && one is > ' ' and <= '~' and not '|'))
        {
            throw new RequestRefusedException(Problem.Argument(
                $"IdentityPartsSeparator must be one visible ASCII character that is not '|', such as '/' or ':', not '{separator}'."));
        }
    }
}
