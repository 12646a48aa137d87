using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Studio;

/// <summary>Serves the Studio, the pages for browsers. Its files are the same for everybody and say nothing about the server, so that nobody needs access to
/// load them; what they show comes from the routes that everybody uses, with the rights of the person.</summary>
internal sealed class StudioHandlers
{
    private readonly StudioSite _site = StudioSite.Load();

    public static void Map(RouteTable routes)
    {
        var handlers = new StudioHandlers();
        routes.Server("GET", "/", Access.Anonymous, RouteTraits.WhileStarting, Redirect)
            .Says("Leads browsers to the Studio.")
            .AnswersEmpty(302, "Location has its address.");
        routes.Server("GET", StudioSite.Root, Access.Anonymous, RouteTraits.WhileStarting, handlers.SendPage)
            .Says("Gives the page of the Studio.")
            .Answers(200, "The page.", MediaTypes.Html)
            .AnswersEmpty(304, "The browser has it already (If-None-Match).");
        routes.Server("GET", StudioSite.Root + "/*", Access.Anonymous, RouteTraits.WhileStarting, handlers.SendFile)
            .Says("Gives a file of the Studio.")
            .Answers(200, "The file.", MediaTypes.Any);
    }

    // A program that asks for the root has a wrong address, and a page would hide that from it.
    private static ValueTask Redirect(RequestContext context)
    {
        if (!context.Request.Headers.Accept.ToString().Contains("text/html", StringComparison.OrdinalIgnoreCase))
        {
            return context.Send(new Problem(400, ProblemTypes.RouteNotFound,
                $"{context.Request.Method} / is only for browsers (Accept: text/html), which it leads to the Studio. Ask for a path such as /databases."));
        }

        context.Response.Headers.Vary = "Accept";
        context.Response.Headers.Location = StudioSite.Root + "/";
        return context.Empty(StatusCodes.Status302Found);
    }

    private ValueTask SendPage(RequestContext context)
    {
        IHeaderDictionary headers = context.Response.Headers;
        headers.ETag = _site.Tag;
        headers.CacheControl = "no-cache";
        headers.ContentSecurityPolicy = _site.Policy;
        headers["Referrer-Policy"] = "no-referrer";
        headers.XFrameOptions = "DENY";
        headers.Vary = "Accept-Encoding";
        return context.Request.Headers.IfNoneMatch.ToString().Contains(_site.Tag, StringComparison.Ordinal)
            ? context.Empty(StatusCodes.Status304NotModified)
            : SendAsync(context, _site.Page);
    }

    private ValueTask SendFile(RequestContext context)
    {
        string path = context.Request.Path.Value!;
        if (_site.Find(path) is not { } file)
        {
            return context.Send(new Problem(404, ProblemTypes.RouteNotFound,
                $"The Studio has no file {path}. If the server was updated since the page was opened, load the page again."));
        }

        IHeaderDictionary headers = context.Response.Headers;
        headers.CacheControl = "public, max-age=31536000, immutable";
        headers.Vary = "Accept-Encoding";
        return SendAsync(context, file);
    }

    private static async ValueTask SendAsync(RequestContext context, StudioFile file)
    {
        (byte[] bytes, string? encoding) = file.In(AcceptedCodings.Of(context.Request));
        context.Response.Headers.XContentTypeOptions = "nosniff";
        context.Response.Headers.ContentEncoding = encoding;
        context.PrepareBody(StatusCodes.Status200OK, bytes.Length, file.ContentType);
        if (!HttpMethods.IsHead(context.Request.Method))
        {
            await context.Response.Body.WriteAsync(bytes, context.Aborted).ConfigureAwait(false);
        }
    }
}
