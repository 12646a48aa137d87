using System.Net.WebSockets;
using System.Text.Json;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Sessions;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Security;

/// <summary>Browsers against a secured server: links, sessions and how they end.</summary>
public sealed class SessionTests : IAsyncLifetime
{
    private readonly ShiftedTime _time = new();
    private SecuredFixture _secured = null!;

    private HttpClient Stranger => _secured.ClientOf(null);

    public async Task InitializeAsync() => _secured = await SecuredFixture.StartAsync(new ServerSetup { Time = _time, LeftOut = ["indexes"] });

    public async Task DisposeAsync() => await _secured.DisposeAsync();

    [Fact]
    public async Task Link_OpensAPageThatUsesNothingUp()
    {
        var link = new Uri(await MakeLinkAsync());
        Answer page = await Answer.ToAsync(Stranger, "GET", link.AbsolutePath, null);
        Answer again = await Answer.ToAsync(Stranger, "GET", link.AbsolutePath, null);

        Assert.Equal(_secured.Server.Address.Authority, link.Authority);
        Assert.Equal(200, page.Status);
        Assert.StartsWith("text/html", page.Header("Content-Type"), StringComparison.Ordinal);
        Assert.Equal("no-store", page.Header("Cache-Control"));
        Assert.Equal("no-referrer", page.Header("Referrer-Policy"));
        Assert.Equal("nosniff", page.Header("X-Content-Type-Options"));
        string policy = page.Header("Content-Security-Policy")!;
        Assert.All(
            ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"],
            part => Assert.Contains(part, policy, StringComparison.Ordinal));
        Assert.DoesNotContain("unsafe", policy, StringComparison.Ordinal);
        Assert.DoesNotContain(link.Fragment[1..], page.Text, StringComparison.Ordinal);
        Assert.Equal(page.Text, again.Text);
        Assert.Equal(200, (await RedeemAsync(link.Fragment[1..])).Status);
    }

    [Fact]
    public async Task Link_GivesACookieThatOnlyThisHostGets()
    {
        Answer answer = await RedeemAsync(await MakeSecretAsync());

        Assert.Equal(200, answer.Status);
        string cookie = answer.Header("Set-Cookie")!;
        Assert.StartsWith("__Host-jackdaw=", cookie, StringComparison.Ordinal);
        Assert.All(
            ["HttpOnly", "Secure", "SameSite=Strict", "Path=/", "Max-Age=43200"],
            part => Assert.Contains($"; {part}", cookie, StringComparison.Ordinal));
        Assert.DoesNotContain("Domain", cookie, StringComparison.OrdinalIgnoreCase);
        Assert.Equal("no-store", answer.Header("Cache-Control"));
        Assert.Equal("no-referrer", answer.Header("Referrer-Policy"));
        Assert.Equal("ClusterAdmin", answer.Json.GetProperty("SecurityClearance").GetString());
        Assert.Equal(200, (await SendAsync(CookieOf(answer), "GET", "/admin/certificates")).Status);
    }

    [Fact]
    public async Task Link_UsedTwice_IsRefusedTheSecondTime()
    {
        string secret = await MakeSecretAsync();
        Assert.Equal(200, (await RedeemAsync(secret)).Status);

        Answer replayed = await RedeemAsync(secret);
        replayed.AssertProblem(403, "InvalidAuth", "jackdaw login-link");
        Assert.Null(replayed.Header("Set-Cookie"));
    }

    [Fact]
    public async Task Link_UsedBySixteenAtOnce_LetsOneIn()
    {
        string secret = await MakeSecretAsync();
        Answer[] answers = await Task.WhenAll(Enumerable.Range(0, 16).Select(_ => RedeemAsync(secret)));

        Assert.Single(answers, answer => answer.Status == 200);
        Assert.Equal(15, answers.Count(answer => answer.Status == 403));
    }

    [Fact]
    public async Task Link_OlderThanFiveMinutes_IsRefused()
    {
        string secret = await MakeSecretAsync();
        _time.Shift += LoginLinks.Validity;
        (await RedeemAsync(secret)).AssertProblem(403, "InvalidAuth");
    }

    [Theory]
    [InlineData("{}", 403)]
    [InlineData("""{"Link":""}""", 403)]
    [InlineData("""{"Link":"AAAAAAAAAAAAAAAAAAAAAA"}""", 403)]
    [InlineData("""{"Link":5}""", 400)]
    [InlineData("no json", 400)]
    public async Task Link_ThatIsNone_IsRefused(string body, int status) =>
        Assert.Equal(status, (await Answer.ToAsync(Stranger, "POST", "/login", body)).Status);

