using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Certificates;

/// <summary>A client certificate with its private key, as a PFX or PEM file has it.</summary>
/// <param name="Certificate">The certificate of the key. Whoever reads the file disposes it.</param>
/// <param name="Authorities">Certificates of authorities that the file has beside it.</param>
internal sealed record ClientCertificateFile(X509Certificate2 Certificate, IReadOnlyList<X509Certificate2> Authorities)
{
    /// <summary>A certificate with its chain has a few kilobytes. A larger file is something else, and is not read into memory.</summary>
    private const int FileBytesMax = 1 << 20;

    private static readonly string[] s_keyLabels = ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"];

    /// <summary>Reads a client certificate.</summary>
    /// <param name="password">Null for a file without one.</param>
    /// <exception cref="CertificateFileException">The file cannot be read, or does not have a certificate with its key.</exception>
    public static ClientCertificateFile Read(string path, string? password)
    {
        byte[] content = ReadBytes(path);
        try
        {
            return IsPem(content) ? OfPem(path, Encoding.UTF8.GetString(content), password) : OfPfx(path, content, password);
        }
        catch (Exception wrong) when (wrong is CryptographicException or ArgumentException)
        {
            string cause = password is null ? "Is it a PFX or PEM file? Does it need a CertificatePassword?" : "Is the CertificatePassword right?";
            throw new CertificateFileException($"{path}: the client certificate cannot be read. {cause} {wrong.Message}", wrong);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(content);
        }
    }

    /// <summary>Reads the certificates of authorities, such as the <c>ca.pem</c> of a server.</summary>
    /// <exception cref="CertificateFileException">The file cannot be read, or has no certificate.</exception>
    public static IReadOnlyList<X509Certificate2> ReadAuthorities(string path)
    {
        byte[] content = ReadBytes(path);
        try
        {
            List<X509Certificate2> found =
                IsPem(content) ? CertificatesOf(Encoding.UTF8.GetString(content)) : [X509CertificateLoader.LoadCertificate(content)];
            return found.Count > 0 ? found : throw new CertificateFileException(
                $"{path} has no certificate. Give the ca.pem that the server wrote beside its certificates.");
        }
        catch (CryptographicException wrong)
        {
            throw new CertificateFileException(
                $"{path}: the certificates of authorities cannot be read. Give the ca.pem that the server wrote beside its certificates. {wrong.Message}",
                wrong);
        }
    }

    private static byte[] ReadBytes(string path)
    {
        try
        {
            using FileStream file = File.OpenRead(path);
            if (file.Length > FileBytesMax)
            {
                throw new CertificateFileException($"{path} has {file.Length} bytes, and a file of certificates has at most {FileBytesMax}.");
            }

            byte[] content = new byte[file.Length];
            file.ReadExactly(content);
            return content;
        }
        catch (Exception missing) when (missing is IOException or UnauthorizedAccessException)
        {
            throw new CertificateFileException($"The certificate file {Path.GetFullPath(path)} cannot be read: {missing.Message}", missing);
        }
    }

    private static bool IsPem(ReadOnlySpan<byte> content) => content.IndexOf("-----BEGIN "u8) >= 0;

    private static ClientCertificateFile OfPfx(string path, byte[] content, string? password)
    {
        X509Certificate2Collection all = X509CertificateLoader.LoadPkcs12Collection(content, password);
        X509Certificate2 own = all.Where(one => one.HasPrivateKey).OrderBy(IsAuthority).FirstOrDefault() ?? throw WithoutKey(path);
        return new ClientCertificateFile(own, [.. all.Where(IsAuthority)]);
    }

    private static ClientCertificateFile OfPem(string path, string text, string? password)
    {
        List<X509Certificate2> all = CertificatesOf(text);
        ReadOnlySpan<char> key = KeyOf(text);
        if (key.IsEmpty)
        {
            throw WithoutKey(path);
        }

        foreach (X509Certificate2 certificate in all)
        {
            if (TryPair(certificate, key, password) is { } own)
            {
                return new ClientCertificateFile(own, [.. all.Where(IsAuthority)]);
            }
        }

        throw new CertificateFileException(all.Count == 0
            ? $"{path} has a private key, but no certificate."
            : $"{path}: the private key does not belong to {CertificateText.Of(all[0])}.");
    }

    // All forms of a key are read: PKCS#8, also with a password, and the older ones of RSA and EC.
    private static X509Certificate2? TryPair(X509Certificate2 certificate, ReadOnlySpan<char> key, string? password)
    {
        try
        {
            return Stored(password is null ? X509Certificate2.CreateFromPem(certificate.ExportCertificatePem(), key)
                : X509Certificate2.CreateFromEncryptedPem(certificate.ExportCertificatePem(), key, password));
        }
        catch (Exception other) when (other is ArgumentException or CryptographicException && !IsEncrypted(key))
        {
            return null; // the key of another certificate
        }
    }

    // The connections of Windows cannot use a key that is only in memory.
    private static X509Certificate2 Stored(X509Certificate2 certificate)
    {
        if (!OperatingSystem.IsWindows())
        {
            return certificate;
        }

        using (certificate)
        {
            return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pfx), null);
        }
    }

    private static bool IsEncrypted(ReadOnlySpan<char> key) => key.StartsWith("-----BEGIN ENCRYPTED", StringComparison.Ordinal);

    private static ReadOnlySpan<char> KeyOf(ReadOnlySpan<char> text)
    {
        while (PemEncoding.TryFind(text, out PemFields block))
        {
            if (s_keyLabels.Contains(text[block.Label].ToString()))
            {
                return text[block.Location];
            }

            text = text[block.Location.End..];
        }

        return default;
    }

    private static List<X509Certificate2> CertificatesOf(string text)
    {
        var all = new X509Certificate2Collection();
        all.ImportFromPem(text);
        return [.. all];
    }

    private static bool IsAuthority(X509Certificate2 certificate) =>
        certificate.Extensions.OfType<X509BasicConstraintsExtension>().Any(extension => extension.CertificateAuthority);

    private static CertificateFileException WithoutKey(string path) => new(
        $"{path} has no private key that this client can read. A PFX file has the key inside; a PEM file needs a part 'PRIVATE KEY', " +
        "'ENCRYPTED PRIVATE KEY', 'RSA PRIVATE KEY' or 'EC PRIVATE KEY' beside the certificate.");
}
