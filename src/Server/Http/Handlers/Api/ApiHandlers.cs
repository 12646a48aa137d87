using System.Security.Cryptography;
using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Api;

/// <summary>Serves what the registrations of the routes say: as OpenAPI for programs, and as a plain list for the console of the Studio.</summary>
/// <remarks>Routes do not change while a server runs, so that each text is made once.</remarks>
internal sealed class ApiHandlers(RouteTable routes)
{
    private Text? _document;
    private Text? _list;

    public static void Map(RouteTable routes)
    {
        var handlers = new ApiHandlers(routes);
        routes.Server("GET", "/openapi.json", Access.ValidUser, RouteTraits.None, handlers.SendDocument)
            .Says("Describes all routes of the server as OpenAPI 3.1.")
            .Answers(200, "The description.")
            .AnswersEmpty(304, "The client has it already (If-None-Match).");
        routes.Server("GET", "/routes", Access.ValidUser, RouteTraits.None, handlers.SendList)
            .Says("Lists all routes of the server with what they take, for consoles.")
            .Answers(200, "Routes has an object for each method of a path.")
            .AnswersEmpty(304, "The client has it already (If-None-Match).");
    }

    private ValueTask SendDocument(RequestContext context)
    {
        bool isSecured = context.Server.Security is not null;
        return SendAsync(context, _document ??= Text.Make(json => new OpenApiDocument(json, isSecured).Write(routes)));
    }

    private ValueTask SendList(RequestContext context) => SendAsync(context, _list ??= Text.Make(json => RouteList.Write(json, routes)));

    private static async ValueTask SendAsync(RequestContext context, Text text)
    {
        context.Response.Headers.ETag = text.Tag;
        context.Response.Headers.CacheControl = "no-cache";
        if (context.Request.Headers.IfNoneMatch.ToString().Contains(text.Tag, StringComparison.Ordinal))
        {
            await context.Empty(StatusCodes.Status304NotModified).ConfigureAwait(false);
            return;
        }

        using var body = new ResponseBuffer(context.Server.Answers);
        body.Append(text.Json);
        await context.Send(StatusCodes.Status200OK, body).ConfigureAwait(false);
    }

    /// <summary>An answer that stays the same, with the tag by which clients know it.</summary>
    private sealed record Text(byte[] Json, string Tag)
    {
        public static Text Make(Action<Utf8JsonWriter> write)
        {
            using var written = new MemoryStream();
            using (var json = new Utf8JsonWriter(written, JsonAnswers.WriterOptions))
            {
                write(json);
            }

            byte[] bytes = written.ToArray();
            return new Text(bytes, $"\"{Convert.ToHexString(SHA256.HashData(bytes), 0, 16)}\"");
        }
    }
}
