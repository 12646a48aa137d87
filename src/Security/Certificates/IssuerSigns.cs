using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security.Keys;

namespace Jackdaw.Security.Certificates;

/// <summary>Checks the signature of a renewed certificate, where the issuer that it names is our own CA.</summary>
internal static class IssuerSigns
{
    /// <summary>Whether the issuer may have made it: it is another one than ours, whose key we do not have, or ours has signed it.</summary>
    public static bool Accepts(PresentedCertificate presented, IReadOnlyList<X509Certificate2> authorities)
    {
        X509Certificate2[] named = [.. authorities.Where(authority => authority.SubjectName.RawData.AsSpan().SequenceEqual(presented.Issuer.Span))];
        if (named.Length == 0)
        {
            // An authority of ours that was replaced signs nothing any more.
            return !presented.IssuerText.StartsWith(AuthorityKey.SubjectPrefix, StringComparison.Ordinal);
        }

        using X509Chain chain = AuthorityChain.Make(named);

        // Times are judged for every request, by the clock of the server.
        chain.ChainPolicy.VerificationFlags = X509VerificationFlags.IgnoreNotTimeValid | X509VerificationFlags.IgnoreNotTimeNested;
        using X509Certificate2 certificate = X509CertificateLoader.LoadCertificate(presented.Der.Span);
        return chain.Build(certificate);
    }
}
