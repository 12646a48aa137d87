using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Security;
using Jackdaw.Security.Tokens;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Sessions;

/// <summary>Makes, lists and revokes the tokens with which collectors read /metrics.</summary>
internal static class MetricsTokenHandlers
{
    private const string Path = "/admin/metrics-tokens";

    public static void Map(RouteTable routes)
    {
        routes.Server("GET", Path, Access.ClusterAdmin, RouteTraits.None, Get)
            .Says("Lists the tokens with which collectors read /metrics.")
            .Answers(200, "Results has their ids and names.");
        routes.Server("POST", Path, Access.ClusterAdmin, RouteTraits.AuditedWithDetails, PostAsync)
            .Says("Makes a token with which a collector reads /metrics.")
            .Sends(Body.Object("The token.", Input.Text("Name", "A name by which people know it.", "prometheus")))
            .Answers(201, "The token, which the server does not keep.");
        routes.Server("DELETE", Path, Access.ClusterAdmin, RouteTraits.AuditedWithDetails, Delete)
            .Says("Revokes a token.")
            .Takes(Input.Text("id", "The id of the token.", "none").Required())
            .AnswersEmpty(204, "It is revoked.");
    }

    private static ValueTask Get(RequestContext context)
    {
        ServerSecurity security = LoginHandlers.RequireSecurity(context);
        return context.Json(StatusCodes.Status200OK, security.Tokens.All, static (json, all) =>
        {
            json.WriteStartObject();
            json.WriteStartArray("Results"u8);
            foreach (MetricsToken token in all)
            {
                Write(json, token, secret: null);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        });
    }

    private static async ValueTask PostAsync(RequestContext context)
    {
        ServerSecurity security = LoginHandlers.RequireSecurity(context);
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A token for metrics").ConfigureAwait(false);
        string name = body.Root.TextMember("Name") ?? "metrics";
        context.Audited?.Begin(KeyValuePair.Create("token", name));
        MetricsToken token = security.Tokens.Create(name, out string secret);
        LoginPage.Protect(context.Response);
        await context.Json(StatusCodes.Status201Created, json => Write(json, token, secret)).ConfigureAwait(false);
    }

    private static ValueTask Delete(RequestContext context)
    {
        ServerSecurity security = LoginHandlers.RequireSecurity(context);
        string id = context.Query.GetRequiredText("id");
        context.Audited?.Begin(KeyValuePair.Create("token", id));
        MetricsToken token = security.Tokens.Revoke(id)
            ?? throw new RequestRefusedException(new Problem(404, ProblemTypes.InvalidOperation,
                $"There is no token with the id '{id}'; GET {Path} and jackdaw cert metrics-token list show all."));
        context.Audited?.Describe("name", token.Name);
        return context.Empty(StatusCodes.Status204NoContent);
    }

    private static void Write(Utf8JsonWriter json, MetricsToken token, string? secret)
    {
        json.WriteStartObject();
        json.WriteString("Id"u8, token.Id);
        json.WriteString("Name"u8, token.Name);
        json.WriteString("Created"u8, token.Created);
        if (secret is not null)
        {
            json.WriteString("Token"u8, secret);
        }

        json.WriteEndObject();
    }
}
