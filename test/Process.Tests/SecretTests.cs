using System.IO.Compression;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

/// <summary>Secrets that went through a server, and what people sent with queries, are looked for in everything that the server wrote.</summary>
public sealed class SecretTests : IDisposable
{
    /// <summary>Parts of requests that are nobody's business but the sender's.</summary>
    private static readonly string[] s_sent = ["canary-parameter", "canary-script", "canary-value"];

    private static readonly string[] s_keyFiles = ["ca.key", "server.pfx", "admin.client.pfx", "admin.client.pem"];

    private readonly TestFolder _folder = new();
    private readonly List<string> _secrets = ["canary-password"];
    private readonly StringBuilder _errors = new();

    private string Keys => Path.Combine(_folder.Data, "Security");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Secrets_ThroughEveryPath_AreNowhereButInTheKeyFiles()
    {
        using JackdawProcess process = JackdawProcess.Start(
            _folder.Path, ["--ServerUrl=https://127.0.0.1:0", $"--DataDir={_folder.Data}", "--Log.Level=Trace"]);
        string address = await process.Ready.WaitAsync(JackdawProcess.Patience);
        using HttpClient administrator = MakeClient(address, Path.Combine(Keys, "admin.client.pfx"));
        using HttpClient stranger = MakeClient(address, null);

        await UseCertificatesAsync(administrator);
        await UseLinksAsync(administrator, stranger);
        await UseTokensAsync(administrator, stranger);
        await UseQueriesAsync(administrator);
        await UseVerbsAsync(address);
        string metrics = (await SendAsync(administrator, "GET", "/metrics")).Text;
        string audit = (await SendAsync(administrator, "GET", "/admin/audit?pageSize=1000")).Text;
        Assert.Contains("POST /login", audit, StringComparison.Ordinal);
        Assert.Contains("change-by-query", audit, StringComparison.Ordinal);
        Assert.Equal(0, (await process.TerminateAsync()).Code);

        TakeKeys();
        Assert.True(_secrets.Count > 10);
        AssertClean("errors", _errors.ToString(), _secrets);
        foreach ((string name, string text) in new[] { ("metrics", metrics), ("audit", audit), ("stdout", process.Output), ("stderr", process.Errors) })
        {
            AssertClean(name, text, [.. _secrets, .. s_sent]);
        }

        AssertFilesAreClean();
    }

    private static void AssertClean(string name, string text, IEnumerable<string> canaries)
    {
        foreach (string canary in canaries)
        {
            int at = text.IndexOf(canary, StringComparison.Ordinal);
            Assert.True(at < 0, at < 0 ? "" : $"{name} has '{canary}': ...{text[Math.Max(0, at - 200)..Math.Min(text.Length, at + 100)]}");
        }
    }

    private static HttpClient MakeClient(string address, string? pfx)
    {
        var handler = new SocketsHttpHandler();
        handler.SslOptions.RemoteCertificateValidationCallback = (_, _, _, _) => true;
        if (pfx is not null)
        {
            X509Certificate2 certificate = X509CertificateLoader.LoadPkcs12FromFile(pfx, null);
            handler.SslOptions.LocalCertificateSelectionCallback = (_, _, _, _, _) => certificate;
        }

        return new HttpClient(handler) { BaseAddress = new Uri(address), Timeout = JackdawProcess.Patience };
    }

    private async Task UseCertificatesAsync(HttpClient administrator)
    {
        await SendAsync(administrator, "POST", "/admin/certificates", """{"Name":"a","SecurityClearance":"Operator","Password":"canary-password"}""");
        await SendAsync(administrator, "POST", "/admin/certificates", """{"Name":"","SecurityClearance":"Operator","Password":"canary-password"}""");
        await SendAsync(administrator, "POST", "/admin/certificates/replace-cluster-cert", """{"Certificate":"AAAA","Password":"canary-password"}""");
        using HttpResponseMessage made = await administrator.PostAsync(
            new Uri("/admin/certificates", UriKind.Relative), new StringContent("""{"Name":"b","SecurityClearance":"Operator"}"""));
        using var zip = new ZipArchive(await made.Content.ReadAsStreamAsync());
        ZipArchiveEntry pem = zip.Entries.First(
            entry => entry.Name.EndsWith(".pem", StringComparison.Ordinal) && !entry.Name.StartsWith("ca", StringComparison.Ordinal));
        using var reader = new StreamReader(pem.Open());
        TakeKey(await reader.ReadToEndAsync());
    }

