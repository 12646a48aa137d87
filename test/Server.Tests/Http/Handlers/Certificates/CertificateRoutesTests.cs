using System.IO.Compression;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Jackdaw.Security.Callers;
using Jackdaw.Server.Tests.Security;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Certificates;

public sealed class CertificateRoutesTests : IAsyncLifetime
{
    private SecuredFixture _server = null!;

    public async Task InitializeAsync() => _server = await SecuredFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Create_NoPassword_FilesGetIn()
    {
        Dictionary<string, byte[]> files = await CreateAsync(
            """{"Name":"Ann of Sales","SecurityClearance":"ValidUser","Permissions":{"Db1":"ReadWrite"},"Password":null}""");
        Assert.Equal(["Ann_of_Sales.pem", "Ann_of_Sales.pfx", "ca.pem"], files.Keys.Order(StringComparer.Ordinal));
        string pem = Encoding.ASCII.GetString(files["Ann_of_Sales.pem"]);
        Assert.Contains("-----BEGIN RSA PRIVATE KEY-----", pem, StringComparison.Ordinal);
        Assert.Equal(_server.Keys.Authority.Certificate.ExportCertificatePem(), Encoding.ASCII.GetString(files["ca.pem"]).Trim());
        using X509Certificate2 fromPfx = X509CertificateLoader.LoadPkcs12(files["Ann_of_Sales.pfx"], null);
        using X509Certificate2 fromPem = X509Certificate2.CreateFromPem(pem, pem);
        Assert.Equal(fromPfx.Thumbprint, fromPem.Thumbprint);
        Assert.Equal(201, (await _server.SendAsync(fromPfx, "PUT", "/databases/db1/docs?id=a", "{}")).Status);
        (await _server.SendAsync(fromPem, "GET", "/databases/db2/docs?id=a")).AssertProblem(
            403, "InvalidAuth", $"certificate 'Ann of Sales' (thumbprint {fromPem.Thumbprint})", "jackdaw cert edit");
    }

    [Fact]
    public async Task Create_Password_EncryptsAndLeavesThePemOut()
    {
        Dictionary<string, byte[]> files = await CreateAsync("""{"Name":"ann","SecurityClearance":"Operator","Permissions":{},"Password":"secret"}""");
        Assert.Equal(["ann.pfx", "ca.pem"], files.Keys.Order(StringComparer.Ordinal));
        Assert.ThrowsAny<Exception>(() => X509CertificateLoader.LoadPkcs12(files["ann.pfx"], null));
        using X509Certificate2 ann = X509CertificateLoader.LoadPkcs12(files["ann.pfx"], "secret");
        Assert.Equal(200, (await _server.SendAsync(ann, "GET", "/databases")).Status);
    }

    [Fact]
    public async Task Create_NotAfter_IsTheEnd()
    {
        DateTimeOffset end = TimeProvider.System.GetUtcNow().AddDays(3);
        Dictionary<string, byte[]> files = await CreateAsync($$"""{"Name":"ann","SecurityClearance":"Operator","NotAfter":"{{end:O}}"}""");
        using X509Certificate2 ann = X509CertificateLoader.LoadPkcs12(files["ann.pfx"], null);
        Assert.InRange(ann.NotAfter.ToUniversalTime(), end.UtcDateTime.AddSeconds(-2), end.UtcDateTime.AddSeconds(2));
    }

