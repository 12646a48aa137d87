using System.Globalization;
using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations.Certificates;

/// <summary>What a certificate may do on the whole server.</summary>
public enum SecurityClearance
{
    /// <summary>Only the databases of its permissions.</summary>
    ValidUser,

    /// <summary>All databases and the settings of the server, but no certificates and no nodes.</summary>
    Operator,

    /// <summary>Everything.</summary>
    ClusterAdmin,

    /// <summary>Another server of the cluster.</summary>
    ClusterNode,
}

/// <summary>What a certificate of the clearance <see cref="SecurityClearance.ValidUser"/> may do with one database. Each value includes those before
/// it.</summary>
public enum DatabaseAccessLevel
{
    /// <summary>Loads and queries.</summary>
    Read,

    /// <summary>Also changes of documents.</summary>
    ReadWrite,

    /// <summary>Also indexes and the settings of the database.</summary>
    Admin,
}

/// <summary>A client certificate that a server knows.</summary>
/// <param name="Name">The name that was given to it.</param>
/// <param name="Thumbprint">SHA-1 of the certificate in hexadecimal digits; empty for a caller that needs no certificate, on a server without https.</param>
/// <param name="Clearance">What it may do on the whole server.</param>
/// <param name="Permissions">What it may do with databases, by their names. Empty for other clearances than
/// <see cref="SecurityClearance.ValidUser"/>.</param>
/// <param name="NotBefore">From when it is valid; null if the server does not say.</param>
/// <param name="NotAfter">Until when it is valid; null if the server does not say.</param>
/// <param name="Certificate">The certificate itself in base64, without its private key; null in lists without certificates.</param>
public sealed record ListedCertificate(
    string Name,
    string Thumbprint,
    SecurityClearance Clearance,
    IReadOnlyDictionary<string, DatabaseAccessLevel> Permissions,
    DateTimeOffset? NotBefore,
    DateTimeOffset? NotAfter,
    string? Certificate);

/// <summary>Certificates as they stand in requests and answers.</summary>
internal static class CertificateJson
{
    public static IReadOnlyList<ListedCertificate> ReadAll(JsonElement answer) => [.. answer.RequiredList("Results"u8).EnumerateArray().Select(Read)];

    public static void Write(
        Utf8JsonWriter json, string name, SecurityClearance clearance, IReadOnlyDictionary<string, DatabaseAccessLevel>? permissions)
    {
        json.WriteString("Name"u8, name);
        json.WriteString("SecurityClearance"u8, clearance.ToString());
        json.WriteStartObject("Permissions"u8);
        foreach ((string database, DatabaseAccessLevel level) in permissions ?? new Dictionary<string, DatabaseAccessLevel>())
        {
            json.WriteString(database, level.ToString());
        }

        json.WriteEndObject();
    }

    public static ListedCertificate Read(JsonElement one) => new(
        one.Text("Name"u8) ?? "",
        one.Text("Thumbprint"u8) ?? "",
        Parse<SecurityClearance>(one.Text("SecurityClearance"u8)),
        one.Members("Permissions"u8).ToDictionary(
            member => member.Key, member => Parse<DatabaseAccessLevel>(member.Value.ToString()), StringComparer.OrdinalIgnoreCase),
        Time(one.Text("NotBefore"u8)),
        Time(one.Text("NotAfter"u8)),
        one.Text("Certificate"u8));

    private static T Parse<T>(string? text)
        where T : struct, Enum =>
        Enum.TryParse(text, ignoreCase: true, out T value) ? value : throw new BadResponseException($"'{text}' is not a {typeof(T).Name}.");

    private static DateTimeOffset? Time(string? text) =>
        DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time) ? time : null;
}
