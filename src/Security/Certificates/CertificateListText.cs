using System.Buffers;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Jackdaw.Security.Callers;

namespace Jackdaw.Security.Certificates;

/// <summary>The list of certificates as a JSON text: what is stored in certificates.json.</summary>
/// <remarks>Everything that the certificate itself says is read from it, so that the text cannot contradict it.</remarks>
internal static class CertificateListText
{
    /// <summary>The form of the text. A program refuses forms that it does not know, because it would write them back without what it did not read.</summary>
    private const int Form = 1;

    private static readonly JsonWriterOptions s_indented = new() { Indented = true };

    public static byte[] Write(CertificateList list)
    {
        var text = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(text, s_indented))
        {
            json.WriteStartObject();
            json.WriteNumber("Form"u8, Form);
            json.WriteNumber("Version"u8, list.Version);
            json.WriteStartArray("Certificates"u8);
            foreach (KnownCertificate known in list.All)
            {
                json.WriteStartObject();
                json.WriteString("Name"u8, known.Name);
                json.WriteString("SecurityClearance"u8, known.Grants.Clearance.ToString());
                WritePermissions(json, known.Grants);
                json.WriteBase64String("Certificate"u8, known.Der.Span);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            WriteRevoked(json, list.Revoked);
            json.WriteEndObject();
        }

        return text.WrittenSpan.ToArray();
    }

    /// <summary>Writes the member with the permissions for databases, as clients know it.</summary>
    public static void WritePermissions(Utf8JsonWriter json, Grants grants)
    {
        json.WriteStartObject("Permissions"u8);
        foreach ((string database, DatabasePermission permission) in grants.Permissions.OrderBy(one => one.Key, StringComparer.OrdinalIgnoreCase))
        {
            json.WriteString(database, permission.ToString());
        }

        json.WriteEndObject();
    }

    /// <exception cref="InvalidDataException">The text is damaged, or of a newer program.</exception>
    public static CertificateList Read(ReadOnlyMemory<byte> text)
    {
        try
        {
            using var json = JsonDocument.Parse(text);
            JsonElement root = json.RootElement;
            if (root.GetProperty("Form").GetInt32() != Form)
            {
                throw new InvalidDataException($"The list of certificates has form {root.GetProperty("Form")}; this program reads form {Form}.");
            }

            return new CertificateList(
                root.GetProperty("Version").GetInt64(),
                [.. root.GetProperty("Certificates").EnumerateArray().Select(ReadOne)],
                [.. root.GetProperty("Revoked").EnumerateArray().Select(ReadRevoked)]);
        }
        catch (Exception bad) when (bad is JsonException or KeyNotFoundException or InvalidOperationException or FormatException or ArgumentException
            or CryptographicException)
        {
            throw new InvalidDataException(
                $"The list of certificates cannot be read: {bad.Message} Restore the file from a backup; or move it away, and make a new administrator "
                + "with: jackdaw cert create --clearance=ClusterAdmin", bad);
        }
    }

    private static KnownCertificate ReadOne(JsonElement one)
    {
        using X509Certificate2 certificate = X509CertificateLoader.LoadCertificate(one.GetProperty("Certificate").GetBytesFromBase64());
        var permissions = one.GetProperty("Permissions").EnumerateObject()
            .Select(permission => KeyValuePair.Create(permission.Name, Enum.Parse<DatabasePermission>(permission.Value.GetString()!)));
        var grants = new Grants(Enum.Parse<Clearance>(one.GetProperty("SecurityClearance").GetString()!), permissions);
        return KnownCertificate.From(certificate, one.GetProperty("Name").GetString()!, grants);
    }

    private static void WriteRevoked(Utf8JsonWriter json, IReadOnlyList<RevokedCertificate> revoked)
    {
        json.WriteStartArray("Revoked"u8);
        foreach (RevokedCertificate one in revoked)
        {
            json.WriteStartObject();
            json.WriteString("Thumbprint"u8, one.Thumbprint);
            json.WriteString("Name"u8, one.Name);
            json.WriteString("NotAfter"u8, one.NotAfter);
            json.WriteString("RevokedAt"u8, one.RevokedAt);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static RevokedCertificate ReadRevoked(JsonElement one) => new(
        one.GetProperty("Thumbprint").GetString()!, one.GetProperty("Name").GetString()!, one.GetProperty("NotAfter").GetDateTimeOffset(),
        one.GetProperty("RevokedAt").GetDateTimeOffset());
}
