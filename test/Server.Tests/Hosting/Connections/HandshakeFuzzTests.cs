using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Hosting.Connections;

/// <summary>Handshakes whose bytes arrive changed, cut or repeated. With TLS 1.2 the certificate of a client is readable, so that its reader is reached
/// too.</summary>
[Collection(AloneCollection.Name)]
public sealed class HandshakeFuzzTests : IDisposable
{
    private const int QuickRounds = 120;
    private const int FullRounds = 2_000;

    /// <summary>What the server may hold more after the rounds: buffers of pools and compiled code.</summary>
    private const long GrowthBytesMax = 64L << 20;

    /// <summary>A damaged handshake whose server waits for more is given up then.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(0.2);

    private readonly SecuredFolder _folder = new SecuredFolder().WithKeys();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public Task Handshakes_WithDamagedBytes_LeaveTheServerAsItWas() => RunAsync(FuzzSeed.Rounds(QuickRounds));

    [Fact]
    [Trait("Tier", "Full")]
    public Task Handshakes_ManyWithDamagedBytes_LeaveTheServerAsItWas() => RunAsync(FuzzSeed.Rounds(FullRounds));

    private async Task RunAsync(int rounds)
    {
        int first = FuzzSeed.First;
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup);
        using X509Certificate2 administrator = SecuredFolder.ReadAdministrator(_folder.Security);
        long before = 0;
        for (int i = 0; i < rounds; i++)
        {
            await HandshakeAsync(server.Address, administrator, new Random(first + i));
            before = i == rounds / 2 ? GC.GetTotalMemory(forceFullCollection: true) : before;
        }

        await Eventually.IsTrueAsync(() => server.Server.Handshakes == 0, () => $"{server.Server.Handshakes} handshakes still run; the first seed is {first}");
        Assert.True(GC.GetTotalMemory(forceFullCollection: true) - before < GrowthBytesMax, $"the first seed is {first}");
        Assert.Equal(200, (await server.SendAsync("GET", "/databases")).Status);
    }

    private static async Task HandshakeAsync(Uri address, X509Certificate2 certificate, Random random)
    {
        using var client = new TcpClient { NoDelay = true };
        await client.ConnectAsync(address.Host, address.Port);
        using var limit = new CancellationTokenSource(s_patience);
        await using var stream = new SslStream(new DamagingStream(client.GetStream(), random));
        try
        {
            await stream.AuthenticateAsClientAsync(
                new SslClientAuthenticationOptions
                {
                    TargetHost = "127.0.0.1",
                    EnabledSslProtocols = random.Next(2) == 0 ? SslProtocols.Tls12 : SslProtocols.Tls13,
                    RemoteCertificateValidationCallback = (_, _, _, _) => true,
                    LocalCertificateSelectionCallback = (_, _, _, _, _) => certificate,
                },
                limit.Token);
        }
        catch (Exception failure) when (failure is IOException or AuthenticationException or OperationCanceledException)
        {
            // Most do not succeed; how the server refuses them is its own choice.
        }
    }

    /// <summary>Passes bytes on, and damages one of the first writes.</summary>
    private sealed class DamagingStream(Stream inner, Random random) : Stream
    {
        private int _writesLeft = random.Next(3);

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override void Flush() => inner.Flush();

        public override int Read(byte[] buffer, int offset, int count) => inner.Read(buffer, offset, count);

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            inner.ReadAsync(buffer, cancellationToken);

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => inner.Write(Damage(buffer.AsSpan(offset, count)));

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            inner.WriteAsync(Damage(buffer.Span), cancellationToken);

        private byte[] Damage(ReadOnlySpan<byte> written)
        {
            byte[] bytes = written.ToArray();
            if (_writesLeft-- != 0 || bytes.Length == 0)
            {
                return bytes;
            }

            switch (random.Next(4))
            {
                case 0:
                    return bytes[..random.Next(bytes.Length)];
                case 1:
                    return [.. bytes, .. bytes];
                case 2:
                    random.NextBytes(bytes.AsSpan(random.Next(bytes.Length)));
                    return bytes;
                default:
                    for (int i = random.Next(8); i >= 0; i--)
                    {
                        bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
                    }

                    return bytes;
            }
        }
    }
}