    [Fact]
    public async Task Login_WithABodyThatIsTooLarge_IsRefusedUnread() => Assert.Equal(
        413, (await Answer.ToAsync(Stranger, "POST", "/login", $$"""{"Link":"{{new string('x', 5000)}}"}""")).Status);

    [Theory]
    [InlineData("""{"Database":"db1"}""", "ValidUser", 200, 403, 403)]
    [InlineData("""{"Database":"other"}""", "ValidUser", 403, 403, 403)]
    [InlineData("""{"Permissions":{"DB1":"Admin","other":"Read"}}""", "ValidUser", 200, 403, 403)]
    [InlineData("""{"Permissions":{"db1":"ReadWrite"}}""", "ValidUser", 403, 403, 403)]
    [InlineData("""{"SecurityClearance":"Operator"}""", "Operator", 200, 200, 403)]
    [InlineData("""{"SecurityClearance":"operator","Database":"other"}""", "Operator", 200, 200, 403)]
    [InlineData("{}", "ClusterAdmin", 200, 200, 200)]
    public async Task Session_OpensWhatItsLinkSays(string link, string clearance, int ofDatabase, int ofOperator, int ofCluster)
    {
        Answer answer = await RedeemAsync(await MakeSecretAsync(link));
        string cookie = CookieOf(answer);

        Assert.Equal(clearance, answer.Json.GetProperty("SecurityClearance").GetString());
        Assert.Equal(ofDatabase, (await SendAsync(cookie, "GET", "/databases/db1/admin/record")).Status);
        Assert.Equal(ofOperator, (await SendAsync(cookie, "GET", "/admin/logs/configuration")).Status);
        Assert.Equal(ofCluster, (await SendAsync(cookie, "GET", "/admin/audit")).Status);
        Assert.Equal(clearance, (await SendAsync(cookie, "GET", "/certificates/whoami")).Json.GetProperty("SecurityClearance").GetString());
    }

    [Theory]
    [InlineData("""{"SecurityClearance":"ClusterNode"}""")]
    [InlineData("""{"SecurityClearance":"5"}""")]
    [InlineData("""{"SecurityClearance":"ValidUser"}""")]
    [InlineData("""{"Database":""}""")]
    [InlineData("""{"Permissions":{}}""")]
    [InlineData("""{"Permissions":{"db1":"Own"}}""")]
    public async Task LinkRequest_ThatCannotBe_IsRefused(string body) =>
        (await _secured.SendAsync("POST", "/admin/login-links", body)).AssertProblem(400, "ArgumentException");

    [Fact]
    public async Task LinkRequest_OfAnybodyButAnAdministrator_IsRefused()
    {
        using var operators = _secured.Add("op", new Grants(Clearance.Operator));
        Assert.Equal(403, (await _secured.SendAsync(operators, "POST", "/admin/login-links", "{}")).Status);
        Assert.Equal(403, (await Answer.ToAsync(Stranger, "POST", "/admin/login-links", "{}")).Status);
    }

    [Fact]
    public async Task LinkRequest_OfASession_GivesALinkOfTheSameCertificate()
    {
        string cookie = await LogInAsync();
        Answer link = await SendAsync(cookie, "POST", "/admin/login-links", """{"Database":"db1"}""");

        Assert.Equal(200, (await RedeemAsync(link.Json.GetProperty("Link").GetString()!.Split('#')[1])).Status);
    }

    [Fact]
    public async Task Logout_EndsTheSessionAndItsWebsocket()
    {
        string cookie = await LogInAsync();
        using ClientWebSocket socket = await WatchAsync(cookie);
        Answer answer = await SendAsync(cookie, "POST", "/logout");

        Assert.Equal(204, answer.Status);
        Assert.Contains("Max-Age=0", answer.Header("Set-Cookie")!, StringComparison.Ordinal);
        (await SendAsync(cookie, "GET", "/databases")).AssertProblem(403, "InvalidAuth", "session", "jackdaw login-link");
        await AssertCutAsync(socket);
        Assert.Equal(204, (await SendAsync(cookie, "POST", "/logout")).Status);
    }

