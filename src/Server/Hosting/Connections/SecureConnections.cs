using System.Buffers;
using System.IO.Pipelines;
using System.Net;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security;
using Jackdaw.Security.Keys;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;

namespace Jackdaw.Server.Hosting.Connections;

/// <summary>TLS of connections: which certificate the server shows, which ones it asks for, and who may begin a handshake.</summary>
/// <remarks>
/// Any certificate of a client passes the handshake, and none too: the list of known ones is asked at each request, whose answer can say what is wrong. Each
/// handshake takes the certificate of the server that is current then, so that a renewal cuts no connection.
/// </remarks>
internal sealed class SecureConnections(TimeProvider time, HandshakeLimits limits) : IDisposable
{
    /// <summary>The first byte of a handshake of TLS.</summary>
    private const byte HandshakeRecord = 22;

    private readonly HandshakeAdmission _admission = new(time, limits);
    private ServerSecurity? _security; // written before the server listens
    private volatile SslStreamCertificateContext? _shown;

    public HandshakeAdmission Admission => _admission;

    /// <summary>Says whose keys are shown. Called before the server listens.</summary>
    public void Serve(ServerSecurity security)
    {
        _security = security;
        Renew();
        security.Keys.Changed += Renew;
        security.Authority.Changed += Renew;
    }

    public void Use(ListenOptions listen)
    {
        listen.Use(next => connection => AcceptAsync(connection, next));
        listen.UseHttps(new TlsHandshakeCallbackOptions
        {
            HandshakeTimeout = HandshakeLimits.Time,
            OnConnection = _ => ValueTask.FromResult(MakeOptions()),
        });
        listen.Use(next => connection => Finish(connection) ? next(connection) : Task.CompletedTask);
    }

    public void Dispose()
    {
        if (_security is { } security)
        {
            security.Keys.Changed -= Renew;
            security.Authority.Changed -= Renew;
        }
    }

    private void Renew() => _shown = MakeContext(_security!);

    // offline: nothing is fetched from addresses in certificates. The names of the trusted authorities are sent, so that browsers offer only certificates
    // that fit.
    private static SslStreamCertificateContext MakeContext(ServerSecurity security)
    {
        ServerCertificate certificate = security.Keys.Certificate;
        var trusted = new X509Certificate2Collection(security.Authority.Trusted.ToArray());
        return SslStreamCertificateContext.Create(
            certificate.Leaf, certificate.Chain, offline: true, SslCertificateTrust.CreateForX509Collection(trusted, sendTrustInHandshake: true));
    }

    private SslServerAuthenticationOptions MakeOptions() => new()
    {
        ServerCertificateContext = _shown,
        EnabledSslProtocols = SslProtocols.Tls12 | SslProtocols.Tls13,
        ApplicationProtocols = [SslApplicationProtocol.Http11],
        ClientCertificateRequired = true, // asked for; the callback lets none pass too
#pragma warning disable CA5359 // The list of known certificates judges them, at each request.
        RemoteCertificateValidationCallback = static (_, _, _, _) => true,
#pragma warning restore CA5359
        CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
        CertificateChainPolicy = new X509ChainPolicy
        {
            // The chain is not asked about, so that a stranger's certificate must cost nothing: no downloads, no store of the system.
            DisableCertificateDownloads = true,
            RevocationMode = X509RevocationMode.NoCheck,
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            VerificationFlags = X509VerificationFlags.AllFlags,
        },
    };

    private async Task AcceptAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        using HandshakeLease lease = _admission.Admit(
            (connection.RemoteEndPoint as IPEndPoint)?.Address,
            () => connection.Abort(new ConnectionAbortedException("Newer connections without a known certificate took its place.")));
        if (await BeginAsync(connection, lease).ConfigureAwait(false))
        {
            var transport = new CountedTransport(connection.Transport, HandshakeLimits.BytesMax);
            connection.Transport = transport;
            connection.Features.Set(lease);
            connection.Features.Set(transport);
            await next(connection).ConfigureAwait(false);
        }
    }

    /// <summary>Waits for the first byte and for a place.</summary>
    /// <returns>False when the connection gets no further.</returns>
    private async Task<bool> BeginAsync(ConnectionContext connection, HandshakeLease lease)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(connection.ConnectionClosed);
        using ITimer timer = _admission.Time.CreateTimer(
            static source => ((CancellationTokenSource)source!).Cancel(), limit, HandshakeLimits.Time, Timeout.InfiniteTimeSpan);
        try
        {
            ReadResult read = await connection.Transport.Input.ReadAsync(limit.Token).ConfigureAwait(false);
            byte? first = read.Buffer.IsEmpty ? null : read.Buffer.FirstSpan[0];
            connection.Transport.Input.AdvanceTo(read.Buffer.Start);
            if (first == HandshakeRecord && await lease.BeginAsync(limit.Token).ConfigureAwait(false))
            {
                return true;
            }

            if (first is { } letter && char.IsAsciiLetterUpper((char)letter))
            {
                await PlainAnswers.SayHttpsAsync(connection, _admission.Time).ConfigureAwait(false);
                return false;
            }
        }
        catch (Exception failure) when (failure is OperationCanceledException or IOException or ConnectionAbortedException)
        {
            // Too slow, or gone.
        }

        connection.Abort(new ConnectionAbortedException("The connection began no handshake, or began it too late."));
        return false;
    }

    private bool Finish(ConnectionContext connection)
    {
        connection.Features.GetRequiredFeature<CountedTransport>().EndHandshake();
        X509Certificate2? certificate = connection.Features.GetRequiredFeature<ITlsConnectionFeature>().ClientCertificate;
        return connection.Features.GetRequiredFeature<HandshakeLease>().TryFinish(certificate is not null && _security!.Knows(certificate));
    }
}
