using Jackdaw.Security.Keys;

namespace Jackdaw.Security.Sessions;

/// <summary>Secrets that begin a session, each once and only for minutes. Kept as hashes, in memory only. Any thread.</summary>
internal sealed class LoginLinks(TimeProvider time)
{
    /// <summary>The time for which a link works: long enough to carry it to a browser.</summary>
    public static readonly TimeSpan Validity = TimeSpan.FromMinutes(5);

    /// <summary>Links that wait at once. Only administrators make them, and nobody carries more than a few.</summary>
    public const int LinksMax = 100;

    /// <summary>Bytes of a secret: nobody guesses one of 128 bits within five minutes.</summary>
    private const int SecretBytes = 16;

    private readonly Lock _lock = new(); // guards the links
    private readonly Dictionary<string, Link> _byHash = [];

    /// <summary>Links that wait.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _byHash.Count;
            }
        }
    }

    /// <summary>Makes a link.</summary>
    /// <param name="expires">When it stops working.</param>
    /// <returns>Its secret; null when too many links wait already.</returns>
    public string? TryMake(SessionGrant grant, out DateTimeOffset expires)
    {
        var age = TimeSince.Start(time);
        expires = time.GetUtcNow() + Validity;
        string secret = RandomSecret.Make(SecretBytes);
        lock (_lock)
        {
            RemoveExpired();
            if (_byHash.Count >= LinksMax)
            {
                return null;
            }

            _byHash.Add(RandomSecret.Hash(secret), new Link(grant, age));
            return secret;
        }
    }

    /// <summary>Uses a link up. Of several callers with the same secret, one gets the grant.</summary>
    /// <returns>Null when the link is used up, over or unknown, or its certificate was changed after the link was made.</returns>
    public SessionGrant? Take(string secret)
    {
        string hash = RandomSecret.Hash(secret);
        lock (_lock)
        {
            RemoveExpired();
            return _byHash.Remove(hash, out Link? link) && link.Grant.IsInForce ? link.Grant : null;
        }
    }

    private void RemoveExpired()
    {
        foreach ((string hash, Link link) in _byHash)
        {
            if (link.Age.Elapsed(time) >= Validity)
            {
                _byHash.Remove(hash);
            }
        }
    }

    private sealed record Link(SessionGrant Grant, TimeSince Age);
}
