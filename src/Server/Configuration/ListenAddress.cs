namespace Jackdaw.Server.Configuration;

/// <summary>Host and port to listen on.</summary>
/// <param name="Host">Name or address without brackets; <c>*</c> for all interfaces.</param>
public sealed record ListenAddress(string Host, int Port)
{
    /// <summary>Reads <c>http://host:port</c>.</summary>
    /// <param name="problem">What is wrong and what to write instead; null on success.</param>
    public static ListenAddress? Parse(string text, out string? problem)
    {
        problem = "give one address like http://127.0.0.1:8080 (or http://*:8080 for all interfaces)";
        if (text.StartsWith("https:", StringComparison.OrdinalIgnoreCase))
        {
            problem = "https is not supported yet; give http://... and put a TLS proxy in front of it";
            return null;
        }

        // Uri refuses a star as host, so a name that nobody uses takes its place.
        string parsable = text.Replace("//*", "//any-interface", StringComparison.Ordinal);
        if (!Uri.TryCreate(parsable, UriKind.Absolute, out Uri? uri) || uri.Scheme != Uri.UriSchemeHttp
            || uri.AbsolutePath != "/" || uri.Query.Length > 0 || uri.UserInfo.Length > 0)
        {
            return null;
        }

        problem = null;
        string host = uri.DnsSafeHost is "any-interface" or "+" ? "*" : uri.DnsSafeHost;
        return new ListenAddress(host, uri.Port);
    }

    /// <summary>The address under which programs on this machine reach the server; for all interfaces the loopback
    /// address.</summary>
    public Uri ToLocalUri()
    {
        string host = Host switch
        {
            "*" or "0.0.0.0" => "127.0.0.1",
            "::" => "::1",
            _ => Host,
        };
        return new Uri((this with { Host = host }).ToString());
    }

    public override string ToString() =>
        Host.Contains(':', StringComparison.Ordinal) ? $"http://[{Host}]:{Port}" : $"http://{Host}:{Port}";
}
