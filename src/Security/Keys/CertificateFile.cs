using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Jackdaw.Security.Keys;

/// <summary>A certificate of the server that the operator brings: PKCS#12, or PEM whose key stands in the same file or beside it.</summary>
/// <param name="path">Absolute.</param>
/// <param name="password">Null for none.</param>
internal sealed class CertificateFile(string path, string? password)
{
    private const string PemMark = "-----BEGIN";

    /// <summary>The name of the key beside a certificate that a renewing program of an authority writes.</summary>
    private const string UsualKeyName = "privkey.pem";

    private (DateTime Written, long Length) _read;

    public string Path { get; } = path;

    /// <summary>Whether the file is another one than when it was read last.</summary>
    public bool HasChanged => Stamp() != _read;

    /// <exception cref="KeyFileException">It is missing or damaged, or the password is wrong.</exception>
    public ServerCertificate Read()
    {
        _read = Stamp(); // before the contents: a file that changes in between is read again
        try
        {
            byte[] contents = ProtectedFiles.ReadAll(Path)
                ?? throw new KeyFileException($"Security.Certificate.Path = '{Path}' does not exist. Give the file of a certificate, PEM or PFX.");
            string text = Encoding.Latin1.GetString(contents);
            return text.Contains(PemMark, StringComparison.Ordinal) ? ReadPem(text) : ServerCertificate.ReadPfx(contents, password);
        }
        catch (Exception failure) when (failure is CryptographicException or ArgumentException or IOException or UnauthorizedAccessException)
        {
            throw new KeyFileException(
                $"The certificate of the server in '{Path}' cannot be read: {failure.Message.TrimEnd('.')}. Look at Security.Certificate.Path and " +
                "Security.Certificate.Password.", failure);
        }
    }

    private ServerCertificate ReadPem(string text)
    {
        string key = text.Contains("PRIVATE KEY-----", StringComparison.Ordinal) ? text : ReadKeyBeside();
        using X509Certificate2 complete = string.IsNullOrEmpty(password) || !key.Contains("ENCRYPTED", StringComparison.Ordinal)
            ? X509Certificate2.CreateFromPem(text, key)
            : X509Certificate2.CreateFromEncryptedPem(text, key, password);
        var chain = new X509Certificate2Collection();
        chain.ImportFromPem(text);
        if (chain.FirstOrDefault(one => one.Thumbprint == complete.Thumbprint) is { } itself)
        {
            chain.Remove(itself);
        }

        return ServerCertificate.ReadPfx(complete.ExportPkcs12(Pkcs12ExportPbeParameters.Pbes2Aes256Sha256, null), null) with { Chain = chain };
    }

    private string ReadKeyBeside()
    {
        string folder = System.IO.Path.GetDirectoryName(Path)!;
        string[] candidates = [System.IO.Path.ChangeExtension(Path, ".key"), System.IO.Path.Combine(folder, UsualKeyName)];
        string found = candidates.FirstOrDefault(File.Exists)
            ?? throw new CryptographicException($"it has no private key, and neither '{candidates[0]}' nor '{candidates[1]}' exists");
        return Encoding.Latin1.GetString(ProtectedFiles.ReadAll(found) ?? []);
    }

    private (DateTime Written, long Length) Stamp()
    {
        var file = new FileInfo(Path);
        return file.Exists ? (file.LastWriteTimeUtc, file.Length) : default;
    }
}
