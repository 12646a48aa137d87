using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Server.Hosting.Connections;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Hosting.Connections;

public sealed class HandshakeTests : IAsyncLifetime, IDisposable
{
    private const byte AlertRecord = 21;
    private const byte ProtocolVersionAlert = 70;
    private const byte HandshakeFailureAlert = 40;

    private readonly SecuredFolder _folder = new SecuredFolder().WithKeys();
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync(_folder.Setup);

    public async Task DisposeAsync() => await _server.DisposeAsync();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Request_OfTheAdministrator_IsAnsweredOverHttps()
    {
        Assert.StartsWith("https://127.0.0.1:", _server.Server.Address, StringComparison.Ordinal);
        Assert.Equal(200, (await _server.SendAsync("GET", "/databases")).Status);
    }

    [Fact]
    public async Task Handshake_WithoutAndWithAnyCertificate_Succeeds()
    {
        using var authority = new SampleAuthority("elsewhere");
        using X509Certificate2 foreign = authority.Issue("stranger");
        foreach (X509Certificate2? certificate in (X509Certificate2?[])[null, foreign])
        {
            using HttpClient client = _server.MakeClient(certificate);
            Assert.Equal(200, (await Answer.ToAsync(client, "GET", "/health/live", null)).Status);
        }
    }

    /// <summary>Browsers then offer only certificates that fit.</summary>
    [Fact]
    public async Task Handshake_RequestForACertificate_NamesOurAuthority()
    {
        string[] issuers = [];
        await using SslStream stream = await ConnectAsync(new SslClientAuthenticationOptions
        {
            LocalCertificateSelectionCallback = (_, _, _, _, acceptable) =>
            {
                issuers = acceptable;
                return null!;
            },
        });
        Assert.Contains(_server.Server.Security!.Authority.Certificate.Subject, issuers);
    }

    [Theory]
    [InlineData(SslProtocols.Tls12)]
    [InlineData(SslProtocols.Tls13)]
    public async Task Handshake_CurrentVersion_IsTaken(SslProtocols version)
    {
        await using SslStream stream = await ConnectAsync(new SslClientAuthenticationOptions { EnabledSslProtocols = version });
        Assert.Equal(version, stream.SslProtocol);
    }

    /// <summary>The client of the test's own system refuses old versions itself, so that the bytes are written here.</summary>
    [Theory]
    [InlineData(0)] // SSL 3
    [InlineData(1)] // TLS 1.0
    [InlineData(2)] // TLS 1.1
    public async Task Handshake_OldVersion_IsRefusedByAnAlert(byte minor)
    {
        using TcpClient client = await ConnectSocketAsync();
        await client.GetStream().WriteAsync(MakeHello(minor));
        byte[] answer = new byte[7];
        await client.GetStream().ReadExactlyAsync(answer);
        Assert.Equal(AlertRecord, answer[0]);
        Assert.True(answer[6] is ProtocolVersionAlert or HandshakeFailureAlert, $"alert {answer[6]}");
    }

    [Theory]
    [InlineData("GET / HTTP/1.1\r\nHost: a\r\n\r\n")]
    [InlineData("POST /databases/db1/bulk_docs HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n{")]
    public async Task PlainHttp_ToThePortOfHttps_IsAnsweredWithOneSentence(string request)
    {
        using var connection = new RawConnection(_server.Address);
        await connection.SendAsync(request);
        string answer = await connection.ReadToEndAsync();
        Assert.StartsWith("HTTP/1.1 400 Bad Request\r\n", answer, StringComparison.Ordinal);
        Assert.EndsWith("\r\n\r\nThis port speaks https only: write https:// instead of http:// in the address.\n", answer, StringComparison.Ordinal);
    }