    [Theory]
    [InlineData("""{"SecurityClearance":"Operator"}""", "'Name' is missing")]
    [InlineData("""{"Name":"a"}""", "'SecurityClearance' is missing")]
    [InlineData("""{"Name":"a","SecurityClearance":"King"}""", "'King'")]
    [InlineData("""{"Name":"a","SecurityClearance":"1"}""", "'1'")]
    [InlineData("""{"Name":"a","SecurityClearance":"ClusterNode"}""", "is for servers that join a cluster")]
    [InlineData("""{"Name":"a","SecurityClearance":"UnauthenticatedClients"}""", "no certificate has it")]
    [InlineData("""{"Name":"a","SecurityClearance":"ValidUser","Permissions":[]}""", "must be an object")]
    [InlineData("""{"Name":"a","SecurityClearance":"ValidUser","Permissions":{"db1":"Own"}}""", "one of Read, ReadWrite, Admin")]
    [InlineData("""{"Name":"a","SecurityClearance":"ValidUser","Permissions":{"../x":"Read"}}""", "cannot be the name of a database")]
    [InlineData("""{"Name":"a","SecurityClearance":"ValidUser","Permissions":{"db1":"Read","DB1":"Admin"}}""", "twice")]
    [InlineData("""{"Name":"a","SecurityClearance":"Operator","NotAfter":"2001-01-01"}""", "a time in the future")]
    [InlineData("""{"Name":"a","SecurityClearance":"Operator","NotAfter":"soon"}""", "a time in the future")]
    [InlineData("""{"Name":"a\nb","SecurityClearance":"Operator"}""", "control characters")]
    public async Task Create_BadRequest_IsRefusedAndMakesNothing(string request, string message)
    {
        (await _server.SendAsync("POST", "/admin/certificates", request)).AssertProblem(400, "ArgumentException", message);
        Assert.Single(_server.Registry.All);
    }

    [Fact]
    public async Task Create_SecondFactor_IsNotSupported() =>
        (await _server.SendAsync("POST", "/admin/certificates", """{"Name":"a","SecurityClearance":"Operator","TwoFactorAuthenticationKey":"x"}"""))
            .AssertProblem(501, "NotSupportedException", "second factor");

    [Theory]
    [InlineData("der")]
    [InlineData("pem")]
    [InlineData("pfx")]
    public async Task Put_CertificateOfAnotherAuthority_GetsIn(string form)
    {
        using var other = new SampleAuthority("another CA");
        using X509Certificate2 ann = other.Issue("ann");
        byte[] bytes = form switch
        {
            "der" => ann.RawData,
            "pem" => Encoding.ASCII.GetBytes(ann.ExportCertificatePem()),
            _ => ann.Export(X509ContentType.Pkcs12, "secret"),
        };
        string request = JsonSerializer.Serialize(new
        {
            Name = "Ann",
            Certificate = Convert.ToBase64String(bytes),
            SecurityClearance = "ValidUser",
            Permissions = new Dictionary<string, string> { ["db1"] = "Read" },
            Password = form == "pfx" ? "secret" : null,
        });
        (await _server.SendAsync(ann, "GET", "/databases/db1/stats")).AssertProblem(403, "InvalidAuth", "does not know the certificate 'CN=ann'");
        Assert.Equal(201, (await _server.SendAsync("PUT", "/admin/certificates", request)).Status);
        Assert.Equal(200, (await _server.SendAsync(ann, "GET", "/databases/db1/stats")).Status);
    }

    [Theory]
    [InlineData("""{"Name":"a","SecurityClearance":"Operator"}""", "'Certificate' is missing")]
    [InlineData("""{"Name":"a","SecurityClearance":"Operator","Certificate":"%%"}""", "not base64")]
    [InlineData("""{"Name":"a","SecurityClearance":"Operator","Certificate":"AAAA"}""", "cannot be read as a certificate")]
    public async Task Put_BadRequest_IsRefused(string request, string message) =>
        (await _server.SendAsync("PUT", "/admin/certificates", request)).AssertProblem(400, "ArgumentException", message);

    [Fact]
    public async Task List_Entries_HaveTheMembersThatClientsRead()
    {
        using X509Certificate2 ann = _server.AddUser("Ann", DatabasePermission.ReadWrite, "Orders");
        JsonElement[] all = [.. (await _server.SendAsync("GET", "/admin/certificates?start=0&pageSize=10")).Json.GetProperty("Results").EnumerateArray()];
        Assert.Equal(["admin", "Ann"], all.Select(one => one.GetProperty("Name").GetString()));
        JsonElement entry = all[1];
        Assert.Equal("ValidUser", entry.GetProperty("SecurityClearance").GetString());
        Assert.Equal(ann.Thumbprint, entry.GetProperty("Thumbprint").GetString());
        Assert.Equal(Convert.ToBase64String(ann.RawData), entry.GetProperty("Certificate").GetString());
        Assert.Equal("""{"Orders":"ReadWrite"}""", entry.GetProperty("Permissions").GetRawText());
        Assert.EndsWith("0000000Z", entry.GetProperty("NotAfter").GetString(), StringComparison.Ordinal);
        Assert.Equal(0, entry.GetProperty("CollectionSecondaryKeys").GetArrayLength());
        Assert.NotEmpty(entry.GetProperty("PublicKeyPinningHash").GetString()!);

        Answer metadata = await _server.SendAsync("GET", $"/admin/certificates?thumbprint={ann.Thumbprint}&metadataOnly=true");
        Assert.False(Assert.Single(metadata.Json.GetProperty("Results").EnumerateArray()).TryGetProperty("Certificate", out _));
        Answer named = await _server.SendAsync("GET", "/admin/certificates?metadataOnly=true&name=ann");
        Assert.Single(named.Json.GetProperty("Results").EnumerateArray());
        Answer page = await _server.SendAsync("GET", "/admin/certificates?start=1&pageSize=1");
        Assert.Equal("Ann", Assert.Single(page.Json.GetProperty("Results").EnumerateArray()).GetProperty("Name").GetString());
        Assert.Equal(404, (await _server.SendAsync("GET", "/admin/certificates?thumbprint=AB")).Status);
    }

