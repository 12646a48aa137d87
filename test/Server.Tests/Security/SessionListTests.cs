using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Security;

/// <summary>What administrators see of sessions and of links that nobody has used, and how they end them.</summary>
public sealed class SessionListTests : IAsyncLifetime
{
    private SecuredFixture _secured = null!;

    public async Task InitializeAsync() => _secured = await SecuredFixture.StartAsync(new ServerSetup { LeftOut = ["indexes"] });

    public async Task DisposeAsync() => await _secured.DisposeAsync();

    [Fact]
    public async Task Links_AreListedUntilTheyAreUsed_WithoutTheirSecrets()
    {
        JsonElement made = await MakeAsync("""{"Permissions":{"db1":"Read"},"SessionMinutes":15}""");
        Answer list = await _secured.SendAsync("GET", "/admin/login-links");
        JsonElement one = Assert.Single(list.Json.GetProperty("Results").EnumerateArray());

        Assert.Equal(made.GetProperty("Id").GetString(), one.GetProperty("Id").GetString());
        Assert.Equal(("admin", "ValidUser"), (one.GetProperty("Name").GetString(), one.GetProperty("SecurityClearance").GetString()));
        Assert.Equal("Read", one.GetProperty("Permissions").GetProperty("db1").GetString());
        Assert.Equal(made.GetProperty("Expires").GetDateTimeOffset(), one.GetProperty("Expires").GetDateTimeOffset());
        Assert.Equal(15, one.GetProperty("SessionMinutes").GetInt32());
        Assert.DoesNotContain(SecretOf(made), list.Text, StringComparison.Ordinal);

        await RedeemAsync(made);
        Assert.Empty((await _secured.SendAsync("GET", "/admin/login-links")).Json.GetProperty("Results").EnumerateArray());
    }

    [Fact]
    public async Task Link_Withdrawn_LetsNobodyIn()
    {
        JsonElement made = await MakeAsync();
        string path = $"/admin/login-links?id={made.GetProperty("Id").GetString()}";

        Assert.Equal(204, (await _secured.SendAsync("DELETE", path)).Status);
        Assert.Equal(403, (await RedeemAsync(made)).Status);
        (await _secured.SendAsync("DELETE", path)).AssertProblem(404, "InvalidOperationException", "no unused link");
        (await _secured.SendAsync("DELETE", "/admin/login-links")).AssertProblem(400, "ArgumentException", "id");
    }

    [Theory]
    [InlineData("0")]
    [InlineData("721")]
    [InlineData("1.5")]
    [InlineData("\"60\"")]
    [InlineData("-5")]
    public async Task LinkRequest_LifeThatCannotBe_IsRefused(string minutes) =>
        (await _secured.SendAsync("POST", "/admin/login-links", $$"""{"SessionMinutes":{{minutes}}}""")).AssertProblem(400, "ArgumentException", "1 to 720");

    [Fact]
    public async Task Link_WithALife_GivesItToTheCookieAndTheSession()
    {
        Answer answer = await RedeemAsync(await MakeAsync("""{"SessionMinutes":15}"""));
        Assert.Contains("Max-Age=900", answer.Header("Set-Cookie")!, StringComparison.Ordinal);
        JsonElement session = Assert.Single(await SessionsAsync());
        Assert.Equal(TimeSpan.FromMinutes(15), session.GetProperty("Expires").GetDateTimeOffset() - session.GetProperty("Created").GetDateTimeOffset());
    }

    [Fact]
    public async Task Sessions_AreListed_WithoutTheirSecrets()
    {
        Answer answer = await RedeemAsync(await MakeAsync("""{"SecurityClearance":"Operator"}"""));
        string mark = answer.Json.GetProperty("Session").GetString()!;
        Answer list = await _secured.SendAsync("GET", "/admin/sessions");
        JsonElement one = Assert.Single(list.Json.GetProperty("Results").EnumerateArray());

        Assert.Equal((mark, "admin", "Operator"),
            (one.GetProperty("Id").GetString(), one.GetProperty("Name").GetString(), one.GetProperty("SecurityClearance").GetString()));
        Assert.Equal(_secured.Registry.All[0].Thumbprint, one.GetProperty("Thumbprint").GetString());
        Assert.Equal("127.0.0.1", one.GetProperty("From").GetString());
        Assert.True(one.GetProperty("Created").GetDateTimeOffset() <= one.GetProperty("LastUsed").GetDateTimeOffset());
        Assert.DoesNotContain(CookieOf(answer).Split('=')[1], list.Text, StringComparison.Ordinal);

        JsonElement self = (await SendAsync(CookieOf(answer), "GET", "/certificates/whoami")).Json;
        Assert.Equal(("Session", mark, "admin"),
            (self.GetProperty("Via").GetString(), self.GetProperty("Session").GetString(), self.GetProperty("GranterName").GetString()));
        Assert.Equal(one.GetProperty("Expires").GetDateTimeOffset(), self.GetProperty("Expires").GetDateTimeOffset());
    }

