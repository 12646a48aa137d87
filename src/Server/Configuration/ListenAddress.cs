using System.Net;

namespace Jackdaw.Server.Configuration;

/// <summary>Host and port to listen on, and whether the server is secured: with https it is, on any address.</summary>
/// <param name="Host">Name or address without brackets; <c>*</c> for all interfaces.</param>
/// <param name="IsSecured">True for https.</param>
public sealed record ListenAddress(string Host, int Port, bool IsSecured = false)
{
    /// <summary>Whether only programs of this machine can reach it: its host is a loopback address, or <c>localhost</c>.</summary>
    /// <remarks>No other name counts, because what a name means can change after it was looked at.</remarks>
    public bool IsLoopback => IsLoopbackHost(Host);

    private string Scheme => IsSecured ? Uri.UriSchemeHttps : Uri.UriSchemeHttp;

    /// <summary>Whether a host is a loopback address without brackets, or <c>localhost</c>.</summary>
    public static bool IsLoopbackHost(string host) =>
        host.Equals("localhost", StringComparison.OrdinalIgnoreCase) || (IPAddress.TryParse(host, out IPAddress? address) && IPAddress.IsLoopback(address));

    /// <summary>Reads <c>http://host:port</c> or <c>https://host:port</c>.</summary>
    /// <param name="problem">What is wrong and what to write instead; null on success.</param>
    public static ListenAddress? Parse(string text, out string? problem)
    {
        problem = "give one address like http://127.0.0.1:8080 (or https://*:8443 for all interfaces)";

        // Uri refuses a star as host, so a name that nobody uses takes its place.
        string parsable = text.Replace("//*", "//any-interface", StringComparison.Ordinal);
        if (!Uri.TryCreate(parsable, UriKind.Absolute, out Uri? uri) || (uri.Scheme != Uri.UriSchemeHttp && uri.Scheme != Uri.UriSchemeHttps)
            || uri.AbsolutePath != "/" || uri.Query.Length > 0 || uri.UserInfo.Length > 0)
        {
            return null;
        }

        problem = null;
        string host = uri.DnsSafeHost is "any-interface" or "+" ? "*" : uri.DnsSafeHost;
        return new ListenAddress(host, uri.Port, uri.Scheme == Uri.UriSchemeHttps);
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
        Host.Contains(':', StringComparison.Ordinal) ? $"{Scheme}://[{Host}]:{Port}" : $"{Scheme}://{Host}:{Port}";
}
