using System.Net;
using Jackdaw.Documents.Callers;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Http.Origins;
using Jackdaw.Server.Http.Problems;
using Microsoft.AspNetCore.Http;

namespace Jackdaw.Server.Tests.Http.Origins;

public sealed class OriginRulesTests
{
    private const string Loopback = "http://127.0.0.1:8080";
    private const string Network = "http://*:8080";

    [Theory]
    [InlineData(Loopback, "localhost:8080")]
    [InlineData(Loopback, "LOCALHOST")]
    [InlineData(Loopback, "localhost.:8080")]
    [InlineData(Loopback, "127.0.0.1:8080")]
    [InlineData(Loopback, "127.8.9.1")]
    [InlineData(Loopback, "[::1]:8080")]
    [InlineData(Loopback, "db.localhost:8080")]
    [InlineData(Loopback, "public.example.com")]
    [InlineData(Loopback, "")]
    [InlineData(Network, "192.0.2.7:8080")]
    [InlineData(Network, "[2001:db8::1]:8080")]
    [InlineData(Network, "db:8080")]
    [InlineData(Network, "db.default.svc.cluster.local:8080")]
    [InlineData(Network, "Public.Example.com:8080")]
    public void Host_OfTheServer_IsServed(string url, string host) => Assert.Null(Find(url, host));

