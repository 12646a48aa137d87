using Jackdaw.Documents.Callers;
using Jackdaw.Security.Callers;

namespace Jackdaw.Security.Certificates;

/// <summary>The caller of a connection that presented a certificate, known or not.</summary>
/// <remarks>It looks at the list and at the clock each time that it is asked, so that whoever holds it, such as an open websocket, learns of a revocation, a
/// change of grants and an expiry. The match is looked up again only when the list has changed.</remarks>
internal sealed class CertificateCaller(PresentedCertificate presented, CertificateRegistry registry, TimeProvider time) : Caller
{
    private volatile CertificateMatch _match = registry.Match(presented);

    /// <summary>SHA-1 in upper-case hexadecimal digits.</summary>
    public string Thumbprint => presented.Thumbprint;

    /// <summary>The entry of the list by which the caller gets in; null as long as the caller does not get in.</summary>
    public KnownCertificate? Known => Match.At(time.GetUtcNow(), presented) == CertificateStanding.Known ? _match.Entry : null;

    /// <summary>The end of the certificate itself, which may be the renewal of the entry.</summary>
    public DateTimeOffset NotAfter => presented.NotAfter;

    /// <summary>A request came.</summary>
    public void Use() => Known?.Use.Note(time.GetUtcNow());

    public override string Name => $"certificate '{Match.Entry?.Name ?? presented.Subject}' (thumbprint {Thumbprint})";

    private CertificateMatch Match
    {
        get
        {
            CertificateMatch match = _match;
            if (match.Version != registry.Version)
            {
                _match = match = registry.Match(presented);
            }

            return match;
        }
    }

    public override bool May(Access access, ReadOnlySpan<char> database)
    {
        if (access == Access.Anonymous)
        {
            return true;
        }

        CertificateMatch match = Match;
        return match.At(time.GetUtcNow(), presented) == CertificateStanding.Known && match.Entry!.Grants.Include(access, database);
    }

    protected override string Refuse(Access access, string database)
    {
        CertificateMatch match = Match;
        DateTimeOffset now = time.GetUtcNow();
        string shown = $"'{match.Entry?.Name ?? presented.Subject}' (thumbprint {Thumbprint})";
        return match.At(now, presented) switch
        {
            CertificateStanding.Known => $"which certificate {shown} with the clearance {match.Entry!.Grants.Clearance} does not have. "
                + RefusalWords.HowToGrant(match.Entry.Thumbprint, access, database),
            CertificateStanding.Expired => $"and the certificate {shown} expired on {RefusalWords.Show(presented.NotAfter)}. "
                + $"A cluster administrator makes a new one with: jackdaw cert renew {match.Entry!.Thumbprint}",
            CertificateStanding.NotYetValid => $"and the certificate {shown} is valid only from {RefusalWords.Show(presented.NotBefore)} on, while it is "
                + $"{RefusalWords.Show(now)} here. Wait until then, or correct the clock that is wrong.",
            CertificateStanding.Revoked => $"and the certificate '{match.Revocation!.Name}' (thumbprint {Thumbprint}) was revoked on "
                + $"{RefusalWords.Show(match.Revocation.RevokedAt)}. {RefusalWords.HowToCreate(access, database)}",
            CertificateStanding.OtherIssuer => $"and the certificate '{presented.Subject}' (thumbprint {Thumbprint}) has the key of '{match.Entry!.Name}' "
                + $"(thumbprint {match.Entry.Thumbprint}), but another issuer ('{presented.IssuerText}'), so it does not count as its renewal. "
                + RefusalWords.HowToAdd(access, database),
            _ => $"and this server does not know the certificate '{presented.Subject}' (thumbprint {Thumbprint}, issued by '{presented.IssuerText}'). "
                + RefusalWords.HowToAdd(access, database),
        };
    }
}
