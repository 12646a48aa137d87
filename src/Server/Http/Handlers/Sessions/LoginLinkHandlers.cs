using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Security;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.Security.Sessions;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Certificates;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Sessions;

/// <summary>Makes links that let a browser in, shows those that nobody has used yet, and withdraws them.</summary>
internal static class LoginLinkHandlers
{
    private const string Path = "/admin/login-links";

    public static void Map(RouteTable routes)
    {
        routes.Server("GET", Path, Access.ClusterAdmin, RouteTraits.None, Get)
            .Says("Lists login links that nobody has used yet.")
            .Answers(200, "Results has their marks, who made them, and what they open; never the secret.");
        routes.Server("POST", Path, Access.ClusterAdmin, RouteTraits.AuditedWithDetails, PostAsync)
            .Says("Makes a link that lets a browser in, once.")
            .Sends(Body.Object(
                "What the browser may do; without members all that the caller may.",
                [Input.Text("Database", "A database that the browser administrates.", "Shop"), .. CertificateRequestReader.Grantable,
                    Input.Count("SessionMinutes", "How long the session of the browser lasts at most.", "60")]))
            .Answers(201, "The link, and when it expires.");
        routes.Server("DELETE", Path, Access.ClusterAdmin, RouteTraits.AuditedWithDetails, Delete)
            .Says("Withdraws a login link that nobody has used yet.")
            .Takes(Input.Text("id", "The mark of the link.", "none").Required())
            .AnswersEmpty(204, "It opens nothing any more.")
            .Answers(404, "There is no such link.");
    }

    private static ValueTask Get(RequestContext context)
    {
        ServerSecurity security = LoginHandlers.RequireSecurity(context);
        return context.Json(StatusCodes.Status200OK, security.Links.All, static (json, all) =>
        {
            json.WriteStartObject();
            json.WriteStartArray("Results"u8);
            foreach (LoginLink link in all)
            {
                json.WriteStartObject();
                json.WriteString("Id"u8, link.Mark);
                SessionHandlers.WriteGrant(json, link.Grant);
                json.WriteString("Created"u8, link.Age.Date);
                json.WriteString("Expires"u8, link.Expires);
                json.WriteNumber("SessionMinutes"u8, (int)link.Grant.LifeTime.TotalMinutes);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        });
    }

    private static ValueTask Delete(RequestContext context)
    {
        ServerSecurity security = LoginHandlers.RequireSecurity(context);
        string id = context.Query.GetRequiredText("id");
        context.Audited?.Begin(KeyValuePair.Create("link", id));
        return security.Links.Withdraw(id) is not null
            ? context.Empty(StatusCodes.Status204NoContent)
            : throw new RequestRefusedException(new Problem(404, ProblemTypes.InvalidOperation,
                $"There is no unused link '{id}': it was used or withdrawn, or its time is over. GET {Path} shows those that there are."));
    }

    private static async ValueTask PostAsync(RequestContext context)
    {
        ServerSecurity security = LoginHandlers.RequireSecurity(context);
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A login link").ConfigureAwait(false);
        Grants grants = Read(body.Root);
        TimeSpan lifeTime = ReadLifeTime(body.Root);
        context.Audited?.Begin(new("clearance", grants.Clearance.ToString()), new("permissions", CertificateAnswers.Describe(grants)));
        string secret = security.Links.TryMake(GrantOf(context, grants, lifeTime), out LoginLink link)
            ?? throw new RequestRefusedException(Problem.Unavailable(ProblemTypes.Server,
                $"{LoginLinks.LinksMax} links wait to be used, the most that there can be; use one of them, or wait until they expire."));
        LoginPage.Protect(context.Response);
        await context.Json(StatusCodes.Status201Created, json => Write(json, $"{AddressFor(context)}{LoginHandlers.Path}#{secret}", link))
            .ConfigureAwait(false);
    }

    private static void Write(Utf8JsonWriter json, string address, LoginLink link)
    {
        json.WriteStartObject();
        json.WriteString("Link"u8, address);
        json.WriteString("Id"u8, link.Mark);
        json.WriteString("SecurityClearance"u8, link.Grant.Grants.Clearance.ToString());
        json.WriteString("Expires"u8, link.Expires);
        json.WriteNumber("SessionMinutes"u8, (int)link.Grant.LifeTime.TotalMinutes);
        json.WriteEndObject();
    }

    private static TimeSpan ReadLifeTime(JsonElement request)
    {
        int most = (int)BrowserSessions.LifeTime.TotalMinutes;
        return request.Member("SessionMinutes") switch
        {
            null => BrowserSessions.LifeTime,
            { ValueKind: JsonValueKind.Number } number when number.TryGetInt32(out int given) && given > 0 && given <= most => TimeSpan.FromMinutes(given),
            { } other => throw new RequestRefusedException(Problem.Argument(
                $"'SessionMinutes' is {RefusalWords.Shorten(other.GetRawText())}; give 1 to {most}.")),
        };
    }

    private static Grants Read(JsonElement request)
    {
        string? database = request.TextMember("Database");
        bool namesDatabases = database is not null || request.Member("Permissions") is not null;
        Grants read = CertificateRequestReader.ReadGrants(request, new Grants(namesDatabases ? Clearance.ValidUser : Clearance.ClusterAdmin));
        if (read.Clearance != Clearance.ValidUser)
        {
            return read;
        }

        if (database is not null)
        {
            DatabaseNames.Check(database);
            // Without regard to case, as databases are named: a permission that is named goes before the one that a name alone means.
            IEnumerable<KeyValuePair<string, DatabasePermission>> all = read.Permissions.Append(KeyValuePair.Create(database, DatabasePermission.Admin));
            read = new Grants(Clearance.ValidUser, all.DistinctBy(one => one.Key, StringComparer.OrdinalIgnoreCase));
        }

        return read.Permissions.Count > 0 ? read : throw new RequestRefusedException(Problem.Argument(
            "A link with the clearance ValidUser opens databases; name them: --database=Orders, or {\"Permissions\":{\"Orders\":\"Read\"}}."));
    }

    private static SessionGrant GrantOf(RequestContext context, Grants grants, TimeSpan lifeTime) => context.Caller switch
    {
        CertificateCaller certificate when SessionGrant.TryMake(certificate, grants, lifeTime) is { } grant => grant,
        SessionCaller browser => browser.Session.Grant.With(grants, lifeTime),
        _ => throw new RequestRefusedException(new Problem(403, ProblemTypes.InvalidAuth,
            $"{context.Caller.Name} cannot make a link (any more): only certificates and sessions of cluster administrators can. Send the request with one.")),
    };

    // The person may sit at another machine than the program that asks, which often uses a loopback address.
    private static string AddressFor(RequestContext context)
    {
        ServerOptions options = context.Server.Options;
        bool isLocal = ListenAddress.IsLoopbackHost(context.Request.Host.Host.Trim('[', ']'));
        if (options.PublicServerUrl is not null || !isLocal || options.ServerUrl.IsLoopback)
        {
            return PublicAddress.Of(context);
        }

        string host = options.ServerUrl.Host is "*" or "0.0.0.0" or "::" ? Environment.MachineName.ToLowerInvariant() : options.ServerUrl.Host;
        return new ListenAddress(host, context.Request.Host.Port ?? 443, IsSecured: true).ToString();
    }
}
