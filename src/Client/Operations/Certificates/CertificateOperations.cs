using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations.Certificates;

/// <summary>Has the server make a client certificate. The private key is only in the answer: the server does not keep it.</summary>
/// <param name="name">A name for people, such as that of the program.</param>
/// <param name="permissions">What it may do with databases, if its clearance is <see cref="SecurityClearance.ValidUser"/>.</param>
/// <param name="password">The password of the PFX file; null for none.</param>
/// <remarks>The result is a zip archive with the certificate as PFX and PEM, and the server's authority.</remarks>
public sealed class CreateClientCertificateOperation(
    string name, SecurityClearance clearance, IReadOnlyDictionary<string, DatabaseAccessLevel>? permissions = null, string? password = null)
    : ServerOperation<byte[]>
{
    private readonly string _name = name ?? throw new ArgumentNullException(nameof(name));

    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Post,
        Path = "admin/certificates",
        IsServerWide = true,
        Body = JsonText.Object(json =>
        {
            CertificateJson.Write(json, _name, clearance, permissions);
            if (password is not null)
            {
                json.WriteString("Password"u8, password);
            }
        }),
    };

    internal override byte[] Read(RequestAnswer answer) => answer.Body.ToArray();

    internal override byte[] Read(JsonElement answer) => [];
}

/// <summary>Adds a client certificate to those that the server knows.</summary>
/// <param name="certificate">Only its public part is sent.</param>
/// <param name="permissions">What it may do with databases, if its clearance is <see cref="SecurityClearance.ValidUser"/>.</param>
public sealed class PutClientCertificateOperation(
    string name, X509Certificate2 certificate, SecurityClearance clearance, IReadOnlyDictionary<string, DatabaseAccessLevel>? permissions = null)
    : ServerOperation<bool>
{
    private readonly string _name = name ?? throw new ArgumentNullException(nameof(name));
    private readonly X509Certificate2 _certificate = certificate ?? throw new ArgumentNullException(nameof(certificate));

    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Put,
        Path = "admin/certificates",
        IsServerWide = true,
        Body = JsonText.Object(json =>
        {
            CertificateJson.Write(json, _name, clearance, permissions);
            json.WriteString("Certificate"u8, Convert.ToBase64String(_certificate.RawData));
        }),
    };

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>Changes the name, the clearance and the permissions of a certificate. It takes effect within a second, on open connections too.</summary>
/// <param name="permissions">All permissions that it has from then on, if its clearance is <see cref="SecurityClearance.ValidUser"/>.</param>
public sealed class EditClientCertificateOperation(
    string thumbprint, string name, SecurityClearance clearance, IReadOnlyDictionary<string, DatabaseAccessLevel>? permissions = null)
    : ServerOperation<bool>
{
    private readonly string _thumbprint = thumbprint ?? throw new ArgumentNullException(nameof(thumbprint));
    private readonly string _name = name ?? throw new ArgumentNullException(nameof(name));

    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Post,
        Path = "admin/certificates/edit",
        IsServerWide = true,
        Body = JsonText.Object(json =>
        {
            json.WriteString("Thumbprint"u8, _thumbprint);
            CertificateJson.Write(json, _name, clearance, permissions);
        }),
    };

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>Revokes a certificate. Within a second the server refuses its requests, on open connections too. The last cluster administrator cannot be
/// revoked.</summary>
public sealed class DeleteCertificateOperation(string thumbprint) : ServerOperation<bool>
{
    private readonly string _thumbprint = thumbprint ?? throw new ArgumentNullException(nameof(thumbprint));

    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Delete,
        Path = $"admin/certificates?thumbprint={Uri.EscapeDataString(_thumbprint)}",
        IsServerWide = true,
    };

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>The certificates that the server knows.</summary>
public sealed class GetCertificatesOperation(int start = 0, int pageSize = 1024) : ServerOperation<IReadOnlyList<ListedCertificate>>
{
    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Get,
        Path = $"admin/certificates?start={start}&pageSize={pageSize}",
        IsServerWide = true,
        IsRead = true,
    };

    internal override IReadOnlyList<ListedCertificate> Read(JsonElement answer) => CertificateJson.ReadAll(answer);
}

/// <summary>One of the certificates that the server knows; null if none has the thumbprint.</summary>
public sealed class GetCertificateOperation(string thumbprint) : ServerOperation<ListedCertificate?>
{
    private readonly string _thumbprint = thumbprint ?? throw new ArgumentNullException(nameof(thumbprint));

    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Get,
        Path = $"admin/certificates?thumbprint={Uri.EscapeDataString(_thumbprint)}",
        IsServerWide = true,
        IsRead = true,
    };

    internal override ListedCertificate? Read(JsonElement answer) =>
        answer.ValueKind == JsonValueKind.Undefined || CertificateJson.ReadAll(answer) is not [var one, ..] ? null : one;
}

/// <summary>The entry of the certificate that this store sends, or of the known one that it renews.</summary>
public sealed class GetOwnCertificateOperation : ServerOperation<ListedCertificate>
{
    internal override RequestMessage MakeRequest() => new() { Method = HttpMethod.Get, Path = "certificates/whoami", IsServerWide = true, IsRead = true };

    internal override ListedCertificate Read(JsonElement answer) => CertificateJson.Read(answer);
}
