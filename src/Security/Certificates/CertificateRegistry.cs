using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Json.Refusals;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Keys;

namespace Jackdaw.Security.Certificates;

/// <summary>The list of certificates that the server knows: who gets in, and with which grants.</summary>
/// <remarks>
/// 1. A certificate is known when it is an entry, byte for byte, or has the public key and the issuer of one (a renewal). A chain alone opens nothing.
/// 2. Where the issuer is our own CA, a renewal must carry its signature: the name of an issuer can be written by anybody who has the key.
/// 3. A change is durable before it is published, and published before its call returns. Any thread reads without a lock.
/// 4. At least one cluster administrator who can get in stays in the list.
/// </remarks>
internal sealed class CertificateRegistry
{
    /// <summary>The most entries: each costs about 2 KB in a file that every change writes as a whole.</summary>
    public const int CertificatesMax = 10_000;

    /// <summary>The most characters of a name, which stands in every refusal and every line of the audit.</summary>
    public const int NameLengthMax = 256;

    private readonly Action<byte[]> _store;
    private readonly TimeProvider _time;
    private readonly Lock _writing = new(); // one change at a time; guards nothing that readers see
    private volatile CertificateList _list;

    /// <param name="list">What it begins with.</param>
    /// <param name="store">Makes a text durable in place of the last one, or throws and leaves the last one.</param>
    /// <param name="time">The clock that judges times of certificates.</param>
    public CertificateRegistry(CertificateList list, Action<byte[]> store, TimeProvider time)
    {
        _store = store;
        _time = time;
        _list = list;
    }

    /// <summary>Opens the list of a folder of keys.</summary>
    /// <exception cref="KeyFileException">Its file cannot be read.</exception>
    public static CertificateRegistry Open(
        SecurityFolder folder, CertificateAuthority authority, TimeProvider time, IReadOnlyCollection<string> wellKnownAdministrators)
    {
        string path = folder.KnownCertificates;
        try
        {
            CertificateList list = ProtectedFiles.ReadAll(path) is { } text ? CertificateListText.Read(text) : CertificateList.Empty;
            return new CertificateRegistry(list, next => ProtectedFiles.WriteAll(path, next), time)
            {
                Authorities = () => authority.Trusted,
                WellKnownAdministrators = wellKnownAdministrators,
            };
        }
        catch (InvalidDataException bad)
        {
            throw new KeyFileException($"'{path}': {bad.Message}", bad);
        }
    }

    /// <summary>The certificates of our own CA, with the one before it while both are trusted.</summary>
    public Func<IReadOnlyList<X509Certificate2>> Authorities { get; init; } = static () => [];

    /// <summary>Thumbprints (SHA-1 or SHA-256) of administrators by configuration, who need no entry.</summary>
    public IReadOnlyCollection<string> WellKnownAdministrators { get; init; } = [];

    /// <summary>In the order in which they came.</summary>
    public IReadOnlyList<KnownCertificate> All => _list.All;

    /// <summary>Those that were taken out and have not expired, in the order in which they were taken out.</summary>
    public IReadOnlyList<RevokedCertificate> Revoked => _list.Revoked;

    /// <summary>Grows with every change.</summary>
    public long Version => _list.Version;

    /// <summary>The entry that lets a certificate in now; null when no entry does, or the time of the certificate is over or has not begun.</summary>
    public KnownCertificate? Find(X509Certificate2 certificate)
    {
        if (PresentedCertificate.TryRead(certificate) is not { } presented)
        {
            return null;
        }

        CertificateMatch match = Match(presented);
        return match.At(_time.GetUtcNow(), presented) == CertificateStanding.Known ? match.Entry : null;
    }

    /// <summary>Finds an entry by its thumbprint, in any casing; null when there is none.</summary>
    public KnownCertificate? Find(string thumbprint) => _list.Find(thumbprint);

    /// <summary>What the list says of a certificate, without regard to the time.</summary>
    public CertificateMatch Match(PresentedCertificate presented)
    {
        CertificateList list = _list;
        if (list.Find(presented.Thumbprint) is { } same && same.Der.Span.SequenceEqual(presented.Der.Span))
        {
            return new CertificateMatch(list.Version, CertificateStanding.Known, same);
        }

        if (IsWellKnown(presented))
        {
            return new CertificateMatch(list.Version, CertificateStanding.Known, WellKnown(presented));
        }

        if (list.FindRevoked(presented.Thumbprint) is { } revoked)
        {
            return new CertificateMatch(list.Version, CertificateStanding.Revoked, Revocation: revoked);
        }

        ReadOnlySpan<KnownCertificate> ofKey = list.OfKey(presented.PublicKeyPinningHash);
        foreach (KnownCertificate known in ofKey)
        {
            if (known.Issuer.Span.SequenceEqual(presented.Issuer.Span) && IssuerSigns.Accepts(presented, Authorities()))
            {
                return new CertificateMatch(list.Version, CertificateStanding.Known, known);
            }
        }

        return ofKey.IsEmpty
            ? new CertificateMatch(list.Version, CertificateStanding.Unknown)
            : new CertificateMatch(list.Version, CertificateStanding.OtherIssuer, ofKey[0]);
    }

