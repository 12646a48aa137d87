using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Jackdaw.Security.Keys;

/// <summary>The server's own certificate authority. It signs the certificate of the server and those of clients; whether a client gets in, the list of known
/// certificates decides.</summary>
/// <remarks>
/// Any thread. A rotation has two steps: from its begin on, new certificates of clients come from a new authority, and the server still shows a certificate
/// of the previous one, which all clients trust. In the meantime clients get <c>ca.pem</c>, which has both. Its end removes the previous one.
/// </remarks>
internal sealed class CertificateAuthority : IDisposable
{
    private readonly SecurityFolder _folder;
    private readonly TimeProvider _time;
    private readonly Lock _changing = new(); // guards changes of _pair and their files
    private volatile Pair _pair;

    private CertificateAuthority(SecurityFolder folder, TimeProvider time, Pair pair)
    {
        _folder = folder;
        _time = time;
        _pair = pair;
    }

    /// <summary>Is raised after a rotation has begun or ended, on the thread that asked for it.</summary>
    public event Action? Changed;

    /// <summary>Without its private key.</summary>
    public X509Certificate2 Certificate => _pair.Current.Certificate;

    /// <summary>The authority that is being replaced; null unless a rotation has begun.</summary>
    public X509Certificate2? Previous => _pair.Previous?.Certificate;

    /// <summary>The authorities whose certificates are trusted, the current one first.</summary>
    public IReadOnlyList<X509Certificate2> Trusted => _pair.Trusted;

    /// <summary>SHA-256 of the certificate, as <c>openssl x509 -fingerprint -sha256</c> shows it.</summary>
    public string Fingerprint => string.Join(':', Certificate.GetCertHash(HashAlgorithmName.SHA256).Select(part => part.ToString("X2")));

    /// <summary>Whether the folder has an authority.</summary>
    public static bool Exists(SecurityFolder folder) => File.Exists(folder.AuthorityKey);

    /// <summary>Makes a new authority, which <see cref="Save"/> keeps.</summary>
    public static CertificateAuthority Create(SecurityFolder folder, TimeProvider time) => new(folder, time, new Pair(AuthorityKey.Create(time), null));

    /// <summary>Reads the authority of a folder.</summary>
    /// <exception cref="KeyFileException">Its files are missing or damaged.</exception>
    public static CertificateAuthority Open(SecurityFolder folder, TimeProvider time)
    {
        AuthorityKey current = Read(folder.AuthorityKey)
            ?? throw new KeyFileException($"'{folder.AuthorityKey}' does not exist: start the server with an https address once, which makes it.");
        AuthorityKey? previous = Read(folder.PreviousAuthorityKey);
        var authority = new CertificateAuthority(folder, time, new Pair(current, null));
        if (previous is not null && !previous.Certificate.Equals(current.Certificate))
        {
            authority._pair = new Pair(current, previous);
        }

        authority.WriteTrusted(); // a power cut in the middle of a rotation may have left the old text
        return authority;
    }

    /// <summary>Writes the key and <c>ca.pem</c>, the key last: when it exists, everything else of the first start does.</summary>
    public void Save()
    {
        WriteTrusted();
        ProtectedFiles.WriteAll(_folder.AuthorityKey, _pair.Current.ToPem());
    }

    /// <summary>The certificates that clients trust, in PEM: what <c>ca.pem</c> has.</summary>
    public byte[] ToPem() => Encoding.ASCII.GetBytes(string.Concat(Trusted.Select(trusted => trusted.ExportCertificatePem() + "\n")));

    /// <summary>Signs a certificate of a client, with a random serial number.</summary>
    public X509Certificate2 Sign(CertificateRequest request, DateTimeOffset notBefore, DateTimeOffset notAfter) =>
        _pair.Current.Sign(request, notBefore, notAfter);

    /// <summary>Signs a certificate of the server: by the authority that all clients trust already.</summary>
    public X509Certificate2 SignServer(CertificateRequest request, DateTimeOffset notBefore, DateTimeOffset notAfter) =>
        ServerIssuer.Sign(request, notBefore, notAfter);

    /// <summary>The end of the authority that signs certificates of the server.</summary>
    public DateTimeOffset ServerIssuerEnd => new(ServerIssuer.Certificate.NotAfter);

    /// <summary>Whether the authority that signs certificates of the server has signed this one.</summary>
    public bool IsServerIssuer(X509Certificate2 certificate) =>
        certificate.IssuerName.RawData.AsSpan().SequenceEqual(ServerIssuer.Certificate.SubjectName.RawData);

    // Nobody trusts the previous one any more when it has expired.
    private AuthorityKey ServerIssuer
    {
        get
        {
            Pair pair = _pair;
            return pair.Previous is { } previous && new DateTimeOffset(previous.Certificate.NotAfter) > _time.GetUtcNow() ? previous : pair.Current;
        }
    }

    /// <summary>Makes a new authority, and trusts the previous one beside it.</summary>
    /// <exception cref="InvalidOperationException">A rotation has begun already.</exception>
    public void BeginRotation()
    {
        lock (_changing)
        {
            Pair old = _pair;
            if (old.Previous is not null)
            {
                throw new InvalidOperationException("A rotation of the certificate authority has begun already; finish it first.");
            }

            // A power cut after the first write leaves one authority under both names, which does not count as a rotation.
            AuthorityKey next = AuthorityKey.Create(_time);
            ProtectedFiles.WriteAll(_folder.PreviousAuthorityKey, old.Current.ToPem());
            ProtectedFiles.WriteAll(_folder.AuthorityKey, next.ToPem());
            _pair = new Pair(next, old.Current);
            Tell();
        }
    }

    /// <summary>Forgets the previous authority.</summary>
    /// <exception cref="InvalidOperationException">No rotation has begun.</exception>
    public void FinishRotation()
    {
        lock (_changing)
        {
            Pair old = _pair;
            if (old.Previous is null)
            {
                throw new InvalidOperationException("No rotation of the certificate authority has begun, so that it cannot be finished.");
            }

            // The old key is not disposed: a request that has just taken it may still sign with it.
            ProtectedFiles.Delete(_folder.PreviousAuthorityKey);
            _pair = new Pair(old.Current, null);
            Tell();
        }
    }

    public void Dispose()
    {
        Pair pair = _pair;
        pair.Current.Dispose();
        pair.Previous?.Dispose();
    }

    private static AuthorityKey? Read(string path) => ProtectedFiles.ReadAll(path) is { } pem ? AuthorityKey.Read(pem, path) : null;

    // What has changed is shown even if ca.pem cannot be written; the next start writes it.
    private void Tell()
    {
        try
        {
            WriteTrusted();
        }
        finally
        {
            Changed?.Invoke();
        }
    }

    private void WriteTrusted()
    {
        byte[] text = ToPem();
        if (ProtectedFiles.ReadAll(_folder.Authority) is not { } written || !written.AsSpan().SequenceEqual(text))
        {
            ProtectedFiles.WriteAll(_folder.Authority, text);
        }
    }

    private sealed class Pair(AuthorityKey current, AuthorityKey? previous)
    {
        public AuthorityKey Current { get; } = current;

        public AuthorityKey? Previous { get; } = previous;

        public IReadOnlyList<X509Certificate2> Trusted { get; } =
            previous is null ? [current.Certificate] : [current.Certificate, previous.Certificate];
    }
}
