using System.Security.Cryptography.X509Certificates;

namespace Jackdaw.Security.Keys;

/// <summary>Chains of certificates up to authorities that are named, instead of those of the system.</summary>
internal static class AuthorityChain
{
    /// <summary>Makes a chain for one certificate. Nothing is fetched from addresses in certificates, which a stranger may have chosen.</summary>
    public static X509Chain Make(params X509Certificate2[] trusted)
    {
        var chain = new X509Chain();
        chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        chain.ChainPolicy.CustomTrustStore.AddRange(trusted);
        chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        chain.ChainPolicy.DisableCertificateDownloads = true;
        return chain;
    }
}
