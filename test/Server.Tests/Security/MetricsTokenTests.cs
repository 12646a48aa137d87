using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Security;

public sealed class MetricsTokenTests : IAsyncLifetime
{
    private SecuredFixture _secured = null!;

    public async Task InitializeAsync() => _secured = await SecuredFixture.StartAsync();

    public async Task DisposeAsync() => await _secured.DisposeAsync();

    [Fact]
    public async Task Token_OpensMetricsAndNothingElse()
    {
        JsonElement made = await MakeAsync();
        string token = made.GetProperty("Token").GetString()!;

        Answer metrics = await SendAsync($"Bearer {token}", "GET", "/metrics");
        Assert.Equal(200, metrics.Status);
        Assert.Contains("db1", metrics.Text, StringComparison.Ordinal);
        foreach (string path in (string[])["/databases", "/topology", "/databases/db1/stats", "/admin/audit", "/certificates/whoami", "/admin/metrics-tokens"])
        {
            Assert.Equal(403, (await SendAsync($"Bearer {token}", "GET", path)).Status);
        }
    }

    /// <summary>A collector may have one configuration of TLS for all its targets.</summary>
    [Fact]
    public async Task Token_BesideACertificateThatIsNotKnown_OpensMetrics()
    {
        string token = (await MakeAsync()).GetProperty("Token").GetString()!;
        using X509Certificate2 elsewhere = _secured.Issue("collector");
        HttpClient client = _secured.ClientOf(elsewhere);
        Assert.Equal(200, (await Answer.ToAsync(client, "GET", "/metrics", null, ("Authorization", $"Bearer {token}"))).Status);
        Assert.Equal(403, (await Answer.ToAsync(client, "GET", "/databases", null, ("Authorization", $"Bearer {token}"))).Status);
    }

    [Theory]
    [InlineData("Bearer ")]
    [InlineData("Bearer jackdaw_metrics_AAAA")]
    [InlineData("Basic jackdaw_metrics_AAAA")]
    [InlineData("")]
    public async Task Metrics_WithoutAToken_AreRefused(string header)
    {
        await MakeAsync();
        (await SendAsync(header, "GET", "/metrics")).AssertProblem(403, "InvalidAuth");
    }

    [Fact]
    public async Task Token_ThatWasRevoked_IsRefusedAtOnce()
    {
        JsonElement made = await MakeAsync();
        string header = $"Bearer {made.GetProperty("Token").GetString()}";
        Assert.Equal(200, (await SendAsync(header, "GET", "/metrics")).Status);

        Assert.Equal(204, (await _secured.SendAsync("DELETE", $"/admin/metrics-tokens?id={made.GetProperty("Id").GetString()}")).Status);
        Assert.Equal(403, (await SendAsync(header, "GET", "/metrics")).Status);
        (await _secured.SendAsync("DELETE", "/admin/metrics-tokens?id=none")).AssertProblem(404, "InvalidOperationException", "none");
    }

    [Fact]
    public async Task List_ShowsTokensWithoutTheirSecrets()
    {
        JsonElement made = await MakeAsync();
        string list = (await _secured.SendAsync("GET", "/admin/metrics-tokens")).Text;

        Assert.Contains("\"prometheus\"", list, StringComparison.Ordinal);
        Assert.DoesNotContain(made.GetProperty("Token").GetString()!, list, StringComparison.Ordinal);
        Assert.DoesNotContain("Hash", list, StringComparison.Ordinal);
    }

    private async Task<JsonElement> MakeAsync()
    {
        Answer answer = await _secured.SendAsync("POST", "/admin/metrics-tokens", """{"Name":"prometheus"}""");
        Assert.Equal(201, answer.Status);
        return answer.Json;
    }

    private Task<Answer> SendAsync(string authorization, string method, string path) =>
        Answer.ToAsync(_secured.ClientOf(null), method, path, null, ("Authorization", authorization));
}