    /// <summary>Adds an entry, or replaces that of the same certificate.</summary>
    /// <param name="demand">Throws when the caller may not change the list (any more). Asked when no other change can come between.</param>
    /// <param name="renewed">The entry whose name and grants the new one takes; null when it is not a renewal.</param>
    /// <exception cref="RefusedException">The name is too long, the list is full, the last administrator would lose the clearance, or the renewed entry was
    /// changed or revoked since it was read.</exception>
    public void Put(KnownCertificate known, Action? demand = null, KnownCertificate? renewed = null)
    {
        CheckName(known.Name);
        Change(demand, list =>
        {
            if (renewed is not null)
            {
                CheckUnchanged(list, renewed);
            }

            KnownCertificate? same = list.Find(known.Thumbprint);
            if (same is null && list.All.Count >= CertificatesMax)
            {
                throw new RefusedException(
                    RefusalKind.NotPossible, $"The list holds {CertificatesMax} certificates, the most that it can; revoke those that nobody uses.");
            }

            KnownCertificate[] all = same is null ? [.. list.All, known] : Replace(list, same, known);
            return new CertificateList(list.Version + 1, all, [.. list.Revoked.Where(one => one.Thumbprint != known.Thumbprint)]);
        });
    }

    /// <summary>Gives an entry another name and other grants. Returns the entry from before, or null when no entry has the thumbprint.</summary>
    /// <exception cref="RefusedException">The name is too long, or the last administrator would lose the clearance.</exception>
    public KnownCertificate? Edit(string thumbprint, string name, Grants grants)
    {
        KnownCertificate? old = Find(thumbprint);
        if (old is not null)
        {
            Edit(old, name, grants);
        }

        return old;
    }

    /// <summary>Gives an entry another name and other grants.</summary>
    /// <param name="old">The entry as it was read.</param>
    /// <param name="demand">As for <see cref="Put"/>.</param>
    /// <exception cref="RefusedException">The name is too long, the last administrator would lose the clearance, or the entry was changed or revoked since it
    /// was read: what the caller left as it was may not be right any more.</exception>
    public void Edit(KnownCertificate old, string name, Grants grants, Action? demand = null)
    {
        CheckName(name);
        Change(demand, list =>
        {
            CheckUnchanged(list, old);
            return new CertificateList(list.Version + 1, Replace(list, old, old with { Name = name, Grants = grants }), list.Revoked);
        });
    }

    /// <summary>Takes an entry out. Returns it, or null when no entry has the thumbprint.</summary>
    /// <param name="demand">As for <see cref="Put"/>.</param>
    /// <exception cref="RefusedException">It is the last administrator.</exception>
    public KnownCertificate? Delete(string thumbprint, Action? demand = null)
    {
        KnownCertificate? old = null;
        Change(demand, list =>
        {
            old = list.Find(thumbprint);
            if (old is null)
            {
                return list;
            }

            var revoked = new RevokedCertificate(old.Thumbprint, old.Name, old.NotAfter, _time.GetUtcNow());
            return new CertificateList(list.Version + 1, [.. list.All.Where(known => known != old)], [.. list.Revoked, revoked]);
        });
        return old;
    }

    private void Change(Action? demand, Func<CertificateList, CertificateList> change)
    {
        lock (_writing)
        {
            demand?.Invoke();
            CertificateList list = _list;
            CertificateList next = change(list);
            if (ReferenceEquals(next, list))
            {
                return;
            }

            DateTimeOffset now = _time.GetUtcNow();
            if (list.HasAdministrator(now) && !next.HasAdministrator(now))
            {
                throw new RefusedException(
                    RefusalKind.InvalidOperation,
                    "This is the last certificate of a cluster administrator, and without one nobody could change the list any more; "
                    + "make another one first: jackdaw cert create --clearance=ClusterAdmin");
            }

            // An expired certificate is refused for its time, so nothing is lost when its revocation is forgotten.
            next = new CertificateList(next.Version, next.All, [.. next.Revoked.Where(one => one.NotAfter >= now)]);
            _store(CertificateListText.Write(next));
            _list = next;
        }
    }

    private static void CheckUnchanged(CertificateList list, KnownCertificate read)
    {
        if (!ReferenceEquals(list.Find(read.Thumbprint), read))
        {
            throw new RefusedException(
                RefusalKind.Conflict,
                $"The certificate '{read.Name}' (thumbprint {read.Thumbprint}) was changed or revoked by somebody else in this moment; "
                + "look at it again, and repeat the request.");
        }
    }

    private bool IsWellKnown(PresentedCertificate presented) =>
        WellKnownAdministrators.Count > 0
        && (WellKnownAdministrators.Contains(presented.Thumbprint, StringComparer.OrdinalIgnoreCase)
            || WellKnownAdministrators.Contains(Convert.ToHexString(SHA256.HashData(presented.Der.Span)), StringComparer.OrdinalIgnoreCase));

    private static KnownCertificate WellKnown(PresentedCertificate presented) => KnownCertificate.From(
        presented, $"Security.WellKnownCertificates.Admin: {presented.Subject}", new Grants(Clearance.ClusterAdmin));

    private static KnownCertificate[] Replace(CertificateList list, KnownCertificate old, KnownCertificate next) =>
        [.. list.All.Select(one => ReferenceEquals(one, old) ? next : one)];

    private static void CheckName(string name)
    {
        if (name.Length is 0 or > NameLengthMax || name.Any(char.IsControl))
        {
            throw new RefusedException(
                RefusalKind.InvalidArgument,
                $"A name of a certificate has 1 to {NameLengthMax} characters and no control characters; '{RefusalWords.Shorten(name)}' does not.");
        }
    }
}
