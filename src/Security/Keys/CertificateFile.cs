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

    private string? _read; // null: not read, or in vain

    public string Path { get; } = path;

    /// <summary>Whether the file or the one of its key is another one than when it was read last, or could not be read then.</summary>
    public bool HasChanged => Stamp() != _read;

    /// <exception cref="KeyFileException">It is missing or damaged, or the password is wrong.</exception>
    public ServerCertificate Read()
    {
        string stamp = Stamp(); // before the contents: a file that changes in between is read again
        _read = null;
        try
        {
            ServerCertificate read = Read(Path, password);
            _read = stamp;
            return read;
        }
        catch (Exception failure) when (IsUnreadable(failure))
        {
            throw new KeyFileException(
                $"The certificate of the server in '{Path}' cannot be read: {failure.Message.TrimEnd('.')}. Look at Security.Certificate.Path and " +
                "Security.Certificate.Password.", failure);
        }
    }

    /// <summary>Reads a certificate with its private key; <see cref="IsUnreadable"/> tells the failures of it.</summary>
    public static ServerCertificate Read(string path, string? password)
    {
        byte[] contents = ProtectedFiles.ReadAll(path) ?? throw new FileNotFoundException("it does not exist");
        string text = Encoding.Latin1.GetString(contents);
        return text.Contains(PemMark, StringComparison.Ordinal) ? ReadPem(path, text, password) : ServerCertificate.ReadPfx(contents, password);
    }

    public static bool IsUnreadable(Exception failure) =>
        failure is CryptographicException or ArgumentException or IOException or UnauthorizedAccessException;

    private static ServerCertificate ReadPem(string path, string text, string? password)
    {
        string key = text.Contains("PRIVATE KEY-----", StringComparison.Ordinal) ? text : ReadKeyBeside(path);
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

    private static string ReadKeyBeside(string path)
    {
        string[] candidates = KeysBeside(path);
        string found = candidates.FirstOrDefault(File.Exists)
            ?? throw new CryptographicException($"it has no private key, and neither '{candidates[0]}' nor '{candidates[1]}' exists");
        return Encoding.Latin1.GetString(ProtectedFiles.ReadAll(found) ?? []);
    }

    private static string[] KeysBeside(string path) =>
        [System.IO.Path.ChangeExtension(path, ".key"), System.IO.Path.Combine(System.IO.Path.GetDirectoryName(path)!, UsualKeyName)];

    private string Stamp() => string.Join('\n', KeysBeside(Path).Prepend(Path).Select(Stamp));

    // Of the target of a link: where secrets are mounted, links stay and what they lead to changes.
    private static string Stamp(string path)
    {
        try
        {
            FileSystemInfo found = File.ResolveLinkTarget(path, returnFinalTarget: true) ?? new FileInfo(path);
            return found is FileInfo { Exists: true } file ? $"{file.FullName} {file.LastWriteTimeUtc.Ticks} {file.Length}" : "";
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return ""; // it does not exist, or cannot be looked at: reading it says why
        }
    }
}
