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

/// <summary>Makes links that let a browser in.</summary>
internal static class LoginLinkHandlers
{
    public static void Map(RouteTable routes) =>
        routes.Server("POST", "/admin/login-links", Access.ClusterAdmin, RouteTraits.AuditedWithDetails, PostAsync)
            .Says("Makes a link that lets a browser in, once.")
            .Sends(Body.Object(
                "What the browser may do; without members all that the caller may.",
                [Input.Text("Database", "A database that the browser administrates.", "Shop"), .. CertificateRequestReader.Grantable]))
            .Answers(201, "The link, and when it expires.");

    private static async ValueTask PostAsync(RequestContext context)
    {
        ServerSecurity security = LoginHandlers.RequireSecurity(context);
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A login link").ConfigureAwait(false);
        Grants grants = Read(body.Root);
        context.Audited?.Begin(new("clearance", grants.Clearance.ToString()), new("permissions", CertificateAnswers.Describe(grants)));
        string secret = security.Links.TryMake(GrantOf(context, grants), out DateTimeOffset expires)
            ?? throw new RequestRefusedException(Problem.Unavailable(ProblemTypes.Server,
                $"{LoginLinks.LinksMax} links wait to be used, the most that there can be; use one of them, or wait until they expire."));
        LoginPage.Protect(context.Response);
        await context.Json(StatusCodes.Status201Created, json => Write(json, $"{AddressFor(context)}{LoginHandlers.Path}#{secret}", grants, expires))
            .ConfigureAwait(false);
    }

    private static void Write(Utf8JsonWriter json, string link, Grants grants, DateTimeOffset expires)
    {
        json.WriteStartObject();
        json.WriteString("Link"u8, link);
        json.WriteString("SecurityClearance"u8, grants.Clearance.ToString());
        json.WriteString("Expires"u8, expires);
        json.WriteEndObject();
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

    private static SessionGrant GrantOf(RequestContext context, Grants grants) => context.Caller switch
    {
        CertificateCaller certificate when SessionGrant.TryMake(certificate, grants) is { } grant => grant,
        SessionCaller browser => browser.Session.Grant.With(grants),
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