    [Theory]
    [InlineData(Loopback, "evil.example")]
    [InlineData(Loopback, "evil.example:8080")]
    [InlineData(Loopback, "x")]
    [InlineData(Loopback, "192.0.2.7:8080")]
    [InlineData(Loopback, "0.0.0.0:8080")]
    [InlineData(Loopback, "[2001:db8::1]:8080")]
    [InlineData(Loopback, "localhost.evil.example")]
    [InlineData(Loopback, "127.0.0.1.evil.example")]
    [InlineData("http://localhost:8080", "evil.example")]
    [InlineData("http://[::1]:8080", "evil.example")]
    [InlineData(Network, "evil.example:8080")]
    [InlineData(Network, "127.0.0.1.evil.example")]
    public void Host_OfAnotherSite_IsRefused(string url, string host)
    {
        Problem? problem = Find(url, host);

        Assert.Equal((403, "InvalidAuth"), (problem?.Status, problem?.Type));
        Assert.Contains("PublicServerUrl", problem!.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Host_OfHugeLength_IsShortenedInTheMessage() =>
        Assert.InRange(Find(Loopback, new string('e', 20_000) + ".example")!.Message.Length, 1, 600);

    [Fact]
    public void SecuredServer_KnowsTheNamesOfItsCertificate()
    {
        Assert.Null(FindSecured("db.example.com", "db.example.com"));
        Assert.Null(FindSecured("db.example.com.:8443", "db.example.com"));
        Assert.NotNull(FindSecured("evil.example", "db.example.com"));
    }

    [Fact]
    public void SecuredServer_ProgramWithAnotherHost_IsServed() =>
        Assert.Null(Rules(Network).FindProblem(Request("unknown.example", scheme: "https"), Access.Read, hasSession: false));

    [Fact]
    public void SecuredServer_SessionWithAnotherHost_IsRefused() =>
        Assert.NotNull(Rules(Network).FindProblem(Request("unknown.example", scheme: "https"), Access.Read, hasSession: true));

    [Theory]
    [InlineData("localhost:8080", "http://localhost:8080")]
    [InlineData("127.0.0.1:8080", "http://127.0.0.1:8080")]
    [InlineData("[::1]:8080", "http://[::1]:8080")]
    [InlineData("localhost", "http://localhost")]
    [InlineData("localhost:80", "http://localhost")]
    [InlineData("localhost:8080", "http://public.example.com")]
    [InlineData("localhost:8080", "https://allowed.example.com")]
    public void Origin_OfTheServerOrAllowed_IsServed(string host, string origin) => Assert.Null(Find(Loopback, host, ("Origin", origin)));

    [Theory]
    [InlineData("http://evil.example")]
    [InlineData("http://localhost:3000")]
    [InlineData("https://localhost:8080")]
    [InlineData("http://127.0.0.1:8080")]
    [InlineData("http://localhost:8080.evil.example")]
    [InlineData("http://localhost:8080@evil.example")]
    [InlineData("http://localhost:8080, http://evil.example")]
    [InlineData("http://allowed.example.com")]
    [InlineData("https://allowed.example.com:8443")]
    [InlineData("https://allowed.example.com.evil.example")]
    [InlineData("null")]
    [InlineData("")]
    [InlineData("file://")]
    [InlineData("chrome-extension://abcdef")]
    public void Origin_OfAnotherPage_IsRefused(string origin)
    {
        Problem? problem = Find(Loopback, "localhost:8080", ("Origin", origin));

        Assert.Equal((403, "InvalidAuth"), (problem?.Status, problem?.Type));
        Assert.Contains("Security.AllowedOrigins", problem!.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Origin_SentTwice_IsRefused()
    {
        HttpRequest request = Request("localhost:8080");
        request.Headers.Origin = new(["http://localhost:8080", "http://evil.example"]);

        Assert.NotNull(Rules(Loopback).FindProblem(request, Access.Read, hasSession: false));
    }

    [Theory]
    [InlineData("cross-site")]
    [InlineData("same-site")]
    [InlineData("unheard-of")]
    public void RequestOfAnotherSiteWithoutOrigin_IsRefused(string site)
    {
        Assert.NotNull(Find(Loopback, "localhost:8080", ("Sec-Fetch-Site", site)));
        Assert.NotNull(Find(Loopback, "localhost:8080", ("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "image")));
        Assert.NotNull(Find(Loopback, "localhost:8080", ("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")));
    }

    [Theory]
    [InlineData("none")]
    [InlineData("same-origin")]
    public void RequestOfTheOwnSite_IsServed(string site) => Assert.Null(Find(Loopback, "localhost:8080", ("Sec-Fetch-Site", site)));

    [Theory]
    [InlineData(nameof(Access.Anonymous), false, true)]
    [InlineData(nameof(Access.Read), false, true)]
    [InlineData(nameof(Access.ReadWrite), false, false)]
    [InlineData(nameof(Access.Operator), false, false)]
    [InlineData(null, false, false)]
    [InlineData(nameof(Access.Anonymous), true, true)]
    [InlineData(nameof(Access.Read), true, false)]
    public void LinkOfAnotherSite_OpensOnlyWhatReads(string? access, bool hasSession, bool isServed)
    {
        HttpRequest request = Request("localhost:8080");
        request.Headers["Sec-Fetch-Site"] = "cross-site";
        request.Headers["Sec-Fetch-Mode"] = "navigate";
        request.Headers["Sec-Fetch-Dest"] = "document";

        Assert.Equal(isServed, Rules(Loopback).FindProblem(request, access is null ? null : Enum.Parse<Access>(access), hasSession) is null);
    }

    private static Problem? Find(string url, string host, params (string Name, string Value)[] headers)
    {
        HttpRequest request = Request(host);
        foreach ((string name, string value) in headers)
        {
            request.Headers[name] = value;
        }

        return Rules(url).FindProblem(request, Access.Read, hasSession: false);
    }

    private static Problem? FindSecured(string host, string name)
    {
        HttpRequest request = Request(host, scheme: "https");
        request.Headers["Sec-Fetch-Site"] = "none";
        return Rules(Network, name).FindProblem(request, Access.Read, hasSession: false);
    }

    private static OriginRules Rules(string url, string? certified = null) => new(
        ServerFixture.Options with
        {
            ServerUrl = ListenAddress.Parse(url, out _)!,
            PublicServerUrl = new Uri("http://public.example.com"),
            AllowedOrigins = [WebOrigin.TryParse("https://allowed.example.com")!.Value],
        },
        host => host == certified);

    private static HttpRequest Request(string host, string scheme = "http")
    {
        var exchange = new DefaultHttpContext();
        exchange.Connection.RemoteIpAddress = IPAddress.Loopback;
        exchange.Request.Method = "GET";
        exchange.Request.Scheme = scheme;
        exchange.Request.Host = new HostString(host);
        return exchange.Request;
    }
}
