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
    private readonly Dictionary<string, LoginLink> _byHash = [];

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
    /// <param name="link">What is known of it.</param>
    /// <returns>Its secret; null when too many links wait already.</returns>
    public string? TryMake(SessionGrant grant, out LoginLink link)
    {
        link = new LoginLink(RandomSecret.Make(BrowserSessions.MarkBytes), grant, TimeSince.Start(time));
        string secret = RandomSecret.Make(SecretBytes);
        lock (_lock)
        {
            RemoveExpired();
            if (_byHash.Count >= LinksMax)
            {
                return null;
            }

            _byHash.Add(RandomSecret.Hash(secret), link);
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
            return _byHash.Remove(hash, out LoginLink? link) && link.Grant.IsInForce ? link.Grant : null;
        }
    }

    /// <summary>Those that would let somebody in now, oldest first.</summary>
    public IReadOnlyList<LoginLink> All
    {
        get
        {
            lock (_lock)
            {
                RemoveExpired();
                return [.. _byHash.Values.Where(link => link.Grant.IsInForce).OrderBy(link => link.Age.Date)];
            }
        }
    }

    /// <summary>Makes a link useless before anybody uses it.</summary>
    /// <returns>The link; null when none that waits has the mark.</returns>
    public LoginLink? Withdraw(string mark)
    {
        lock (_lock)
        {
            RemoveExpired();
            foreach ((string hash, LoginLink link) in _byHash)
            {
                if (link.Mark == mark)
                {
                    _byHash.Remove(hash);
                    return link;
                }
            }

            return null;
        }
    }

    private void RemoveExpired()
    {
        foreach ((string hash, LoginLink link) in _byHash)
        {
            if (link.Age.Elapsed(time) >= Validity)
            {
                _byHash.Remove(hash);
            }
        }
    }
}

/// <summary>A link that nobody has used yet.</summary>
/// <param name="Mark">Names it in lists and in the audit log. It is random too, so that it says nothing about the secret.</param>
internal sealed record LoginLink(string Mark, SessionGrant Grant, TimeSince Age)
{
    /// <summary>When it stops working.</summary>
    public DateTimeOffset Expires => Age.Date + LoginLinks.Validity;
}
