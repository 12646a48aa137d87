using System.Net;

namespace Jackdaw.Server.Configuration;

/// <summary>The keys whose names begin with <c>Security.</c>, and what holds between them and the address.</summary>
internal static class SecurityKeys
{
    private const int Sha1Digits = 40; // the form that clients use as the key of a certificate

    private const int Sha256Digits = 64;

    public static IReadOnlyList<ConfigurationKey> All { get; } =
    [
        new("Security.UnsecuredAccessAllowed", "None", "Who may use http beside this machine: None, PrivateNetwork or PublicNetwork.", Unsecured),
        new("Security.Certificate.Path", "", "Own certificate of the server, PEM or PFX, read again when it changes; empty: the server makes one.", Path),
        new("Security.Certificate.Password", "", "Password of that file; empty: none.", Password) { IsSecret = static password => password.Length > 0 },
        new("Security.Certificate.Names", "", "More host names and addresses for the certificate that the server makes, divided by commas.", Names),
        new("Security.WellKnownCertificates.Admin", "", "Thumbprints of further administrators' certificates, divided by commas.", Administrators),
    ];

    /// <summary>Looks at what no key alone can tell.</summary>
    /// <returns>What is wrong and what to write instead; null when nothing is.</returns>
    public static string? FindProblem(ConfigurationDraft draft)
    {
        ListenAddress address = draft.ServerUrl;
        if (!address.IsSecured && !address.IsLoopback && draft.Security.UnsecuredAccess == UnsecuredAccess.None)
        {
            return $"ServerUrl = '{address}': without https everybody who reaches this address could read and change all data. " +
                $"Write {address with { IsSecured = true }}, or set Security.UnsecuredAccessAllowed to PrivateNetwork (connections from public addresses are " +
                "refused) or to PublicNetwork";
        }

        return address.IsSecured && draft.PublicServerUrl is { } given && given.Scheme != Uri.UriSchemeHttps
            ? $"PublicServerUrl = '{given.ToString().TrimEnd('/')}': the server listens on https, so that clients need an address with https://"
            : null;
    }

    private static string? Unsecured(ConfigurationDraft draft, string value)
    {
        UnsecuredAccess access = ConfigurationKeys.OneOf(value, draft.Security.UnsecuredAccess, out string? problem);
        draft.Security = draft.Security with { UnsecuredAccess = access };
        return problem;
    }

    // Whether the file is there is seen when it is read, so that verbs which only need the address work without it.
    private static string? Path(ConfigurationDraft draft, string value)
    {
        if (value.Contains('\0', StringComparison.Ordinal))
        {
            return "give the file of a certificate, PEM or PFX";
        }

        draft.Security = draft.Security with { CertificatePath = value.Length > 0 ? System.IO.Path.GetFullPath(value, draft.CurrentFolder) : null };
        return null;
    }

    private static string? Password(ConfigurationDraft draft, string value)
    {
        draft.Security = draft.Security with { CertificatePassword = value.Length > 0 ? value : null };
        return null;
    }

    private static string? Names(ConfigurationDraft draft, string value)
    {
        string[] names = ConfigurationKeys.Split(value);
        if (names.FirstOrDefault(name => !IsHostName(name)) is { } wrong)
        {
            return $"'{wrong}' is neither a host name nor an address; give names like db.example.com, divided by commas";
        }

        draft.Security = draft.Security with { CertificateNames = names };
        return null;
    }

    private static bool IsHostName(string name)
    {
        string plain = name.StartsWith("*.", StringComparison.Ordinal) ? name[2..] : name;
        return IPAddress.TryParse(name, out _) || (Uri.CheckHostName(plain) == UriHostNameType.Dns && plain.All(char.IsAscii));
    }

    private static string? Administrators(ConfigurationDraft draft, string value)
    {
        string[] thumbprints = [.. ConfigurationKeys.Split(value).Select(one => one.Replace(":", "", StringComparison.Ordinal).ToUpperInvariant())];
        if (thumbprints.FirstOrDefault(one => one.Length is not (Sha1Digits or Sha256Digits) || !one.All(char.IsAsciiHexDigit)) is { } wrong)
        {
            return $"'{wrong}' is not the thumbprint of a certificate; give {Sha1Digits} hexadecimal digits, as 'openssl x509 -fingerprint -sha1' shows them";
        }

        draft.Security = draft.Security with { AdministratorThumbprints = thumbprints };
        return null;
    }
}
