using System.IO.Compression;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using Jackdaw.Server.Http.Handlers.Studio;
using Jackdaw.Server.Tests.Security;

namespace Jackdaw.Server.Tests.Http.Handlers.Studio;

/// <summary>The files of the Studio as browsers get them.</summary>
public sealed partial class StudioTests : IAsyncLifetime
{
    private static readonly StudioSite s_site = StudioSite.Load();

    private readonly HttpClient _plain = new(new SocketsHttpHandler { AllowAutoRedirect = false, AutomaticDecompression = DecompressionMethods.None });

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        _plain.BaseAddress = _server.Address;
    }

    public async Task DisposeAsync()
    {
        _plain.Dispose();
        await _server.DisposeAsync();
    }

    [Theory]
    [InlineData("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", 302)]
    [InlineData("TEXT/HTML", 302)]
    [InlineData("*/*", 400)]
    [InlineData("application/json", 400)]
    [InlineData(null, 400)]
    public async Task Root_LeadsToTheStudio_OnlyWhoAsksForHtml(string? accept, int status)
    {
        using HttpResponseMessage answer = await SendAsync("/", accept, null);
        Assert.Equal(status, (int)answer.StatusCode);
        Assert.Equal(status == 302 ? "/studio/" : null, answer.Headers.Location?.OriginalString);
        Assert.Equal(status == 302 ? "Accept" : "", answer.Headers.Vary.ToString());
    }

    [Fact]
    public async Task Page_IsRevalidated_AndItsPolicyAllowsItsOwnScriptOnly()
    {
        using HttpResponseMessage answer = await SendAsync("/studio/", "text/html", "gzip");
        Assert.Equal(200, (int)answer.StatusCode);
        Assert.Equal("no-cache", answer.Headers.CacheControl!.ToString());
        string page = await ReadAsync(answer, "gzip");
        string policy = answer.Headers.GetValues("Content-Security-Policy").Single();
        string[] scripts = [.. InlineScript().Matches(page).Select(script => script.Groups[1].Value)];
        string hash = Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(Assert.Single(scripts))));
        Assert.Contains($"script-src 'self' 'sha256-{hash}';", policy, StringComparison.Ordinal);
        Assert.StartsWith("default-src 'self';", policy, StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", policy, StringComparison.Ordinal);

        using HttpResponseMessage again = await SendAsync("/studio", "text/html", "gzip", answer.Headers.ETag!.ToString());
        Assert.Equal(304, (int)again.StatusCode);
        Assert.Empty(await again.Content.ReadAsByteArrayAsync());
    }

    [Fact]
    public async Task Page_NamesOnlyFilesThatThereAre()
    {
        using HttpResponseMessage answer = await SendAsync("/studio/", "text/html", null);
        string page = await ReadAsync(answer, null);
        string[] named = [.. NamedFile().Matches(page).Select(file => file.Groups[1].Value)];
        Assert.Empty(named.Except(s_site.Paths));
        Assert.Contains(named, file => file.EndsWith("/main.js", StringComparison.Ordinal));
        Assert.DoesNotContain("{{", page, StringComparison.Ordinal);
        Assert.DoesNotMatch("(?i)https?://", page);
    }

    [Theory]
    [InlineData(null, null)]
    [InlineData("identity", null)]
    [InlineData("gzip", "gzip")]
    [InlineData("gzip, deflate, br, zstd", "br")]
    [InlineData("br;q=0, gzip;q=0.5", "gzip")]
    [InlineData("br ; q=0.000, gzip;q=0", null)]
    public async Task File_ComesInAFormThatTheClientKnows_AndIsImmutable(string? accepted, string? coding)
    {
        foreach (string path in s_site.Paths)
        {
            using HttpResponseMessage answer = await SendAsync(path, "*/*", accepted);
            Assert.Equal(200, (int)answer.StatusCode);
            Assert.Equal(coding, answer.Content.Headers.ContentEncoding.SingleOrDefault());
            Assert.Equal("public, max-age=31536000, immutable", answer.Headers.CacheControl!.ToString());
            Assert.Equal("Accept-Encoding", answer.Headers.Vary.ToString());
            Assert.Equal("nosniff", answer.Headers.GetValues("X-Content-Type-Options").Single());
            Assert.NotEqual("", await ReadAsync(answer, coding));
        }
    }

    [Theory]
    [InlineData("/studio/0000000000000000/main.js")]
    [InlineData("/studio/main.js")]
    [InlineData("/studio/%2e%2e/appsettings.json")]
    [InlineData("/studio/index.html.gz")]
    public async Task File_OfAnotherBuildOrNone_IsRefused(string path)
    {
        using HttpResponseMessage answer = await SendAsync(path, "*/*", null);
        Assert.InRange((int)answer.StatusCode, 400, 404);
        Assert.Null(answer.Headers.CacheControl);
    }

    [Fact]
    public async Task Head_SaysTheSameWithoutABody()
    {
        using var question = new HttpRequestMessage(HttpMethod.Head, s_site.Paths.First());
        using HttpResponseMessage answer = await _plain.SendAsync(question);
        Assert.True(answer.Content.Headers.ContentLength > 0);
        Assert.Empty(await answer.Content.ReadAsByteArrayAsync());
    }

    [Fact]
    public async Task Disabled_ServesNoneOfIt()
    {
        await using ServerFixture without = await ServerFixture.StartAsync(new ServerSetup { HasStudio = false });
        _plain.BaseAddress = null;
        foreach (string path in s_site.Paths.Append("/studio/").Append("/"))
        {
            using var question = new HttpRequestMessage(HttpMethod.Get, new Uri(without.Address, path));
            question.Headers.TryAddWithoutValidation("Accept", "text/html");
            using HttpResponseMessage answer = await _plain.SendAsync(question);
            Assert.Equal(400, (int)answer.StatusCode);
        }
    }

    [Fact]
    public async Task Secured_StrangersGetTheFiles_AndNothingElse()
    {
        await using SecuredFixture secured = await SecuredFixture.StartAsync();
        HttpClient stranger = secured.ClientOf(null);
        Assert.Equal(HttpStatusCode.OK, (await stranger.GetAsync(new Uri("/studio/", UriKind.Relative))).StatusCode);
        Assert.Equal(HttpStatusCode.OK, (await stranger.GetAsync(new Uri(s_site.Paths.First(), UriKind.Relative))).StatusCode);
        HttpResponseMessage refused = await stranger.GetAsync(new Uri("/databases", UriKind.Relative));
        Assert.Equal(HttpStatusCode.Forbidden, refused.StatusCode);
        Assert.Contains("Message", await refused.Content.ReadAsStringAsync(), StringComparison.Ordinal);
    }

    private static async Task<string> ReadAsync(HttpResponseMessage answer, string? coding)
    {
        Stream content = await answer.Content.ReadAsStreamAsync();
        await using Stream plain = coding switch
        {
            "br" => new BrotliStream(content, CompressionMode.Decompress),
            "gzip" => new GZipStream(content, CompressionMode.Decompress),
            _ => content,
        };
        using var reader = new StreamReader(plain);
        return await reader.ReadToEndAsync();
    }

    private async Task<HttpResponseMessage> SendAsync(string path, string? accept, string? coding, string? known = null)
    {
        using var question = new HttpRequestMessage(HttpMethod.Get, path);
        foreach ((string name, string? value) in new[] { ("Accept", accept), ("Accept-Encoding", coding), ("If-None-Match", known) })
        {
            if (value is not null)
            {
                question.Headers.TryAddWithoutValidation(name, value);
            }
        }

        return await _plain.SendAsync(question);
    }

    [GeneratedRegex("<script(?! type=\"module\")[^>]*>(.*?)</script>", RegexOptions.Singleline)]
    private static partial Regex InlineScript();

    [GeneratedRegex("\"(/studio/[^\"]+)\"")]
    private static partial Regex NamedFile();
}