    [Fact]
    public async Task Session_Ended_IsRefusedAndTheOthersAreNot()
    {
        Answer first = await RedeemAsync(await MakeAsync());
        Answer second = await RedeemAsync(await MakeAsync());
        string path = $"/admin/sessions?id={first.Json.GetProperty("Session").GetString()}";

        Assert.Equal(204, (await _secured.SendAsync("DELETE", path)).Status);
        (await SendAsync(CookieOf(first), "GET", "/databases")).AssertProblem(403, "InvalidAuth", "session of this browser has ended");
        Assert.Equal(200, (await SendAsync(CookieOf(second), "GET", "/databases")).Status);
        Assert.Single(await SessionsAsync());
        (await _secured.SendAsync("DELETE", path)).AssertProblem(404, "InvalidOperationException", "no session");
        (await _secured.SendAsync("DELETE", "/admin/sessions")).AssertProblem(400, "ArgumentException", "id");
    }

    [Fact]
    public async Task Session_MayEndItself()
    {
        Answer own = await RedeemAsync(await MakeAsync());
        string mark = own.Json.GetProperty("Session").GetString()!;

        Assert.Equal(204, (await SendAsync(CookieOf(own), "DELETE", $"/admin/sessions?id={mark}")).Status);
        Assert.Equal(403, (await SendAsync(CookieOf(own), "GET", "/databases")).Status);
    }

    [Fact]
    public async Task Ends_AreInTheAuditLog()
    {
        Answer session = await RedeemAsync(await MakeAsync());
        string mark = session.Json.GetProperty("Session").GetString()!;
        string link = (await MakeAsync()).GetProperty("Id").GetString()!;
        await _secured.SendAsync("DELETE", $"/admin/sessions?id={mark}");
        await _secured.SendAsync("DELETE", $"/admin/login-links?id={link}");

        JsonElement[] lines = [.. (await _secured.SendAsync("GET", "/admin/audit?kind=session")).Json.GetProperty("Results").EnumerateArray()];
        Assert.Equal(
            ["done DELETE /admin/login-links", "begun DELETE /admin/login-links", "done DELETE /admin/sessions", "begun DELETE /admin/sessions"],
            lines[..4].Select(line => $"{line.GetProperty("outcome")} {line.GetProperty("route")}"));
        Assert.Equal(link, lines[1].GetProperty("details").GetProperty("link").GetString());
        Assert.Equal((mark, "admin"),
            (lines[3].GetProperty("details").GetProperty("session").GetString(), lines[3].GetProperty("details").GetProperty("certificate").GetString()));
    }

    [Fact]
    public async Task OpenServer_HasNoSessionsAndNoLinks()
    {
        await using ServerFixture open = await ServerFixture.StartAsync();
        (string, string)[] requests =
            [("GET", "/admin/sessions"), ("DELETE", "/admin/sessions?id=a"), ("GET", "/admin/login-links"), ("DELETE", "/admin/login-links?id=a")];
        foreach ((string method, string path) in requests)
        {
            (await open.SendAsync(method, path)).AssertProblem(400, "InvalidOperationException", "This server is open");
        }
    }

    private static string SecretOf(JsonElement link) => link.GetProperty("Link").GetString()!.Split('#')[1];

    private static string CookieOf(Answer answer) => answer.Header("Set-Cookie")!.Split(';')[0];

    private async Task<JsonElement> MakeAsync(string request = "{}")
    {
        Answer answer = await _secured.SendAsync("POST", "/admin/login-links", request);
        Assert.True(answer.Status == 201, answer.Text);
        return answer.Json;
    }

    private Task<Answer> RedeemAsync(JsonElement link) =>
        _secured.SendAsync(null, "POST", "/login", JsonSerializer.Serialize(new { Link = SecretOf(link) }));

    private async Task<IEnumerable<JsonElement>> SessionsAsync() =>
        (await _secured.SendAsync("GET", "/admin/sessions")).Json.GetProperty("Results").EnumerateArray();

    private Task<Answer> SendAsync(string cookie, string method, string path) =>
        Answer.ToAsync(_secured.ClientOf(null), method, path, null, ("Cookie", cookie));
}