    [Theory]
    [InlineData(61)]
    [InlineData(721)]
    public async Task Session_WhoseTimeIsOver_IsRefused(int minutes)
    {
        string cookie = await LogInAsync();
        for (int passed = 0; passed + 55 < minutes; passed += 55)
        {
            Assert.Equal(200, (await SendAsync(cookie, "GET", "/databases")).Status);
            _time.Shift += TimeSpan.FromMinutes(minutes < 100 ? 0 : 55);
        }

        _time.Shift += TimeSpan.FromMinutes(minutes < 100 ? 61 : 55);
        (await SendAsync(cookie, "GET", "/databases")).AssertProblem(403, "InvalidAuth", "session");
    }

    /// <summary>Pages of the same site send the cookie; their requests are refused, and must not count as a use.</summary>
    [Fact]
    public async Task Session_ThatOnlyPagesOfAnotherOriginUse_IsOverAfterAnHour()
    {
        string cookie = await LogInAsync();
        for (int i = 0; i < 4; i++)
        {
            _time.Shift += TimeSpan.FromMinutes(16);
            Answer foreign = await Answer.ToAsync(Stranger, "GET", "/databases", null, ("Cookie", cookie), ("Origin", "https://app.example.com"));
            Assert.Equal(403, foreign.Status);
        }

        (await SendAsync(cookie, "GET", "/databases")).AssertProblem(403, "InvalidAuth", "session");
    }

    [Fact]
    public async Task Session_AfterARestart_IsOver()
    {
        string cookie = await LogInAsync();
        await _secured.Server.RestartAsync();

        using HttpClient stranger = _secured.Server.MakeClient(null);
        (await Answer.ToAsync(stranger, "GET", "/databases", null, ("Cookie", cookie))).AssertProblem(403, "InvalidAuth", "session");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Session_WhoseCertificateIsChanged_EndsWithinASecondOnOpenConnections(bool isRemoved)
    {
        using var second = _secured.Add("second", new Grants(Clearance.ClusterAdmin));
        Answer link = await _secured.SendAsync(second, "POST", "/admin/login-links", "{}");
        string cookie = CookieOf(await RedeemAsync(link.Json.GetProperty("Link").GetString()!.Split('#')[1]));
        using ClientWebSocket socket = await WatchAsync(cookie);
        long began = TimeProvider.System.GetTimestamp();
        Answer changed = isRemoved
            ? await _secured.SendAsync("DELETE", $"/admin/certificates?thumbprint={second.Thumbprint}")
            : await _secured.SendAsync(
                "POST", "/admin/certificates/edit", $$"""{"Thumbprint":"{{second.Thumbprint}}","Name":"second","SecurityClearance":"Operator"}""");

        Assert.InRange(changed.Status, 200, 204);
        Assert.Equal(403, (await SendAsync(cookie, "GET", "/databases")).Status);
        await AssertCutAsync(socket);
        Assert.InRange(TimeProvider.System.GetElapsedTime(began), TimeSpan.Zero, TimeSpan.FromSeconds(5)); // a second, and what a busy machine adds
    }

    [Fact]
    public async Task Session_UnknownCookie_SaysThatItEnded()
    {
        (await SendAsync("__Host-jackdaw=unknown", "GET", "/databases")).AssertProblem(403, "InvalidAuth", "session of this browser has ended");
        (await SendAsync("__Host-jackdaw=", "GET", "/databases")).AssertProblem(403, "InvalidAuth", "without a client certificate");
        Assert.Equal(200, (await _secured.Server.SendAsync("GET", "/databases", null, ("Cookie", "__Host-jackdaw=unknown"))).Status); // has a certificate
    }

    [Theory]
    [InlineData("Origin", "https://evil.example")]
    [InlineData("Origin", "null")]
    [InlineData("Host", "evil.example")]
    [InlineData("Sec-Fetch-Site", "cross-site")]
    [InlineData("Sec-Fetch-Site", "same-site")]
    public async Task Session_RequestOfAnotherSite_IsRefused(string name, string value)
    {
        string cookie = await LogInAsync();
        Assert.Equal(200, (await SendAsync(cookie, "GET", "/databases")).Status);
        (await SendAsync(cookie, "GET", "/databases", null, (name, value))).AssertProblem(403, "InvalidAuth", name);
        (await SendAsync(cookie, "PUT", "/databases/db1/docs?id=a", "{}", (name, value))).AssertProblem(403, "InvalidAuth", name);
        (await SendAsync(cookie, "POST", "/logout", null, (name, value))).AssertProblem(403, "InvalidAuth", name);
        Assert.Equal(404, (await _secured.SendAsync("GET", "/databases/db1/docs?id=a")).Status);
    }

    [Fact]
    public async Task Session_LinkOfAnotherSite_OpensOnlyTheLoginPage()
    {
        string cookie = await LogInAsync();
        (string, string)[] visit = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")];

        Assert.Equal(200, (await SendAsync(cookie, "GET", "/login", null, visit)).Status);
        Assert.Equal(403, (await SendAsync(cookie, "GET", "/databases/db1/docs?id=a", null, visit)).Status);
    }

    [Fact]
    public async Task Certificate_WithAnotherOrigin_IsRefused()
    {
        (await _secured.Server.SendAsync("GET", "/databases", null, ("Origin", "https://evil.example"))).AssertProblem(403, "InvalidAuth", "evil.example");
        string own = _secured.Server.Address.GetLeftPart(UriPartial.Authority);
        Assert.Equal(200, (await _secured.Server.SendAsync("GET", "/databases", null, ("Origin", own))).Status);
        (await _secured.Server.SendAsync("GET", "/databases", null, ("Origin", own.Replace("https", "http", StringComparison.Ordinal))))
            .AssertProblem(403, "InvalidAuth");
    }

    [Fact]
    public async Task Audit_NamesSessionsAndRefusedLinks()
    {
        string cookie = await LogInAsync();
        await SendAsync(cookie, "PUT", "/admin/databases?name=second", """{"DatabaseName":"second"}""");
        await SendAsync(cookie, "POST", "/logout");
        await RedeemAsync("AAAAAAAAAAAAAAAAAAAAAA");

        JsonElement[] lines = [.. (await _secured.SendAsync("GET", "/admin/audit")).Json.GetProperty("Results").EnumerateArray().Reverse()];
        Assert.Equal(
            ["session begun POST /admin/login-links", "session done POST /admin/login-links", "session done POST /login",
                "database begun PUT /admin/databases", "database done PUT /admin/databases", "session done POST /logout", "refusal refused POST /login"],
            lines.Select(line => $"{line.GetProperty("kind")} {line.GetProperty("outcome")} {line.GetProperty("route")}"));
        string mark = lines[2].GetProperty("session").GetString()!;
        Assert.All(lines[2..6], line => Assert.Equal((mark, "admin"), (line.GetProperty("session").GetString(), line.GetProperty("who").GetString())));
        Assert.DoesNotContain(cookie.Split('=')[1], string.Concat(lines), StringComparison.Ordinal);
    }

    private static string CookieOf(Answer answer) => answer.Header("Set-Cookie")!.Split(';')[0];

    private static async Task AssertCutAsync(ClientWebSocket socket)
    {
        using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(20));
        byte[] buffer = new byte[4096];
        try
        {
            while ((await socket.ReceiveAsync(buffer.AsMemory(), limit.Token)).MessageType != WebSocketMessageType.Close)
            {
            }
        }
        catch (WebSocketException)
        {
            // The connection was cut.
        }
    }

