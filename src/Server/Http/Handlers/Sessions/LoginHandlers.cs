using Jackdaw.Documents.Callers;
using Jackdaw.Security;
using Jackdaw.Security.Auditing;
using Jackdaw.Security.Sessions;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Certificates;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Http.Sessions;

namespace Jackdaw.Server.Http.Handlers.Sessions;

/// <summary>Logs browsers in with links, and out.</summary>
internal static class LoginHandlers
{
    public const string Path = "/login";

    private const string LogoutPath = "/logout";

    /// <summary>Bytes of the body with a link: what a stranger may make the server read.</summary>
    private const int BodyBytesMax = 1024;

    public static void Map(RouteTable routes)
    {
        routes.Server("GET", Path, Access.Anonymous, RouteTraits.None, ShowAsync)
            .Says("Gives the page on which a login link opens.")
            .Answers(200, "The page.", MediaTypes.Html);
        routes.Server("POST", Path, Access.Anonymous, RouteTraits.None, LogInAsync)
            .Says("Logs a browser in with a login link.")
            .Sends(Body.Object("The link.", Input.Text("Link", "The secret behind # in the link.", "secret").Required()))
            .Answers(200, "The session and its rights; Set-Cookie has its id.");
        routes.Server("POST", LogoutPath, Access.Anonymous, RouteTraits.None, LogOut)
            .Says("Ends the session of a browser.")
            .AnswersEmpty(204, "It has ended.");
    }

    /// <exception cref="RequestRefusedException">The server is open.</exception>
    public static ServerSecurity RequireSecurity(RequestContext context) =>
        context.Server.Security ?? throw new RequestRefusedException(new Problem(400, ProblemTypes.InvalidOperation,
            "This server is open (http): whoever reaches it may do everything, so nobody logs in and nobody needs a token. "
            + "To secure it, start it with a ServerUrl that begins with https://."));

    private static ValueTask ShowAsync(RequestContext context)
    {
        RequireSecurity(context);
        return LoginPage.SendAsync(context);
    }

    private static async ValueTask LogInAsync(RequestContext context)
    {
        ServerSecurity security = RequireSecurity(context);
        LoginPage.Protect(context.Response);
        string? secret;
        using (JsonBody body = await JsonBody.ReadObjectAsync(context, "A login", BodyBytesMax).ConfigureAwait(false))
        {
            secret = body.Root.TextMember("Link");
        }

        SessionGrant? grant = secret is null ? null : security.Links.Take(secret);
        if (grant is null)
        {
            AuditedRequests.RefuseSecret(context, $"POST {Path}");
            await context.Send(new Problem(403, ProblemTypes.InvalidAuth,
                "This login link does not work: each works once, for five minutes, as long as the server and the certificate that made it stay as they are. "
                + "Get a new one with: jackdaw login-link")).ConfigureAwait(false);
            return;
        }

        BrowserSession session = Begin(context, security, grant);
        await context.Json(StatusCodes.Status200OK, session, static (json, session) =>
        {
            json.WriteStartObject();
            json.WriteString("Session"u8, session.Mark);
            CertificateAnswers.WriteGrants(json, session.Grant.GranterName, session.Grant.Grants);
            json.WriteString("Expires"u8, session.Expires);
            json.WriteEndObject();
        }).ConfigureAwait(false);
    }

    private static BrowserSession Begin(RequestContext context, ServerSecurity security, SessionGrant grant)
    {
        BrowserSession session = security.Sessions.TryBegin(grant, out string id, context.Request.HttpContext.Connection.RemoteIpAddress)
            ?? throw new RequestRefusedException(Problem.Unavailable(ProblemTypes.Server,
                $"There are {BrowserSessions.SessionsMax} sessions, the most that there can be; log out where you need none, and get a new link."));
        try
        {
            context.Server.Audit?.Begin(
                new AuditRecord
                {
                    Kind = AuditKinds.Session,
                    Outcome = AuditOutcomes.Done,
                    Sender = AuditedRequests.SenderOf(context) with
                    {
                        Name = grant.GranterName,
                        Thumbprint = grant.GranterThumbprint,
                        Session = session.Mark,
                    },
                    Route = $"POST {Path}",
                    Details = [new("clearance", grant.Grants.Clearance.ToString()), new("permissions", CertificateAnswers.Describe(grant.Grants))],
                },
                isDurable: true);
        }
        catch
        {
            session.End();
            throw;
        }

        SessionCookie.Set(context.Response, id, grant.LifeTime);
        return session;
    }

    private static ValueTask LogOut(RequestContext context)
    {
        RequireSecurity(context);
        LoginPage.Protect(context.Response);
        if (context.Caller is SessionCaller { Session: var session } && session.End())
        {
            context.Server.Audit?.Write(new AuditRecord
            {
                Kind = AuditKinds.Session,
                Outcome = AuditOutcomes.Done,
                Sender = AuditedRequests.SenderOf(context),
                Route = $"POST {LogoutPath}",
            });
        }

        SessionCookie.Remove(context.Response);
        return context.Empty(StatusCodes.Status204NoContent);
    }
}
