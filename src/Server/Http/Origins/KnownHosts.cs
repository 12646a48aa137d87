using System.Net;
using Jackdaw.Server.Configuration;

namespace Jackdaw.Server.Http.Origins;

/// <summary>The names under which requests may address this server. A page of another site can make a name of its own lead to this server (DNS rebinding);
/// its browser then sees both as one site, and only the header Host shows the strange name.</summary>
/// <remarks>An address as host is safe on a network, because nobody can make an address lead elsewhere. Names without a dot and under the endings below are
/// safe too, because nobody can register them. Any thread.</remarks>
internal sealed class KnownHosts
{
    /// <summary>Endings that no site of the Internet can have: they are reserved for machines, private networks and clusters.</summary>
    private static readonly string[] s_privateEndings = [".localhost", ".local", ".internal", ".lan", ".home.arpa", ".test"];

    private readonly bool _isOpenLoopback;
    private readonly Predicate<string> _isCertified;
    private readonly HashSet<string> _names = new(StringComparer.OrdinalIgnoreCase);

    private volatile string? _lastKnown; // the header is usually that of the request before

    /// <param name="options">Where the server listens, and its public address.</param>
    /// <param name="isCertified">Whether the certificate of the server, which may change, is for a name.</param>
    public KnownHosts(ServerOptions options, Predicate<string> isCertified)
    {
        _isCertified = isCertified;
        _isOpenLoopback = options.ServerUrl is { IsSecured: false, IsLoopback: true };
        if (options.PublicServerUrl is { } known)
        {
            _names.Add(known.IdnHost);
        }

        if (!_isOpenLoopback)
        {
            _names.Add(options.ServerUrl.Host);
            _names.Add(Dns.GetHostName());
        }
    }

    /// <summary>Whether only programs of the same machine are meant to reach the server, by http.</summary>
    public bool IsOpenLoopback => _isOpenLoopback;

    /// <summary>Whether a host is this server.</summary>
    /// <param name="header">The header. An empty one is known, because browsers always send one.</param>
    public bool Contains(HostString header)
    {
        if (string.IsNullOrEmpty(header.Value) || string.Equals(header.Value, _lastKnown, StringComparison.Ordinal))
        {
            return true;
        }

        bool isKnown = Find(NameOf(header));
        if (isKnown)
        {
            _lastKnown = header.Value;
        }

        return isKnown;
    }

    // An address of IPv6 has brackets in the header; a name may end with the dot of the root.
    private static string NameOf(HostString header) => header.Host switch
    {
        ['[', .. var inner, ']'] => inner,
        [.. var inner, '.'] => inner,
        var name => name,
    };

    private static bool IsLoopback(string host) =>
        ListenAddress.IsLoopbackHost(host) || host.EndsWith(".localhost", StringComparison.OrdinalIgnoreCase);

    private bool Find(string host)
    {
        if (IsLoopback(host) || _names.Contains(host))
        {
            return true;
        }

        return !_isOpenLoopback && (IsUnregistrable(host) || _isCertified(host));
    }

    private static bool IsUnregistrable(string host) =>
        IPAddress.TryParse(host, out _)
        || !host.Contains('.', StringComparison.Ordinal)
        || s_privateEndings.Any(ending => host.EndsWith(ending, StringComparison.OrdinalIgnoreCase));
}