    private async Task UseLinksAsync(HttpClient administrator, HttpClient stranger)
    {
        string secret = (await SendAsync(administrator, "POST", "/admin/login-links", "{}")).Json.GetProperty("Link").GetString()!.Split('#')[1];
        string unused = (await SendAsync(administrator, "POST", "/admin/login-links", "{}")).Json.GetProperty("Link").GetString()!.Split('#')[1];
        string body = JsonSerializer.Serialize(new { Link = secret });
        string cookie = (await SendAsync(stranger, "POST", "/login", body)).Header("Set-Cookie")!.Split(';')[0];
        _secrets.AddRange([secret, unused, cookie.Split('=')[1]]);

        await SendAsync(stranger, "POST", "/login", body);
        await SendAsync(stranger, "PUT", "/admin/databases?name=shop", """{"DatabaseName":"shop"}""", ("Cookie", cookie));
        await SendAsync(stranger, "GET", "/nowhere", null, ("Cookie", cookie));
        await SendAsync(stranger, "GET", "/databases", null, ("Cookie", cookie), ("Origin", "https://evil.example"));
        await SendAsync(stranger, "POST", "/logout", null, ("Cookie", cookie));
        await SendAsync(stranger, "GET", "/databases", null, ("Cookie", cookie));
    }

    private async Task UseTokensAsync(HttpClient administrator, HttpClient stranger)
    {
        JsonElement made = (await SendAsync(administrator, "POST", "/admin/metrics-tokens", """{"Name":"prometheus"}""")).Json;
        string token = made.GetProperty("Token").GetString()!;
        _secrets.Add(token);
        Assert.Equal(200, (await SendAsync(stranger, "GET", "/metrics", null, ("Authorization", $"Bearer {token}"))).Status);
        await SendAsync(stranger, "GET", "/databases", null, ("Authorization", $"Bearer {token}"));
        await SendAsync(administrator, "DELETE", $"/admin/metrics-tokens?id={made.GetProperty("Id").GetString()}");
        await SendAsync(stranger, "GET", "/metrics", null, ("Authorization", $"Bearer {token}"));
    }

    private async Task UseQueriesAsync(HttpClient administrator)
    {
        const string parameters = """{"p":"canary-parameter"}""";
        string db = "/databases/shop";
        await SendAsync(administrator, "PUT", $"{db}/docs?id=users/1", """{"Name":"Ann","@metadata":{"@collection":"Users"}}""");
        await SendAsync(administrator, "POST", $"{db}/queries", Body("from Users where Name = $p"));
        await SendAsync(administrator, "POST", $"{db}/queries", Body("from Users where Name = = $p"));
        foreach (string query in (string[])["from Users where Name = $p", "from Users where where", "from index 'None' where Name = $p"])
        {
            string url = $"{db}/queries?query={Uri.EscapeDataString(query)}&parameters={Uri.EscapeDataString(parameters)}";
            await SendAsync(administrator, "GET", url);
            await SendAsync(administrator, "GET", url.Replace("parameters=", "Parameters=%7B", StringComparison.Ordinal));
        }

        foreach (string script in (string[])["if (this.Name == 'canary-script') del(this)", "canary-script oops", "throw new Error('canary-script')"])
        {
            await SendAsync(administrator, "PATCH", $"{db}/queries", $$"""{"Query": {{Body($"from Users update {{ {script} }}")}} }""");
            await SendAsync(
                administrator, "PATCH", $"{db}/docs?id=users/1", PatchOf(script));
            await SendAsync(
                administrator, "POST", $"{db}/bulk_docs",
                $$"""{"Commands":[{"Type":"PATCH","Id":"users/1","ChangeVector":null, {{PatchOf(script)[1..]}} ]}""");
        }

        await SendAsync(administrator, "DELETE", $"{db}/queries", Body("from Users where Name = $p"));
        await SendAsync(administrator, "DELETE", $"{db}/queries", Body("from Users update {}"));
    }

