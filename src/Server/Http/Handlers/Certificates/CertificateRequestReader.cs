using System.Globalization;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Jackdaw.Security.Callers;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;

namespace Jackdaw.Server.Http.Handlers.Certificates;

/// <summary>Reads members of requests that change the list of certificates.</summary>
internal static class CertificateRequestReader
{
    /// <summary>How clearances that clients know and the server does not grant are refused.</summary>
    private static readonly Dictionary<string, string> s_others = new(StringComparer.OrdinalIgnoreCase)
    {
        [nameof(Clearance.ClusterNode)] = "is for servers that join a cluster, which this version does not support yet; give ClusterAdmin instead",
        ["UnauthenticatedClients"] = "means a client without a certificate, so that no certificate has it",
    };

    /// <summary>The members of a body that <see cref="ReadGrants"/> reads.</summary>
    public static IReadOnlyList<Input> Grantable { get; } =
    [
        Input.OneOf(
            "SecurityClearance", "What it may do on the server.", nameof(Clearance.ValidUser), nameof(Clearance.Operator), nameof(Clearance.ClusterAdmin)),
        Input.Json("Permissions", "What it may do in databases, by their names: Read, ReadWrite or Admin.", """{"Shop":"ReadWrite"}"""),
    ];

    /// <summary>The member of a body that <see cref="ReadBytes"/> reads.</summary>
    public static Input Certificate { get; } = Input.Text("Certificate", "Base64 of DER, PEM or PFX.", "MIIB").Required();

    /// <summary>What the request grants.</summary>
    /// <param name="known">What holds where the request says nothing; null when it must say it.</param>
    public static Grants ReadGrants(JsonElement request, Grants? known)
    {
        Clearance clearance = request.TextMember("SecurityClearance") is { } text ? ReadClearance(text)
            : known?.Clearance ?? throw Refuse($"The member 'SecurityClearance' is missing; give one of {Clearances}.");
        if (request.Member("Permissions") is not { } permissions)
        {
            return new Grants(clearance, known?.Permissions ?? Enumerable.Empty<KeyValuePair<string, DatabasePermission>>());
        }

        if (permissions.ValueKind != JsonValueKind.Object)
        {
            throw Refuse("The member 'Permissions' must be an object such as {\"Orders\":\"ReadWrite\"}, " + $"not {permissions.ValueKind}.");
        }

        var read = new Dictionary<string, DatabasePermission>(StringComparer.OrdinalIgnoreCase);
        foreach (JsonProperty permission in permissions.EnumerateObject())
        {
            DatabaseNames.Check(permission.Name);
            if (!read.TryAdd(permission.Name, ReadPermission(permission)))
            {
                throw Refuse($"The permissions name database '{permission.Name}' twice, in different casing; name it once.");
            }
        }

        return new Grants(clearance, read);
    }

    public static string ReadName(JsonElement request) => request.TextMember("Name") is { Length: > 0 } name
        ? name
        : throw Refuse("The member 'Name' is missing; give the certificate a name by which people know it.");

    public static string ReadThumbprint(JsonElement request) => request.TextMember("Thumbprint") is { Length: > 0 } thumbprint
        ? thumbprint
        : throw Refuse("The member 'Thumbprint' is missing; GET /admin/certificates lists them.");

    /// <summary>How long a new certificate is valid.</summary>
    /// <param name="usual">Without a member NotAfter.</param>
    public static TimeSpan ReadValidity(JsonElement request, DateTimeOffset now, TimeSpan usual)
    {
        if (request.TextMember("NotAfter") is not { } text)
        {
            return usual;
        }

        return DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset end) && end > now
            ? end - now
            : throw Refuse($"The member 'NotAfter' is '{RefusalWords.Shorten(text)}'; give a time in the future, such as 2030-01-31T00:00:00Z.");
    }

    public static void RefuseTwoFactor(JsonElement request)
    {
        if (request.TextMember("TwoFactorAuthenticationKey") is { Length: > 0 })
        {
            throw new RequestRefusedException(Problem.NotSupported("A second factor beside a certificate is"));
        }
    }

    /// <summary>The certificate of a request: base64 of DER, PEM or PKCS#12. A private key in it is not kept.</summary>
    public static X509Certificate2 ReadCertificate(JsonElement request)
    {
        byte[] bytes = ReadBytes(request);
        try
        {
            string text = Encoding.Latin1.GetString(bytes);
            return text.Contains("-----BEGIN", StringComparison.Ordinal) ? X509Certificate2.CreateFromPem(text)
                : X509Certificate2.GetCertContentType(bytes) == X509ContentType.Pkcs12 ? ReadLeaf(bytes, request.TextMember("Password"))
                : X509CertificateLoader.LoadCertificate(bytes);
        }
        catch (CryptographicException bad)
        {
            throw Refuse($"The member 'Certificate' cannot be read as a certificate: {bad.Message.TrimEnd('.')}. Send base64 of DER, PEM or PFX.");
        }
    }

    /// <summary>The bytes of the member with the certificate.</summary>
    public static byte[] ReadBytes(JsonElement request)
    {
        string text = request.TextMember("Certificate") is { Length: > 0 } given
            ? given
            : throw Refuse("The member 'Certificate' is missing; send base64 of DER, PEM or PFX.");
        byte[] bytes = new byte[text.Length];
        return Convert.TryFromBase64String(text, bytes, out int length)
            ? bytes[..length]
            : throw Refuse("The member 'Certificate' is not base64; send base64 of DER, PEM or PFX.");
    }

    private static string Clearances => $"{nameof(Clearance.ClusterAdmin)}, {nameof(Clearance.Operator)} and {nameof(Clearance.ValidUser)}";

    private static X509Certificate2 ReadLeaf(byte[] pfx, string? password)
    {
        X509Certificate2Collection all = X509CertificateLoader.LoadPkcs12Collection(pfx, password, X509KeyStorageFlags.EphemeralKeySet);
        return all.FirstOrDefault(one => one.HasPrivateKey) ?? all.FirstOrDefault() ?? throw new CryptographicException("the file has no certificate");
    }

    private static Clearance ReadClearance(string text)
    {
        if (s_others.TryGetValue(text, out string? why))
        {
            throw Refuse($"The clearance {text} {why}.");
        }

        return Enum.TryParse(text, ignoreCase: true, out Clearance clearance) && Enum.GetNames<Clearance>().Contains(text, StringComparer.OrdinalIgnoreCase)
            ? clearance
            : throw Refuse($"The member 'SecurityClearance' is '{RefusalWords.Shorten(text)}'; give one of {Clearances}.");
    }

    private static DatabasePermission ReadPermission(JsonProperty permission)
    {
        string? text = permission.Value.ValueKind == JsonValueKind.String ? permission.Value.GetString() : null;
        return text is not null && Enum.GetNames<DatabasePermission>().Contains(text, StringComparer.OrdinalIgnoreCase)
            ? Enum.Parse<DatabasePermission>(text, ignoreCase: true)
            : throw Refuse($"The permission for database '{permission.Name}' must be one of {string.Join(", ", Enum.GetNames<DatabasePermission>())}.");
    }

    private static RequestRefusedException Refuse(string message) => new(Problem.Argument(message));
}
