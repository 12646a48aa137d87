using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Security;

public sealed class OpenServerTests
{
    [Theory]
    [InlineData("POST", "/admin/login-links")]
    [InlineData("GET", "/login")]
    [InlineData("POST", "/login")]
    [InlineData("POST", "/logout")]
    [InlineData("GET", "/admin/metrics-tokens")]
    [InlineData("POST", "/admin/metrics-tokens")]
    [InlineData("DELETE", "/admin/metrics-tokens?id=a")]
    public async Task LinksAndTokens_AreRefusedWithASentence(string method, string path)
    {
        await using ServerFixture server = await ServerFixture.StartAsync();

        Answer answer = await server.SendAsync(method, path, method == "POST" ? "{}" : null, ("Cookie", "__Host-jackdaw=x"));
        answer.AssertProblem(400, "InvalidOperationException", "is open (http)", "https://");
        Assert.Null(answer.Header("Set-Cookie"));
    }
}
