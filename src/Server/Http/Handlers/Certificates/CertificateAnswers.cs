using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;

namespace Jackdaw.Server.Http.Handlers.Certificates;

/// <summary>Entries of the list of certificates as clients read them.</summary>
internal static class CertificateAnswers
{
    /// <param name="isMetadata">Without the certificate itself.</param>
    public static void WriteEntry(Utf8JsonWriter json, KnownCertificate known, bool isMetadata)
    {
        json.WriteStartObject();
        WriteMembers(json, known, isMetadata);
        if (known.Use.Last is { } used)
        {
            json.WriteString("LastUsed"u8, Show(used));
        }

        json.WriteEndObject();
    }

    /// <summary>Writes the members of an entry that clients know.</summary>
    /// <param name="isMetadata">As for <see cref="WriteEntry"/>.</param>
    public static void WriteMembers(Utf8JsonWriter json, KnownCertificate known, bool isMetadata)
    {
        WriteGrants(json, known.Name, known.Grants);
        json.WriteString("Thumbprint"u8, known.Thumbprint);
        json.WriteString("NotBefore"u8, Show(known.NotBefore));
        json.WriteString("NotAfter"u8, Show(known.NotAfter));
        if (!isMetadata)
        {
            json.WriteBase64String("Certificate"u8, known.Der.Span);
        }

        json.WriteString("PublicKeyPinningHash"u8, known.PublicKeyPinningHash);
        json.WriteString("CollectionPrimaryKey"u8, ""u8);
        json.WriteStartArray("CollectionSecondaryKeys"u8);
        json.WriteEndArray();
        json.WriteBoolean("HasTwoFactor"u8, false);
    }

    /// <summary>Writes the members that tell what somebody may do.</summary>
    public static void WriteGrants(Utf8JsonWriter json, string name, Grants grants)
    {
        json.WriteString("Name"u8, name);
        json.WriteString("SecurityClearance"u8, grants.Clearance.ToString());
        CertificateListText.WritePermissions(json, grants);
    }

    /// <summary>The permissions in one line, for the audit log.</summary>
    public static string Describe(Grants grants) => string.Join(", ", grants.Permissions.Select(permission => $"{permission.Key}: {permission.Value}"));

    public static string Show(DateTimeOffset time) => JsonAnswers.Date(time.UtcTicks);
}
