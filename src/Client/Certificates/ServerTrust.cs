using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Jackdaw.Client.Certificates;

/// <summary>Judges the certificates of servers.</summary>
/// <param name="only">The authorities that are trusted, instead of those of the system. Empty: those of the system.</param>
/// <param name="also">Authorities that are trusted beside those of the system.</param>
internal sealed class ServerTrust(IReadOnlyList<X509Certificate2> only, IReadOnlyList<X509Certificate2> also, TimeProvider time)
{
    /// <summary>The purpose that a server's certificate must have.</summary>
    private static readonly Oid s_serverAuthentication = new("1.3.6.1.5.5.7.3.1");

    /// <summary>What a chain has whose authority is not trusted. The signature is wrong if a trusted one has the name of the issuer.</summary>
    private const X509ChainStatusFlags UnknownAuthority =
        X509ChainStatusFlags.UntrustedRoot | X509ChainStatusFlags.PartialChain | X509ChainStatusFlags.NotSignatureValid;

    /// <summary>The policy of connections; null for that of the system.</summary>
    public X509ChainPolicy? Policy => only.Count > 0 ? PolicyOf(only) : null;

    /// <summary>Accepts or refuses the certificate of a connection.</summary>
    /// <exception cref="UntrustedServerException">It is refused. The request that needs the connection fails with this cause.</exception>
    public bool Verify(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (certificate is not X509Certificate2 own || errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable))
        {
            throw new UntrustedServerException("The server has sent no certificate.");
        }

        // The time and the authority come first: without them a name says nothing.
        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateChainErrors) && !IsTrustedBesides(own, chain))
        {
            throw new UntrustedServerException(
                CertificateText.TimeProblemOf(own, time.GetUtcNow()) is { } problem
                ? $"The server's certificate {CertificateText.Of(own)} is refused: {problem}. Is the clock of this machine right?"
                : $"The server's certificate {CertificateText.Of(own)} is refused: {ReasonOf(own, chain)}");
        }

        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch))
        {
            throw new UntrustedServerException(
                $"The server's certificate {CertificateText.Of(own)} is not for the name '{(sender as SslStream)?.TargetHostName}', but for " +
                $"{NamesOf(own)}. Use one of these in the address, or add the name to the server's setting Security.Certificate.Names.");
        }

        return true;
    }

    private bool IsTrustedBesides(X509Certificate2 certificate, X509Chain? chain)
    {
        if (also.Count == 0)
        {
            return false;
        }

        using var own = new X509Chain { ChainPolicy = PolicyOf(also) };
        own.ChainPolicy.ApplicationPolicy.Add(s_serverAuthentication);
        own.ChainPolicy.ExtraStore.AddRange(chain?.ChainPolicy.ExtraStore ?? []);
        return own.Build(certificate);
    }

    // Nobody publishes revocations of an authority of one's own, and nothing is fetched to judge a certificate.
    private static X509ChainPolicy PolicyOf(IReadOnlyList<X509Certificate2> authorities)
    {
        var policy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
            DisableCertificateDownloads = true,
        };
        policy.CustomTrustStore.AddRange(authorities.ToArray());
        return policy;
    }

    private string ReasonOf(X509Certificate2 certificate, X509Chain? chain)
    {
        X509ChainStatusFlags status = chain?.ChainStatus.Aggregate(X509ChainStatusFlags.NoError, (all, one) => all | one.Status) ?? default;
        if ((status & UnknownAuthority) == 0)
        {
            return string.Join(" ", chain?.ChainStatus.Select(one => one.StatusInformation.Trim()) ?? []);
        }

        // A trusted authority of the same name does not belong to the chain, although it seems to be.
        X509Certificate2 last = (status & X509ChainStatusFlags.NotSignatureValid) != 0 ? certificate
            : chain!.ChainElements.LastOrDefault()?.Certificate ?? certificate;
        string issuer = last.SubjectName.RawData.AsSpan().SequenceEqual(last.IssuerName.RawData)
            ? CertificateText.OfAuthority(last)
            : $"'{last.Issuer}'";
        X509Certificate2[] trusted = [.. only, .. also];
        string known = trusted.Length == 0 ? "This machine does not trust that authority."
            : $"This store trusts {string.Join(" and ", trusted.Select(CertificateText.OfAuthority))}" +
                $"{(only.Count > 0 ? "" : ", and what this machine trusts")}.";
        string sameName = trusted.Any(one => one.Subject == last.Issuer) ? " One has the same name, but another key." : "";
        return $"it was issued by {issuer}. {known}{sameName} Give the store the ca.pem of the server as TrustedAuthoritiesFile.";
    }

    private static string NamesOf(X509Certificate2 certificate)
    {
        X509SubjectAlternativeNameExtension? names = certificate.Extensions.OfType<X509SubjectAlternativeNameExtension>().FirstOrDefault();
        string[] all = names is null ? [] : [.. names.EnumerateDnsNames(), .. names.EnumerateIPAddresses().Select(address => address.ToString())];
        return all.Length == 0 ? "no name" : string.Join(", ", all);
    }
}
