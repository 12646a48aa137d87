using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Security.Callers;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Security;

/// <summary>Everybody who may send a request to a secured server.</summary>
internal sealed class MatrixCallers(SecuredFixture server)
{
    private static readonly (string Name, Access OnServer, Access OnDatabase, Grants Grants)[] s_known =
    [
        ("read", Access.ValidUser, Access.Read, User("db1", DatabasePermission.Read)),
        ("read-write", Access.ValidUser, Access.ReadWrite, User("DB1", DatabasePermission.ReadWrite)),
        ("admin", Access.ValidUser, Access.Admin, User("db1", DatabasePermission.Admin)),
        ("other database", Access.ValidUser, Access.ValidUser, User("db2", DatabasePermission.Admin)),
        ("operator", Access.Operator, Access.Operator, new Grants(Clearance.Operator)),
        ("cluster admin", Access.ClusterAdmin, Access.ClusterAdmin, new Grants(Clearance.ClusterAdmin)),
        ("node", Access.Node, Access.Node, new Grants(Clearance.ClusterNode)),
    ];

    public async Task<MatrixCaller[]> MakeAsync()
    {
        MatrixCaller[] strangers = [.. MakeStrangers()];
        MatrixCaller[] known = [.. s_known.Select(one => Make(one.Name, one.OnServer, one.OnDatabase, server.Add(one.Name, one.Grants)))];
        return [.. strangers, .. known, .. await MakeSessionsAsync(), await MakeTokenAsync()];
    }

    private IEnumerable<MatrixCaller> MakeStrangers()
    {
        DateTimeOffset now = server.Server.Setup.Time.GetUtcNow();
        var admin = new Grants(Clearance.ClusterAdmin);
        X509Certificate2 revoked = server.Add("revoked", admin);
        server.Registry.Delete(revoked.Thumbprint);
        yield return Make("none", Access.Anonymous, Access.Anonymous, null);
        yield return Make("unknown", Access.Anonymous, Access.Anonymous, server.Issue("unknown"));
        yield return Make("expired", Access.Anonymous, Access.Anonymous, server.Add("expired", admin, now.AddDays(-2), now.AddDays(-1)));
        yield return Make("not yet valid", Access.Anonymous, Access.Anonymous, server.Add("not yet valid", admin, now.AddDays(1), now.AddDays(2)));
        yield return Make("revoked", Access.Anonymous, Access.Anonymous, revoked);
    }

    private async Task<IEnumerable<MatrixCaller>> MakeSessionsAsync() =>
    [
        await LogInAsync("session of read", """{"Permissions":{"db1":"Read"}}""", Access.ValidUser, Access.Read),
        await LogInAsync("session of read-write", """{"Permissions":{"DB1":"ReadWrite"}}""", Access.ValidUser, Access.ReadWrite),
        await LogInAsync("session of admin", """{"Database":"db1"}""", Access.ValidUser, Access.Admin),
        await LogInAsync("session of another database", """{"Database":"db2"}""", Access.ValidUser, Access.ValidUser),
        await LogInAsync("session of an operator", """{"SecurityClearance":"Operator"}""", Access.Operator, Access.Operator),
        await LogInAsync("session of a cluster admin", "{}", Access.ClusterAdmin, Access.ClusterAdmin),
        Make("session that never was", Access.Anonymous, Access.Anonymous, null) with { Header = ("Cookie", "__Host-jackdaw=AAAAAAAAAAAAAAAAAAAAAA") },
    ];

    private async Task<MatrixCaller> LogInAsync(string name, string link, Access onServer, Access onDatabase)
    {
        Answer made = await server.SendAsync("POST", "/admin/login-links", link);
        string secret = made.Json.GetProperty("Link").GetString()!.Split('#')[1];
        Answer loggedIn = await server.SendAsync(null, "POST", "/login", JsonSerializer.Serialize(new { Link = secret }));
        return Make(name, onServer, onDatabase, null) with { Header = ("Cookie", loggedIn.Header("Set-Cookie")!.Split(';')[0]) };
    }

    private async Task<MatrixCaller> MakeTokenAsync()
    {
        Answer made = await server.SendAsync("POST", "/admin/metrics-tokens", """{"Name":"prometheus"}""");
        return Make("metrics token", Access.Anonymous, Access.Anonymous, null) with
        {
            Header = ("Authorization", $"Bearer {made.Json.GetProperty("Token").GetString()}"),
            OnlyRoute = "/metrics",
        };
    }

    private MatrixCaller Make(string name, Access onServer, Access onDatabase, X509Certificate2? certificate) =>
        new(name, onServer, onDatabase, server.ClientOf(certificate)) { Certificate = certificate };

    private static Grants User(string database, DatabasePermission permission) => new(Clearance.ValidUser, [new(database, permission)]);
}