    [Fact]
    public async Task WhoAmI_EachCaller_IsItsEntry()
    {
        using X509Certificate2 ann = _server.AddUser("Ann", DatabasePermission.Read, "db1");
        JsonElement own = (await _server.SendAsync(ann, "GET", "/certificates/whoami")).Json;
        Assert.Equal("Ann", own.GetProperty("Name").GetString());
        Assert.Equal(ann.Thumbprint, own.GetProperty("Thumbprint").GetString());
        (await _server.SendAsync(null, "GET", "/certificates/whoami")).AssertProblem(
            403, "InvalidAuth", "came without a client certificate", "BEGIN RSA PRIVATE KEY");
    }

    [Fact]
    public async Task Edit_OtherPermissions_HoldForTheNextRequestOfTheSameConnection()
    {
        using X509Certificate2 ann = _server.AddUser("Ann", DatabasePermission.Read, "db1");
        (await _server.SendAsync(ann, "PUT", "/databases/db1/docs?id=a", "{}")).AssertProblem(403, "InvalidAuth", "ReadWrite");
        string edit = $$$"""{"Thumbprint":"{{{ann.Thumbprint}}}","Name":"Anna","SecurityClearance":"ValidUser","Permissions":{"db1":"ReadWrite"}}""";
        Assert.Equal(204, (await _server.SendAsync("POST", "/admin/certificates/edit", edit)).Status);
        Assert.Equal(201, (await _server.SendAsync(ann, "PUT", "/databases/db1/docs?id=a", "{}")).Status);

        // What an edit does not name stays as it is.
        Assert.Equal(204, (await _server.SendAsync("POST", "/admin/certificates/edit", $$"""{"Thumbprint":"{{ann.Thumbprint}}","Name":"Ann B"}""")).Status);
        Assert.Equal(201, (await _server.SendAsync(ann, "PUT", "/databases/db1/docs?id=a", "{}")).Status);
        Assert.Equal("Ann B", _server.Registry.Find(ann.Thumbprint)!.Name);
    }

    [Fact]
    public async Task Delete_Certificate_RefusesTheNextRequestOfTheSameConnection()
    {
        using X509Certificate2 ann = _server.AddUser("Ann", DatabasePermission.Read, "db1");
        Assert.Equal(200, (await _server.SendAsync(ann, "GET", "/databases/db1/stats")).Status);
        Assert.Equal(204, (await _server.SendAsync("DELETE", $"/admin/certificates?thumbprint={ann.Thumbprint}")).Status);
        (await _server.SendAsync(ann, "GET", "/databases/db1/stats")).AssertProblem(403, "InvalidAuth", "'Ann'", "was revoked on");
    }

