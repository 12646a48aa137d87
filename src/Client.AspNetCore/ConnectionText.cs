namespace Jackdaw.Client.AspNetCore;

/// <summary>Reads a connection string: <c>Url=http://127.0.0.1:8080;Database=shop</c>.</summary>
internal static class ConnectionText
{
    /// <summary>Sets addresses and database of options that have none.</summary>
    /// <returns>What is wrong with the text; null if nothing is.</returns>
    public static string? Apply(JackdawOptions options)
    {
        foreach (string part in (options.ConnectionString ?? "").Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            int sign = part.IndexOf('=', StringComparison.Ordinal);
            string name = sign < 0 ? part : part[..sign].TrimEnd();
            string value = sign < 0 ? "" : part[(sign + 1)..].TrimStart();
            switch (name.ToUpperInvariant())
            {
                case "URL" or "URLS" or "ENDPOINT" or "SERVER":
                    options.Urls = options.Urls.Count > 0 ? options.Urls
                        : value.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
                    break;
                case "DATABASE":
                    options.Database ??= value;
                    break;
                case "CERTIFICATEFILE":
                    options.CertificateFile ??= value;
                    break;
                case "CERTIFICATEPASSWORD":
                    options.CertificatePassword ??= value;
                    break;
                case "TRUSTEDAUTHORITIESFILE":
                    options.TrustedAuthoritiesFile ??= value;
                    break;
                default:
                    return $"'{name}' is not a part of a connection string: write Url=http://127.0.0.1:8080;Database=shop, " +
                        "and over https also CertificateFile=...;CertificatePassword=...;TrustedAuthoritiesFile=...";
            }
        }

        return null;
    }
}
