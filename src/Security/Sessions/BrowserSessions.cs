using System.Net;
using Jackdaw.Security.Keys;

namespace Jackdaw.Security.Sessions;

/// <summary>The sessions of browsers, by the hash of their ids. They are in memory only, and end with the server. Any thread.</summary>
internal sealed class BrowserSessions(TimeProvider time)
{
    /// <summary>The longest life of a session: a working day.</summary>
    public static readonly TimeSpan LifeTime = TimeSpan.FromHours(12);

    /// <summary>A session without a request for this long is over.</summary>
    public static readonly TimeSpan IdleTime = TimeSpan.FromHours(1);

    /// <summary>Sessions at once. Each costs a few hundred bytes; sessions are for people, who are fewer.</summary>
    public const int SessionsMax = 1000;

    /// <summary>Bytes of an id.</summary>
    private const int IdBytes = 32;

    /// <summary>Bytes of a mark: enough to tell a thousand sessions apart.</summary>
    internal const int MarkBytes = 6;

    private readonly Lock _lock = new(); // guards the sessions
    private readonly Dictionary<string, BrowserSession> _byHash = [];

    /// <summary>Sessions that are kept.</summary>
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

    /// <summary>Those that are not over, oldest first.</summary>
    public IReadOnlyList<BrowserSession> All
    {
        get
        {
            lock (_lock)
            {
                return [.. _byHash.Values.Where(session => session.IsAlive).OrderBy(session => session.Created)];
            }
        }
    }

    /// <summary>Begins a session.</summary>
    /// <param name="id">The secret for its browser.</param>
    /// <param name="address">Where the browser is; null when it is not known.</param>
    /// <returns>Null when there are too many.</returns>
    public BrowserSession? TryBegin(SessionGrant grant, out string id, IPAddress? address = null)
    {
        id = RandomSecret.Make(IdBytes);
        var session = new BrowserSession(grant, RandomSecret.Make(MarkBytes), address, time);
        lock (_lock)
        {
            if (_byHash.Count >= SessionsMax)
            {
                RemoveEnded();
            }

            return _byHash.Count < SessionsMax && _byHash.TryAdd(RandomSecret.Hash(id), session) ? session : null;
        }
    }

    /// <summary>Finds the session of a request. Whoever serves the request says so with <see cref="BrowserSession.Use"/>.</summary>
    /// <returns>Null when no session has the id, or it is over.</returns>
    public BrowserSession? Find(ReadOnlySpan<char> id)
    {
        string hash = RandomSecret.Hash(id);
        lock (_lock)
        {
            if (!_byHash.TryGetValue(hash, out BrowserSession? session))
            {
                return null;
            }

            if (!session.IsAlive)
            {
                _byHash.Remove(hash);
                return null;
            }

            return session;
        }
    }

    private void RemoveEnded()
    {
        foreach ((string hash, BrowserSession session) in _byHash)
        {
            if (!session.IsAlive)
            {
                _byHash.Remove(hash);
            }
        }
    }
}