    /// <summary>A request is judged when it begins, and again when its body has come: an administrator who is revoked in between changes nothing, and cannot
    /// make themselves a new certificate.</summary>
    [Theory]
    [InlineData("PUT", "/admin/certificates", "a certificate")]
    [InlineData("POST", "/admin/certificates", """{"Name":"late","SecurityClearance":"ClusterAdmin"}""")]
    [InlineData("POST", "/admin/certificates/edit", "an edit")]
    [InlineData("POST", "/admin/login-links", "{}")]
    [InlineData("POST", "/admin/metrics-tokens", """{"Name":"late"}""")]
    [InlineData("PUT", "/admin/databases?name=late", """{"DatabaseName":"late"}""")]
    [InlineData("PUT", "/databases/db1/admin/indexes", """{"Indexes":[{"Name":"Late","Maps":["from d in docs select new { d.Name }"]}]}""")]
    [InlineData("POST", "/databases/db1/admin/expiration/config", """{"Disabled":false}""")]
    [InlineData("PUT", "/databases/db1/docs?id=late", """{"Name":"late"}""")]
    [InlineData("POST", "/databases/db1/bulk_docs", """{"Commands":[{"Type":"PUT","Id":"late","Document":{}}]}""")]
    public async Task Request_WhoseCallerIsRevokedBeforeItsBodyHasCome_ChangesNothing(string method, string path, string body)
    {
        using X509Certificate2 boss = _server.Add("Boss", new Grants(Clearance.ClusterAdmin)), ann = _server.AddUser("Ann", DatabasePermission.Read, "db1");
        using X509Certificate2 own = _server.Issue("own");
        string der = Convert.ToBase64String(own.RawData);
        body = body switch
        {
            "a certificate" => $$"""{"Name":"late","SecurityClearance":"ClusterAdmin","Certificate":"{{der}}"}""",
            "an edit" => $$"""{"Thumbprint":"{{ann.Thumbprint}}","SecurityClearance":"ClusterAdmin"}""",
            _ => body,
        };
        string before = await StateAsync();
        var content = new LateContent(body);
        using var request = new HttpRequestMessage(new HttpMethod(method), path) { Content = content };
        Task<HttpResponseMessage> sending = _server.ClientOf(boss).SendAsync(request);
        await content.Begun;
        _server.Registry.Delete(boss.Thumbprint);
        content.SendTheRest();
        Exception? cut = await Record.ExceptionAsync(async () => Assert.Equal(403, (int)(await sending).StatusCode));
        Assert.True(cut is null or HttpRequestException, cut?.ToString());
        Assert.Equal(before, await StateAsync());

        async Task<string> StateAsync() =>
            string.Join('\n', _server.Registry.All.Where(known => known.Name != "Boss").Select(known => $"{known.Name} {known.Grants.Clearance}"))
            + (await _server.SendAsync("GET", "/databases?namesOnly=true")).Text + (await _server.SendAsync("GET", "/admin/metrics-tokens")).Text
            + (await _server.SendAsync("GET", "/admin/databases?name=db1")).Text + (await _server.SendAsync("GET", "/databases/db1/docs?id=late")).Status;
    }

    [Fact]
    public async Task Change_UnknownThumbprint_IsRefused()
    {
        (await _server.SendAsync("DELETE", "/admin/certificates?thumbprint=AB")).AssertProblem(400, "ArgumentException", "'AB'");
        (await _server.SendAsync("DELETE", "/admin/certificates")).AssertProblem(400, "ArgumentException", "'thumbprint' is missing");
        (await _server.SendAsync("POST", "/admin/certificates/edit", """{"Thumbprint":"AB"}""")).AssertProblem(400, "ArgumentException", "'AB'");
        (await _server.SendAsync("POST", "/admin/certificates/edit", "{}")).AssertProblem(400, "ArgumentException", "'Thumbprint' is missing");
        (await _server.SendAsync("POST", "/admin/certificates/renew", """{"Thumbprint":"AB"}""")).AssertProblem(400, "ArgumentException", "'AB'");
        (await _server.SendAsync("GET", "/admin/certificates/export?thumbprint=AB")).AssertProblem(400, "ArgumentException", "'AB'");
    }

    [Fact]
    public async Task LastAdministrator_DeleteAndEdit_AreRefused()
    {
        string thumbprint = Assert.Single(_server.Registry.All).Thumbprint;
        (await _server.SendAsync("DELETE", $"/admin/certificates?thumbprint={thumbprint}")).AssertProblem(
            400, "InvalidOperationException", "the last certificate of a cluster administrator");
        (await _server.SendAsync("POST", "/admin/certificates/edit", $$"""{"Thumbprint":"{{thumbprint}}","SecurityClearance":"Operator"}""")).AssertProblem(
            400, "InvalidOperationException", "the last certificate of a cluster administrator");
    }