    private async Task<string> MakeLinkAsync(string body = "{}")
    {
        Answer answer = await _secured.SendAsync("POST", "/admin/login-links", body);
        Assert.Equal(201, answer.Status);
        Assert.Equal("no-store", answer.Header("Cache-Control"));
        return answer.Json.GetProperty("Link").GetString()!;
    }

    private async Task<string> MakeSecretAsync(string body = "{}") => (await MakeLinkAsync(body)).Split('#')[1];

    private Task<Answer> RedeemAsync(string secret) => Answer.ToAsync(Stranger, "POST", "/login", JsonSerializer.Serialize(new { Link = secret }));

    private async Task<string> LogInAsync() => CookieOf(await RedeemAsync(await MakeSecretAsync()));

    private Task<Answer> SendAsync(string cookie, string method, string path, object? body = null, params (string Name, string Value)[] headers) =>
        Answer.ToAsync(Stranger, method, path, body, [("Cookie", cookie), .. headers]);

    private async Task<ClientWebSocket> WatchAsync(string cookie)
    {
        var socket = new ClientWebSocket();
        socket.Options.SetRequestHeader("Cookie", cookie);
        socket.Options.RemoteCertificateValidationCallback = (_, _, _, _) => true;
        var address = new UriBuilder(_secured.Server.Address) { Scheme = "wss", Path = "/databases/db1/changes" };
        await socket.ConnectAsync(address.Uri, CancellationToken.None);
        return socket;
    }

    /// <summary>The system's clock, moved.</summary>
    private sealed class ShiftedTime : TimeProvider
    {
        public TimeSpan Shift { get; set; }

        public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + Shift;
    }
}
