using System.Net;
using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Security;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.Security.Sessions;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Sessions;

/// <summary>Makes links that let a browser in.</summary>
internal static class LoginLinkHandlers
{
    /// <summary>The clearances that a person can have; nodes are programs.</summary>
    private static readonly Clearance[] s_clearances = [Clearance.ClusterAdmin, Clearance.Operator, Clearance.ValidUser];

    public static void Map(RouteTable routes) => routes.Server("POST", "/admin/login-links", Access.ClusterAdmin, RouteTraits.AuditedWithDetails, PostAsync);

    private static async ValueTask PostAsync(RequestContext context)
    {
        ServerSecurity security = LoginHandlers.RequireSecurity(context);
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A login link").ConfigureAwait(false);
        string? database = body.Root.TextMember("Database");
        Grants grants = Read(body.Root.TextMember("SecurityClearance"), database);
        context.Audited?.Begin(KeyValuePair.Create("clearance", grants.Clearance.ToString()), KeyValuePair.Create("permissions", string.Join(", ", grants.Permissions.Keys)));
        string secret = security.Links.TryMake(GrantOf(context.Caller, grants), out DateTimeOffset expires)
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

    private static Grants Read(string? clearance, string? database)
    {
        if (database?.Length == 0)
        {
            throw new RequestRefusedException(Problem.Argument("Database is empty; give the name of a database, or leave it out."));
        }

        if (clearance is null)
        {
            return database is null ? new Grants(Clearance.ClusterAdmin) : OfDatabase(database);
        }

        foreach (Clearance known in s_clearances)
        {
            if (clearance.Equals(known.ToString(), StringComparison.OrdinalIgnoreCase))
            {
                return known != Clearance.ValidUser ? new Grants(known) : OfDatabase(database ?? throw new RequestRefusedException(Problem.Argument(
                    "A link with the clearance ValidUser opens one database; name it in Database (--database).")));
            }
        }

        throw new RequestRefusedException(Problem.Argument(
            $"'{clearance}' is not a clearance of a person; give one of {string.Join(", ", s_clearances)}."));
    }

    private static Grants OfDatabase(string database) => new(Clearance.ValidUser, [KeyValuePair.Create(database, DatabasePermission.Admin)]);

    private static SessionGrant GrantOf(Caller caller, Grants grants) => caller switch
    {
        CertificateCaller certificate when SessionGrant.TryMake(certificate, grants) is { } grant => grant,
        SessionCaller browser => browser.Session.Grant.With(grants),
        _ => throw new RequestRefusedException(new Problem(403, ProblemTypes.InvalidAuth,
            $"{caller.Name} cannot make a link: only certificates and sessions of cluster administrators can.")),
    };

    // The person may sit at another machine than the program that asks, which often uses a loopback address.
    private static string AddressFor(RequestContext context)
    {
        ServerOptions options = context.Server.Options;
        bool isLocal = IsLoopback(context.Request.Host.Host);
        if (options.PublicServerUrl is not null || !isLocal || options.ServerUrl.IsLoopback)
        {
            return ServerHandlers.PublicUrl(context);
        }

        string host = options.ServerUrl.Host is "*" or "0.0.0.0" or "::" ? Environment.MachineName.ToLowerInvariant() : options.ServerUrl.Host;
        return new ListenAddress(host, context.Request.Host.Port ?? 443, IsSecured: true).ToString();
    }

    private static bool IsLoopback(string host) =>
        host.Equals("localhost", StringComparison.OrdinalIgnoreCase) || (IPAddress.TryParse(host.Trim('[', ']'), out IPAddress? address) && IPAddress.IsLoopback(address));
}
