using Jackdaw.Documents.Callers;
using Jackdaw.Security;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.Security.Sessions;
using Jackdaw.Security.Tokens;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Http.Sessions;
using Microsoft.Extensions.Primitives;

namespace Jackdaw.Server.Hosting;

/// <summary>Callers that show a secret in a header: the session of a browser, or the token of a collector.</summary>
internal static class SecretCallers
{
    private const string Bearer = "Bearer ";

    /// <summary>The only route that a token opens.</summary>
    private const string MetricsPath = "/metrics";

    /// <summary>The caller of a request. A session goes before the certificate of the connection, and that before a token.</summary>
    /// <param name="ofConnection">Whom the certificate of the connection stands for.</param>
    public static Caller Find(RequestContext context, ServerSecurity security, Caller ofConnection)
    {
        ReadOnlySpan<char> id = SessionCookie.Find(context.Request);
        if (!id.IsEmpty && security.Sessions.Find(id) is { } session)
        {
            return session.Caller;
        }

        // A program may show a certificate that another server knows.
        if (ofConnection is not (StrangerCaller or CertificateCaller { Known: null }))
        {
            return ofConnection;
        }

        return FindToken(context, security.Tokens) ?? (id.IsEmpty ? ofConnection : EndedSessionCaller.Instance);
    }

    private static TokenCaller? FindToken(RequestContext context, MetricsTokens tokens)
    {
        StringValues header = context.Request.Headers.Authorization;
        bool isToken = header.Count == 1 && context.Route is { IsOfDatabase: false, Pattern: MetricsPath }
            && header[0]!.StartsWith(Bearer, StringComparison.OrdinalIgnoreCase);
        return isToken && tokens.Find(header[0].AsSpan(Bearer.Length).Trim()) is { } token ? new TokenCaller(token, tokens) : null;
    }
}