    [Fact]
    public async Task Renew_Certificate_GivesANewKeyBesideTheOldOne()
    {
        using X509Certificate2 ann = _server.AddUser("ann", DatabasePermission.Read, "db1");
        var body = new StringContent($$"""{"Thumbprint":"{{ann.Thumbprint}}"}""");
        Dictionary<string, byte[]> files = Unpack(await _server.Server.Client.PostAsync(new Uri("/admin/certificates/renew", UriKind.Relative), body));
        using X509Certificate2 renewed = X509CertificateLoader.LoadPkcs12(files["ann.pfx"], null);
        Assert.NotEqual(ann.GetPublicKeyString(), renewed.GetPublicKeyString());
        Assert.Equal(200, (await _server.SendAsync(renewed, "GET", "/databases/db1/stats")).Status);
        Assert.Equal(200, (await _server.SendAsync(ann, "GET", "/databases/db1/stats")).Status);
    }

    [Fact]
    public async Task Export_ThumbprintOrNone_IsPem()
    {
        using X509Certificate2 ann = _server.AddUser("ann", DatabasePermission.Read, "db1");
        Answer one = await _server.SendAsync("GET", $"/admin/certificates/export?thumbprint={ann.Thumbprint}");
        Assert.Equal(ann.ExportCertificatePem(), one.Text.Trim());
        Answer authority = await _server.SendAsync("GET", "/admin/certificates/export");
        Assert.Equal(_server.Keys.Authority.Certificate.ExportCertificatePem(), authority.Text.Trim());
    }

    [Fact]
    public async Task WhoAmI_SaysByWhatAndUntilWhen()
    {
        using X509Certificate2 ann = _server.AddUser("Ann", DatabasePermission.Read, "db1");
        JsonElement own = (await _server.SendAsync(ann, "GET", "/certificates/whoami")).Json;
        Assert.Equal("Certificate", own.GetProperty("Via").GetString());
        Assert.Equal(ann.NotAfter.ToUniversalTime(), own.GetProperty("Expires").GetDateTime());

        await using ServerFixture open = await ServerFixture.StartAsync();
        JsonElement everyone = (await open.SendAsync("GET", "/certificates/whoami")).Json;
        Assert.Equal("OpenServer", everyone.GetProperty("Via").GetString());
        Assert.False(everyone.TryGetProperty("Expires", out _));
    }

    [Fact]
    public async Task LastUsed_IsShownOnceThereWasAUse_AlsoAfterAnEdit()
    {
        using X509Certificate2 ann = _server.AddUser("Ann", DatabasePermission.Read, "db1");
        string path = $"/admin/certificates?thumbprint={ann.Thumbprint}&metadataOnly=true";
        Assert.False((await EntryAsync(path)).TryGetProperty("LastUsed", out _));
        await _server.SendAsync(ann, "GET", "/databases");
        DateTimeOffset used = (await EntryAsync(path)).GetProperty("LastUsed").GetDateTimeOffset();
        Assert.InRange((_server.Server.Setup.Time.GetUtcNow() - used).TotalMinutes, 0, 5);

        await _server.SendAsync("POST", "/admin/certificates/edit", $$"""{"Thumbprint":"{{ann.Thumbprint}}","SecurityClearance":"Operator"}""");
        Assert.Equal(used, (await EntryAsync(path)).GetProperty("LastUsed").GetDateTimeOffset());
    }

    [Fact]
    public async Task Revoked_ListsThoseThatWereTakenOut()
    {
        using X509Certificate2 ann = _server.AddUser("Ann", DatabasePermission.Read, "db1");
        Assert.Empty((await _server.SendAsync("GET", "/admin/certificates/revoked")).Json.GetProperty("Results").EnumerateArray());
        await _server.SendAsync("DELETE", $"/admin/certificates?thumbprint={ann.Thumbprint}");
        JsonElement one = Assert.Single((await _server.SendAsync("GET", "/admin/certificates/revoked")).Json.GetProperty("Results").EnumerateArray());
        Assert.Equal(("Ann", ann.Thumbprint), (one.GetProperty("Name").GetString(), one.GetProperty("Thumbprint").GetString()));
        Assert.True(one.GetProperty("RevokedAt").GetDateTimeOffset() < one.GetProperty("NotAfter").GetDateTimeOffset());
    }

