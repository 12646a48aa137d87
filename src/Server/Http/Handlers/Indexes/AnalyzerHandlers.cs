using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>analyzers, admin/analyzers: code of users that splits texts into words.</summary>
internal static class AnalyzerHandlers
{
    /// <summary>The most bytes of one request: dozens of the longest analyzers.</summary>
    private const int BodyBytesMax = 4 << 20;

    public static void Map(RouteTable routes)
    {
        routes.Database("PUT", "/admin/analyzers", Access.Admin, RouteTraits.None, PutAsync);
        routes.Database("DELETE", "/admin/analyzers", Access.Admin, RouteTraits.None, DeleteAsync);
        routes.Database("GET", "/analyzers", Access.Read, RouteTraits.InMultiGet, Get);
    }

    private static async ValueTask PutAsync(RequestContext context)
    {
        List<AnalyzerCode> analyzers = [];
        using (JsonBody body = await JsonBody.ReadObjectAsync(context, "A list of analyzers", BodyBytesMax).ConfigureAwait(false))
        {
            if (body.Root.Member("Analyzers") is not { ValueKind: JsonValueKind.Array } list)
            {
                throw new RequestRefusedException(Problem.Argument(
                    "The member 'Analyzers' is missing: send {\"Analyzers\":[{\"Name\":\"...\",\"Code\":\"...\"}, ...]}."));
            }

            analyzers.AddRange(list.EnumerateArray().Select(Read));
        }

        await IndexRequests.Of(context).Analyzers.PutAsync(analyzers, context.Aborted).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }

    private static AnalyzerCode Read(JsonElement element) =>
        element.ValueKind == JsonValueKind.Object
        && element.Member("Name") is { ValueKind: JsonValueKind.String } name && element.Member("Code") is { ValueKind: JsonValueKind.String } code
            ? new AnalyzerCode(name.GetString()!.Trim(), code.GetString()!)
            : throw new RequestRefusedException(Problem.Argument("An analyzer has two texts, 'Name' and 'Code'."));

    private static ValueTask Get(RequestContext context) => context.Json(200, json =>
    {
        json.WriteStartObject();
        json.WriteStartArray("Analyzers"u8);
        foreach (AnalyzerCode code in IndexRequests.Of(context).Analyzers.List())
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, code.Name);
            json.WriteString("Code"u8, code.Code);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    });

    private static async ValueTask DeleteAsync(RequestContext context)
    {
        bool isDeleted = await IndexRequests.Of(context).Analyzers.DeleteAsync(context.Query.GetRequiredText("name"), context.Aborted).ConfigureAwait(false);
        await context.Empty(isDeleted ? 204 : 404).ConfigureAwait(false);
    }
}
