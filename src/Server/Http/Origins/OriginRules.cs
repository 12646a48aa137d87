using Jackdaw.Documents.Callers;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Http.Problems;
using Microsoft.Extensions.Primitives;

namespace Jackdaw.Server.Http.Origins;

/// <summary>Refuses requests that pages of other sites make a browser send. Holds in every mode, for websockets too, whoever sends the request: a browser adds
/// sessions, certificates and the way into the own machine to requests of every page.</summary>
/// <remarks>
/// 1. The host is a name of this server (<see cref="KnownHosts"/>). On a secured server only browsers are asked for it: they check the name against the
///    certificate, and programs may check the certificate alone.
/// 2. An Origin is that of the host, of PublicServerUrl, or one of the setting Security.AllowedOrigins.
/// 3. Without an Origin, a request that a browser marks as that of another site is a visit: it opens a page that only reads, without a session.
/// Any thread.
/// </remarks>
internal sealed class OriginRules
{
    /// <summary>The header with which browsers say how the page that asks and this server are related.</summary>
    private const string SiteHeader = "Sec-Fetch-Site";

    /// <summary>Characters of a header that a message repeats.</summary>
    private const int QuotedCharactersMax = 200;

    private readonly KnownHosts _hosts;
    private readonly WebOrigin? _public;
    private readonly HashSet<WebOrigin> _allowed;

    /// <inheritdoc cref="KnownHosts(ServerOptions, Predicate{string})"/>
    public OriginRules(ServerOptions options, Predicate<string> isCertified)
    {
        _hosts = new KnownHosts(options, isCertified);
        _public = options.PublicServerUrl is { } known ? WebOrigin.Of(known) : null;
        _allowed = [.. options.AllowedOrigins];
    }

    /// <summary>Finds out whether the request comes from a page that may not send it.</summary>
    /// <param name="access">The access that its route needs; null when there is no such route.</param>
    /// <param name="hasSession">Whether it shows the session of a browser.</param>
    /// <returns>The refusal; null when the request may go on.</returns>
    public Problem? FindProblem(HttpRequest request, Access? access, bool hasSession)
    {
        StringValues origin = request.Headers.Origin;
        StringValues site = request.Headers[SiteHeader];
        bool isOfBrowser = origin.Count > 0 || site.Count > 0 || hasSession;
        if ((isOfBrowser || !request.IsHttps) && !_hosts.Contains(request.Host))
        {
            return RefuseHost(request.Host.Host);
        }

        if (origin.Count > 0)
        {
            return IsWelcome(request, origin) ? null : RefuseOrigin(origin.ToString());
        }

        return site.Count == 0 || IsOwnSite(site) || IsVisit(request, access, hasSession) ? null : RefuseSite();
    }

    /// <summary>The origin of the request when it is another one that the settings allow: the answer has to name it, or the browser hides the answer.</summary>
    public string? FindAllowed(HttpRequest request)
    {
        StringValues origin = request.Headers.Origin;
        return origin.Count == 1 && _allowed.Count > 0 && WebOrigin.TryParse(origin[0]!) is { } page && _allowed.Contains(page) ? origin[0] : null;
    }

    private static bool IsOwnSite(StringValues site) => site.Count == 1 && site[0] is "same-origin" or "none";

    // A link on another site that leads here, such as one in a page of documentation: the other site does not see the answer.
    private static bool IsVisit(HttpRequest request, Access? access, bool hasSession) =>
        (HttpMethods.IsGet(request.Method) || HttpMethods.IsHead(request.Method))
        && request.Headers["Sec-Fetch-Mode"] == "navigate"
        && request.Headers["Sec-Fetch-Dest"] == "document"
        && access <= (hasSession ? Access.Anonymous : Access.Read);

    private bool IsWelcome(HttpRequest request, StringValues origins)
    {
        if (origins.Count != 1 || WebOrigin.TryParse(origins[0]!) is not { } origin)
        {
            return false;
        }

        return origin == _public || _allowed.Contains(origin) || WebOrigin.TryParse($"{request.Scheme}://{request.Host.Value}") == origin;
    }

    private Problem RefuseHost(string host)
    {
        string advice = _hosts.IsOpenLoopback
            ? "it serves programs of its own machine. Ask for localhost or 127.0.0.1, or set PublicServerUrl to the address under which a proxy makes it known."
            : "so a page of another site may have sent the request. Set PublicServerUrl to the address of the server, or ask for its IP address.";
        return Refuse($"'{Shorten(host)}' (header Host) is not a name of this server; {advice}");
    }

    private static Problem RefuseOrigin(string origin) => Refuse(
        $"Pages of '{Shorten(origin)}' (header Origin) may not send requests to this server, only its own pages may. "
        + "To allow others, name them in the setting Security.AllowedOrigins.");

    private static Problem RefuseSite() => Refuse(
        "The browser sends this request for a page of another site (header Sec-Fetch-Site), and only own pages may send it. "
        + "To open the address yourself, type it into the address bar.");

    private static Problem Refuse(string message) => new(403, ProblemTypes.InvalidAuth, message);

    private static string Shorten(string text) => text.Length <= QuotedCharactersMax ? text : text[..QuotedCharactersMax] + "...";
}