    [Fact]
    public async Task Server_TellsItsCertificateAndAuthority()
    {
        JsonElement server = (await _server.SendAsync("GET", "/admin/certificates/server")).Json;
        Assert.Equal(_server.Keys.Keys.Current.Thumbprint, server.GetProperty("ServerThumbprint").GetString());
        Assert.Equal(_server.Keys.Authority.Fingerprint, server.GetProperty("AuthorityFingerprint").GetString());
        Assert.Equal(_server.Keys.Authority.Certificate.NotAfter.ToUniversalTime(), server.GetProperty("AuthorityNotAfter").GetDateTime());
        Assert.True(server.GetProperty("IsOwn").GetBoolean());
        Assert.False(server.GetProperty("IsRotating").GetBoolean());
    }

    [Fact]
    public async Task Create_FormatPfx_SendsThePfxAlone()
    {
        using HttpResponseMessage response = await _server.Server.Client.PostAsync(
            new Uri("/admin/certificates?format=pfx", UriKind.Relative), new StringContent("""{"Name":"ann","SecurityClearance":"Operator"}"""));
        Assert.Equal(("application/x-pkcs12", "ann.pfx"),
            (response.Content.Headers.ContentType!.MediaType, response.Content.Headers.ContentDisposition!.FileName!.Trim('"')));
        Assert.True(response.Headers.CacheControl?.NoStore);
        using X509Certificate2 ann = X509CertificateLoader.LoadPkcs12(await response.Content.ReadAsByteArrayAsync(), null);
        Assert.Equal(200, (await _server.SendAsync(ann, "GET", "/databases")).Status);
        (await _server.SendAsync("POST", "/admin/certificates?format=jks", """{"Name":"bob","SecurityClearance":"Operator"}"""))
            .AssertProblem(400, "ArgumentException", "zip or pfx");
        Assert.DoesNotContain(_server.Registry.All, known => known.Name == "bob");
    }

    private async Task<JsonElement> EntryAsync(string path) =>
        Assert.Single((await _server.SendAsync("GET", path)).Json.GetProperty("Results").EnumerateArray());

    [Fact]
    public async Task OpenServer_Certificates_AreNotThere()
    {
        await using ServerFixture open = await ServerFixture.StartAsync();
        (await open.SendAsync("GET", "/admin/certificates")).AssertProblem(400, "InvalidOperationException", "listens on http");
        Assert.Equal("everyone", (await open.SendAsync("GET", "/certificates/whoami")).Json.GetProperty("Name").GetString());
    }

    private async Task<Dictionary<string, byte[]>> CreateAsync(string request) =>
        Unpack(await _server.Server.Client.PostAsync(new Uri("/admin/certificates", UriKind.Relative), new StringContent(request)));

    private static Dictionary<string, byte[]> Unpack(HttpResponseMessage response)
    {
        Assert.Equal(201, (int)response.StatusCode);
        Assert.True(response.Headers.CacheControl?.NoStore);
        using var zip = new ZipArchive(response.Content.ReadAsStream());
        return zip.Entries.ToDictionary(entry => entry.Name, entry =>
        {
            using Stream stream = entry.Open();
            var bytes = new MemoryStream();
            stream.CopyTo(bytes);
            return bytes.ToArray();
        });
    }

    /// <summary>A body whose last byte comes late.</summary>
    private sealed class LateContent(string body) : HttpContent
    {
        private readonly byte[] _bytes = Encoding.UTF8.GetBytes(body);
        private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _rest = new(TaskCreationOptions.RunContinuationsAsynchronously);

        /// <summary>Ends when all but the last byte is on its way, and the server has had time to read it.</summary>
        public Task Begun => _begun.Task;

        public void SendTheRest() => _rest.SetResult();

        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        {
            await stream.WriteAsync(_bytes.AsMemory(0, _bytes.Length - 1));
            await stream.FlushAsync();
            await Task.Delay(TimeSpan.FromMilliseconds(50)); // nothing tells a client that the server waits for the rest
            _begun.SetResult();
            await _rest.Task;
            await stream.WriteAsync(_bytes.AsMemory(_bytes.Length - 1));
        }

        protected override bool TryComputeLength(out long length)
        {
            length = _bytes.Length;
            return true;
        }
    }
}
