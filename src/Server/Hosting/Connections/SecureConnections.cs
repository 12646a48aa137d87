using System.Buffers;
using System.IO.Pipelines;
using System.Net;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security;
using Jackdaw.Security.Auditing;
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
/// <param name="audit">Records the connections that get no further; null for none.</param>
internal sealed class SecureConnections(TimeProvider time, HandshakeLimits limits, AuditLog? audit = null) : IDisposable
{
    /// <summary>The first byte of a handshake of TLS.</summary>
    private const byte HandshakeRecord = 22;

    private readonly Lock _renewing = new(); // guards writes of _shown
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

    // One at a time, so that the last one shows what is newest.
    private void Renew()
    {
        lock (_renewing)
        {
            _shown = MakeContext(_security!);
        }
    }

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
        IPAddress? address = (connection.RemoteEndPoint as IPEndPoint)?.Address;
        using HandshakeLease lease = _admission.Admit(
            address, () => connection.Abort(new ConnectionAbortedException("Newer connections without a known certificate took its place.")));
        HandshakeEnd end = await BeginAsync(connection, lease).ConfigureAwait(false);
        try
        {
            if (end == HandshakeEnd.None)
            {
                var transport = new CountedTransport(connection.Transport, HandshakeLimits.BytesMax);
                connection.Transport = transport;
                connection.Features.Set(lease);
                connection.Features.Set(transport);
                end = HandshakeEnd.Failed;
                await next(connection).ConfigureAwait(false);
            }
        }
        finally
        {
            if (!lease.IsDone && HandshakeEnds.Describe(end) is { } reason)
            {
                audit?.RefuseConnection(address, reason);
            }
        }
    }

    /// <summary>Waits for the first byte and for a place.</summary>
    /// <returns>Why the connection gets no further.</returns>
    private async Task<HandshakeEnd> BeginAsync(ConnectionContext connection, HandshakeLease lease)
    {
        using var limit = new CancellationTokenSource(HandshakeLimits.Time, _admission.Time);
        HandshakeEnd end;
        try
        {
            end = await JudgeAsync(connection, lease, limit.Token).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is OperationCanceledException or IOException or ConnectionAbortedException)
        {
            end = limit.IsCancellationRequested ? HandshakeEnd.TooLate : HandshakeEnd.Gone;
        }

        if (end is not (HandshakeEnd.None or HandshakeEnd.PlainHttp))
        {
            connection.Abort(new ConnectionAbortedException("The connection began no handshake, or began it too late."));
        }

        return end;
    }

    private async Task<HandshakeEnd> JudgeAsync(ConnectionContext connection, HandshakeLease lease, CancellationToken limit)
    {
        // Not ended by the end of the connection: what it sent before is still there.
        ReadResult read = await connection.Transport.Input.ReadAsync(limit).ConfigureAwait(false);
        byte? first = read.Buffer.IsEmpty ? null : read.Buffer.FirstSpan[0];
        connection.Transport.Input.AdvanceTo(read.Buffer.Start);
        switch (first)
        {
            case null:
                return HandshakeEnd.Gone;
            case HandshakeRecord:
                using (var wait = CancellationTokenSource.CreateLinkedTokenSource(limit, connection.ConnectionClosed))
                {
                    return await lease.BeginAsync(wait.Token).ConfigureAwait(false) ? HandshakeEnd.None : HandshakeEnd.TooMany;
                }

            case { } letter when char.IsAsciiLetterUpper((char)letter):
                await PlainAnswers.SayHttpsAsync(connection, _admission.Time).ConfigureAwait(false);
                return HandshakeEnd.PlainHttp;
            default:
                return HandshakeEnd.NoHandshake;
        }
    }

    private bool Finish(ConnectionContext connection)
    {
        connection.Features.GetRequiredFeature<CountedTransport>().EndHandshake();
        X509Certificate2? certificate = connection.Features.GetRequiredFeature<ITlsConnectionFeature>().ClientCertificate;
        return connection.Features.GetRequiredFeature<HandshakeLease>().TryFinish(certificate is not null && _security!.Knows(certificate));
    }
}
