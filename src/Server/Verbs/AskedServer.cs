using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security.Keys;
using Jackdaw.Server.Configuration;

namespace Jackdaw.Server.Verbs;

/// <summary>The running server to which a verb sends requests, the authorities that the verb trusts, and the certificate that it shows.</summary>
internal sealed class AskedServer
{
    /// <summary>The description of the argument with the address.</summary>
    public const string ArgumentDescription = "Address of the server. Without it: the one in settings.json of the current folder or in JACKDAW_SERVER_URL.";

    private readonly X509Certificate2Collection _trusted = [];

    // Of the server in the data folder: it is trusted by itself, because its own certificate need not have the name localhost.
    private readonly List<byte[]> _own = [];
    private X509Certificate2? _shown;
    private string? _authorityPath;
    private volatile bool _isUntrusted; // written by the last handshake

    private AskedServer(Uri address) => Address = address;

    public Uri Address { get; }

    /// <summary>Reads what a verb needs to talk with a server.</summary>
    /// <param name="options">The configuration of the server; null when it cannot be read.</param>
    /// <param name="certificatePath">The certificate to show; null for that of the administrator, if it is there.</param>
    /// <param name="authorityPath">The authorities to trust; null for those of the data folder.</param>
    /// <param name="problem">What is wrong, when the result is null.</param>
    public static AskedServer? Make(Uri address, ServerOptions? options, string? certificatePath, string? authorityPath, out string? problem)
    {
        var server = new AskedServer(address);
        problem = null;
        if (address.Scheme == Uri.UriSchemeHttps)
        {
            SecurityFolder? folder = options is null ? null : SecurityFolder.At(options.DataDir);
            server._authorityPath = authorityPath ?? folder?.Authority;
            problem = server.ReadAuthorities(isRequired: authorityPath is not null)
                ?? server.ReadShown(certificatePath ?? folder?.AdministratorPem, isRequired: certificatePath is not null);
            server.ReadOwn(folder?.GivenServerKey, null);
            server.ReadOwn(options?.Security.CertificatePath, options?.Security.CertificatePassword);
        }

        return problem is null ? server : null;
    }

    /// <summary>Makes a client for the address. A proxy of the environment is not used, because it would look for 127.0.0.1 on its own machine.</summary>
    public HttpClient MakeClient(TimeSpan answerTime)
    {
        var handler = new SocketsHttpHandler { UseProxy = false };
        if (Address.Scheme == Uri.UriSchemeHttps)
        {
            handler.SslOptions.RemoteCertificateValidationCallback = (_, certificate, chain, errors) => IsTrusted(certificate, chain, errors);
            handler.SslOptions.LocalCertificateSelectionCallback = (_, _, _, _, _) => _shown!;
        }

        return new HttpClient(handler) { Timeout = answerTime };
    }

    /// <summary>One line for a request that got no answer.</summary>
    public string Explain(Exception failure)
    {
        string reason = _isUntrusted
            ? $"its certificate is signed neither by an authority in '{_authorityPath}' nor by one of the system. Run this as the user of the server, or " +
                "give its data folder with --DataDir, or its ca.pem with --ca."
            : failure.GetBaseException().Message.ReplaceLineEndings(" ");
        return $"no answer from {Address}: {reason}";
    }

    private bool IsTrusted(X509Certificate? certificate, X509Chain? presented, SslPolicyErrors errors)
    {
        bool isTrusted = errors == SslPolicyErrors.None
            || (certificate is not null && IsOwn(certificate))
            || (certificate is not null && errors == SslPolicyErrors.RemoteCertificateChainErrors && IsSigned(certificate, presented));
        _isUntrusted = !isTrusted;
        return isTrusted;
    }

    private bool IsOwn(X509Certificate certificate)
    {
        byte[] raw = certificate.GetRawCertData();
        return _own.Any(own => own.AsSpan().SequenceEqual(raw));
    }

    private bool IsSigned(X509Certificate certificate, X509Chain? presented)
    {
        using X509Chain chain = AuthorityChain.Make([.. _trusted]);
        chain.ChainPolicy.ApplicationPolicy.Add(new Oid(ServerCertificate.Purpose)); // a client's certificate must not pass as a server's
        foreach (X509ChainElement element in presented?.ChainElements ?? Enumerable.Empty<X509ChainElement>())
        {
            chain.ChainPolicy.ExtraStore.Add(element.Certificate);
        }

        using X509Certificate2 leaf = X509CertificateLoader.LoadCertificate(certificate.GetRawCertData());
        return chain.Build(leaf);
    }

    private string? ReadAuthorities(bool isRequired)
    {
        try
        {
            if (_authorityPath is { } path && (isRequired || File.Exists(path)))
            {
                _trusted.ImportFromPemFile(path);
            }

            return null;
        }
        catch (Exception failure) when (CertificateFile.IsUnreadable(failure))
        {
            return $"'{_authorityPath}' cannot be read as certificates in PEM: {failure.Message}";
        }
    }

    // Without a certificate the server says what it needs, which is better than a message from here.
    private string? ReadShown(string? path, bool isRequired)
    {
        try
        {
            if (path is not null && (isRequired || File.Exists(path)))
            {
                _shown = CertificateFile.Read(path, null).Leaf;
            }

            return null;
        }
        catch (Exception failure) when (CertificateFile.IsUnreadable(failure))
        {
            return $"'{path}' cannot be read as a certificate with its key: {failure.Message}";
        }
    }

    private void ReadOwn(string? path, string? password)
    {
        try
        {
            if (path is not null && File.Exists(path))
            {
                using X509Certificate2 own = CertificateFile.Read(path, password).Leaf;
                _own.Add(own.RawData);
            }
        }
        catch (Exception failure) when (CertificateFile.IsUnreadable(failure))
        {
            // Then the authorities decide.
        }
    }
}