    private static string Body(string query) =>
        JsonSerializer.Serialize(new { Query = query, QueryParameters = new { p = "canary-parameter" } });

    private static string PatchOf(string script) =>
        JsonSerializer.Serialize(new { Patch = new { Script = script, Values = new { v = "canary-value" } } });

    private async Task UseVerbsAsync(string address)
    {
        string[] server = [$"--ServerUrl={address}", $"--DataDir={_folder.Data}"];
        ProcessEnd link = await JackdawProcess.RunAsync(_folder.Path, ["login-link", "--database=shop", .. server]);
        Assert.True(link.Code == 0, link.ToString());
        Assert.Matches($"^{address}/login#[A-Za-z0-9_-]{{22}}$", link.Output.Trim());
        ProcessEnd token = await JackdawProcess.RunAsync(_folder.Path, ["cert", "metrics-token", "--name=verb", .. server]);
        Assert.True(token.Code == 0, token.ToString());
        ProcessEnd list = await JackdawProcess.RunAsync(_folder.Path, ["cert", "metrics-token", "list", .. server]);
        Assert.EndsWith("  verb", list.Output.Trim(), StringComparison.Ordinal);
        ProcessEnd revoked = await JackdawProcess.RunAsync(_folder.Path, ["cert", "metrics-token", "revoke", list.Output.Split(' ')[0], .. server]);
        Assert.True(revoked.Code == 0, revoked.ToString());
        Assert.Equal("", (await JackdawProcess.RunAsync(_folder.Path, ["cert", "metrics-token", "list", .. server])).Output);
        ProcessEnd refused = await JackdawProcess.RunAsync(_folder.Path, ["login-link", "--clearance=ClusterNode", .. server]);
        Assert.Equal(1, refused.Code);
        Assert.Contains("The clearance ClusterNode is for", refused.Errors, StringComparison.Ordinal);
        _secrets.AddRange([link.Output.Trim().Split('#')[1], token.Output.Trim()]);
    }

    private void TakeKeys()
    {
        foreach (string file in (string[])["ca.key", "admin.client.pem"])
        {
            TakeKey(File.ReadAllText(Path.Combine(Keys, file)));
        }
    }

    // The lines of a key in PEM, without those of its certificate.
    private void TakeKey(string pem)
    {
        string[] parts = pem.Split("-----", StringSplitOptions.RemoveEmptyEntries);
        int begin = Array.FindIndex(parts, part => part.StartsWith("BEGIN", StringComparison.Ordinal) && part.Contains("KEY", StringComparison.Ordinal));
        _secrets.AddRange(parts[begin + 1].Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries).Where(line => line.Length > 20));
    }

    private void AssertFilesAreClean()
    {
        string[] files = [.. Directory.GetFiles(_folder.Data, "*", SearchOption.AllDirectories)
            .Where(path => Path.GetDirectoryName(path) != Keys || !s_keyFiles.Contains(Path.GetFileName(path)))];
        Assert.Contains(files, file => file.EndsWith(".jsonl", StringComparison.Ordinal));
        Assert.True(files.Length > 5);
        foreach (string file in files)
        {
            AssertClean(file, Encoding.Latin1.GetString(File.ReadAllBytes(file)), [.. _secrets, .. s_sent]);
        }
    }

    private async Task<Answer> SendAsync(HttpClient client, string method, string path, object? body = null, params (string Name, string Value)[] headers)
    {
        Answer answer = await Answer.ToAsync(client, method, path, body, headers);
        if (answer.Status >= 400)
        {
            _errors.AppendLine(answer.Text);
        }

        return answer;
    }
}