    /// <summary>A line says why a connection got no further; one that only asked whether the port is open is none.</summary>
    [Theory]
    [InlineData("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "plain http on a port of https")]
    [InlineData("lower case", "no handshake")]
    [InlineData("\u0016\u0003\u0001\0\u0005hello", "the handshake failed")]
    [InlineData("", null)]
    public async Task Connection_ThatGetsNoFurther_IsInTheAuditLog(string bytes, string? reason)
    {
        using (var connection = new RawConnection(_server.Address))
        {
            await connection.SendAsync(bytes);
            connection.Shutdown();
            await connection.ReadToEndAsync();
        }

        await Eventually.IsTrueAsync(() => _server.Server.Handshakes == 0);
        if (reason is null)
        {
            Assert.Equal("", ReadAudit());
            return;
        }

        string line = $"\"from\":\"127.0.0.1\",\"details\":{{\"reason\":\"{reason}\"}}";
        await Eventually.IsTrueAsync(() => ReadAudit().Contains(line, StringComparison.Ordinal), ReadAudit);
    }

    private string ReadAudit()
    {
        string folder = _folder.Security.Audit;
        return Directory.Exists(folder) ? string.Concat(Directory.GetFiles(folder).Select(File.ReadAllText)) : "";
    }

    [Theory]
    [InlineData("\0\0\0\0")]
    [InlineData("lower case")]
    [InlineData("\u0016\u0003\u0001")] // the begin of a handshake, and its end
    public async Task Bytes_ThatAreNoHandshake_AreClosedWithoutAnAnswer(string bytes)
    {
        using var connection = new RawConnection(_server.Address);
        await connection.SendAsync(bytes);
        connection.Shutdown();
        Assert.Equal("", await connection.ReadToEndAsync());
    }

    [Fact]
    public async Task Connection_ThatSendsNothing_IsClosedAfterTheTimeOfAHandshake()
    {
        var time = new ManualTime();
        using var folder = new SecuredFolder();
        await using ServerFixture server = await ServerFixture.StartAsync(folder.Setup with { Time = time });
        using var connection = new RawConnection(server.Address);
        await Eventually.IsTrueAsync(() => server.Server.Handshakes == 1, () => "no connection is counted");
        time.Advance(HandshakeLimits.Time);
        Assert.Equal("", await connection.ReadToEndAsync());
        await Eventually.IsTrueAsync(() => server.Server.Handshakes == 0, () => "the connection is still counted");
    }

    /// <summary>With TLS 1.3 a client sends its request right behind its last part of the handshake.</summary>
    [Fact]
    public async Task Request_LargeRightBehindTheHandshake_IsNoHandshake()
    {
        string text = new('x', 4 << 20);
        for (int i = 0; i < 8; i++)
        {
            using HttpClient client = _server.MakeClient(SecuredFolder.ReadAdministrator(_folder.Security));
            Assert.Equal(201, (await Answer.ToAsync(client, "PUT", $"/databases/db1/docs?id=a/{i}", $$"""{"Text":"{{text}}"}""")).Status);
        }
    }

    /// <summary>Ordinary certificates have 1 KB.</summary>
    [Theory]
    [InlineData(64 << 10)]
    [InlineData(10 << 20)]
    public async Task Handshake_HugeCertificate_IsCut(int bytes)
    {
        using X509Certificate2 huge = MakeHuge(bytes);
        Exception? failure = await Record.ExceptionAsync(async () =>
        {
            await using SslStream stream = await ConnectAsync(new SslClientAuthenticationOptions
            {
                ClientCertificateContext = SslStreamCertificateContext.Create(huge, null, offline: true),
            });
            await stream.WriteAsync("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"u8.ToArray());
            Assert.Equal(0, await stream.ReadAsync(new byte[100]));
        });
        Assert.True(failure is null or IOException or AuthenticationException, failure?.ToString());
        Assert.Equal(200, (await _server.SendAsync("GET", "/health/live")).Status);
    }

    private static X509Certificate2 MakeHuge(int bytes)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=huge", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509Extension("1.2.3.4", new byte[bytes], critical: false));
        return request.CreateSelfSigned(SampleAuthority.Start, SampleAuthority.End);
    }

    private static byte[] MakeHello(byte minor)
    {
        byte[] suites = [0xC0, 0x0A, 0xC0, 0x09, 0xC0, 0x13, 0xC0, 0x14, 0x00, 0x2F, 0x00, 0x35];
        byte[] body = [3, minor, .. new byte[32], 0, 0, (byte)suites.Length, .. suites, 1, 0, 0, 0];
        byte[] message = [1, 0, 0, (byte)body.Length, .. body];
        return [22, 3, minor, 0, (byte)message.Length, .. message];
    }

    private async Task<TcpClient> ConnectSocketAsync()
    {
        var client = new TcpClient { ReceiveTimeout = 30_000 };
        await client.ConnectAsync(_server.Address.Host, _server.Address.Port);
        return client;
    }

    private async Task<SslStream> ConnectAsync(SslClientAuthenticationOptions options)
    {
        TcpClient client = await ConnectSocketAsync();
        var stream = new SslStream(client.GetStream());
        options.TargetHost = "127.0.0.1";
        options.RemoteCertificateValidationCallback = (_, _, _, _) => true;
        await stream.AuthenticateAsClientAsync(options);
        return stream;
    }
}
