using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Jackdaw.Security.Keys;

/// <summary>The certificate that the server shows: one of its own authority, or one that the operator brings as a file or over HTTP.</summary>
/// <remarks>Any thread. New connections get the current one; connections that are open keep the one with which they began.</remarks>
internal sealed class ServerKeys
{
    private readonly SecurityFolder _folder;
    private readonly CertificateAuthority _authority;
    private readonly IReadOnlyList<string> _names;
    private readonly CertificateFile? _file;
    private readonly TimeProvider _time;
    private readonly Lock _changing = new(); // guards changes of _current and its files
    private volatile ServerCertificate _current;

    private ServerKeys(SecurityFolder folder, CertificateAuthority authority, IReadOnlyList<string> names, CertificateFile? file, TimeProvider time)
    {
        _folder = folder;
        _authority = authority;
        _names = names;
        _file = file;
        _time = time;
        _current = file?.Read() ?? ReadGiven() ?? ReadOwn() ?? Issue();
        authority.Changed += OnAuthorityChanged;
    }

    /// <summary>Is raised after the server has got another certificate.</summary>
    public event Action? Changed;

    /// <summary>With its private key.</summary>
    public X509Certificate2 Current => _current.Leaf;

    /// <summary>The certificate with those that the server sends beside it.</summary>
    public ServerCertificate Certificate => _current;

    /// <summary>Whether it is one of our own authority, which the server renews by itself.</summary>
    public bool IsOwn => _file is null && !File.Exists(_folder.GivenServerKey);

    /// <summary>Finds or makes the certificate of the server.</summary>
    /// <param name="names">The names and addresses of the server, that of the machine first.</param>
    /// <param name="file">The certificate of the operator; null for one of our own authority.</param>
    /// <exception cref="KeyFileException">A file is damaged.</exception>
    public static ServerKeys Open(
        SecurityFolder folder, CertificateAuthority authority, IReadOnlyList<string> names, CertificateFile? file, TimeProvider time) =>
        new(folder, authority, names, file, time);

    /// <summary>Replaces a certificate of our own authority by a new one; reads one of the operator anew.</summary>
    public void Renew()
    {
        lock (_changing)
        {
            _current = _file?.Read() ?? ReadGiven() ?? Issue();
        }

        Changed?.Invoke();
    }

    /// <summary>Finds the name of the server that clients are given: the first of several that the certificate has.</summary>
    /// <param name="hosts">Names and addresses, the best one first.</param>
    /// <returns>One of them; else the first name of the certificate; null when it has only names with a star.</returns>
    public string? FindCoveredHost(params ReadOnlySpan<string?> hosts)
    {
        X509Certificate2 certificate = _current.Leaf;
        foreach (string? host in hosts)
        {
            if (host is not null && certificate.MatchesHostname(host))
            {
                return host;
            }
        }

        X509SubjectAlternativeNameExtension? names = certificate.Extensions.OfType<X509SubjectAlternativeNameExtension>().FirstOrDefault();
        return names?.EnumerateDnsNames().FirstOrDefault(name => !name.StartsWith('*')) ?? names?.EnumerateIPAddresses().FirstOrDefault()?.ToString();
    }

    /// <summary>Renews the certificate if it is old, for other names, or if the operator's file has changed.</summary>
    /// <returns>Whether it was renewed.</returns>
    /// <exception cref="KeyFileException">The operator's file cannot be used; the server keeps the certificate that it has.</exception>
    public bool RenewIfDue()
    {
        bool isDue = _file is not null ? _file.HasChanged : IsOwn && _current.IsDue(_authority, _names, _time);
        if (isDue)
        {
            Renew();
        }

        return isDue;
    }

    /// <summary>Takes a certificate that an administrator brings. It is kept until another one is brought, and not renewed.</summary>
    /// <param name="pfx">PKCS#12 with its private key.</param>
    /// <exception cref="CryptographicException">The bytes are not a PKCS#12 file with a private key, or the password is wrong.</exception>
    /// <exception cref="InvalidOperationException">The configuration names a file, which would win at the next start.</exception>
    public void Replace(ReadOnlySpan<byte> pfx, string? password)
    {
        if (_file is not null)
        {
            throw new InvalidOperationException(
                $"Security.Certificate.Path names the certificate of this server. Write the new one to '{_file.Path}': the server reads it when it changes.");
        }

        ServerCertificate given = ServerCertificate.ReadPfx(pfx, password);
        lock (_changing)
        {
            var all = new X509Certificate2Collection(given.Leaf);
            all.AddRange(given.Chain);
            ProtectedFiles.WriteAll(_folder.GivenServerKey, all.ExportPkcs12(Pkcs12ExportPbeParameters.Pbes2Aes256Sha256, null));
            _current = given;
        }

        Changed?.Invoke();
    }

    private void OnAuthorityChanged()
    {
        if (IsOwn)
        {
            RenewIfDue();
        }
    }

    private ServerCertificate? ReadGiven() => ReadPfx(_folder.GivenServerKey, "Put it back from a backup, or remove it: the server then makes its own.");

    private ServerCertificate? ReadOwn()
    {
        ServerCertificate? kept = ReadPfx(_folder.ServerKey, "Remove it: the next start makes a new one.");
        return kept is null || kept.IsDue(_authority, _names, _time) ? null : kept;
    }

    private static ServerCertificate? ReadPfx(string path, string advice)
    {
        if (ProtectedFiles.ReadAll(path) is not { } pfx)
        {
            return null;
        }

        try
        {
            return ServerCertificate.ReadPfx(pfx, null);
        }
        catch (CryptographicException failure)
        {
            throw new KeyFileException($"The certificate of the server in '{path}' cannot be read: {failure.Message.TrimEnd('.')}. {advice}", failure);
        }
    }

    private ServerCertificate Issue()
    {
        ServerCertificate issued = ServerCertificate.Issue(_authority, _names, _time);
        ProtectedFiles.WriteAll(_folder.ServerKey, issued.ToPfx());
        return issued;
    }
}
