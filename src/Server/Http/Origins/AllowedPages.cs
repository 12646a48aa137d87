namespace Jackdaw.Server.Http.Origins;

/// <summary>The headers that browsers want to see in an answer before they show it to a page of another origin (CORS).</summary>
internal static class AllowedPages
{
    /// <summary>Seconds for which a browser remembers that a page may send requests. A changed setting needs a restart anyway.</summary>
    private const string RememberedSeconds = "600";

    private const string Methods = "GET, HEAD, POST, PUT, PATCH, DELETE, RESET";

    /// <summary>Headers of answers that clients of the protocol read.</summary>
    private const string ReadableHeaders =
        "ETag, Refresh-Topology, Refresh-Client-Configuration, Database-Missing, Retry-After, Server-Timing, Raven-Server-Version";

    /// <summary>Whether the browser only asks if a page may send a request.</summary>
    public static bool IsQuestion(HttpRequest request) =>
        HttpMethods.IsOptions(request.Method) && request.Headers.AccessControlRequestMethod.Count > 0;

    /// <summary>Lets a page read the answer, also when it becomes a refusal.</summary>
    /// <param name="origin">The origin of the page, as it was sent. It is allowed.</param>
    public static void AddHeaders(HttpContext exchange, string origin)
    {
        // Problems clear the headers that were set before.
        exchange.Response.OnStarting(() =>
        {
            IHeaderDictionary headers = exchange.Response.Headers;
            headers.AccessControlAllowOrigin = origin;
            headers.AccessControlAllowCredentials = "true";
            headers.AccessControlExposeHeaders = ReadableHeaders;
            headers.Vary = "Origin";
            if (IsQuestion(exchange.Request))
            {
                headers.AccessControlAllowMethods = Methods;
                headers.AccessControlAllowHeaders = exchange.Request.Headers.AccessControlRequestHeaders;
                headers.AccessControlMaxAge = RememberedSeconds;
            }

            return Task.CompletedTask;
        });
    }
}
