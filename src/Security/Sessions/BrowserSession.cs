namespace Jackdaw.Security.Sessions;

/// <summary>A browser that a login link has let in. Any thread.</summary>
/// <remarks>Its id is not kept. It ends once and for all when somebody logs out, and is over as soon as a time is over or its grant no longer holds.</remarks>
internal sealed class BrowserSession
{
    private readonly TimeProvider _time;
    private readonly TimeSince _began;
    private readonly Lock _lock = new(); // guards the two below
    private TimeSince _used;
    private bool _isEnded;

    public BrowserSession(SessionGrant grant, string mark, TimeProvider time)
    {
        Grant = grant;
        Mark = mark;
        _time = time;
        _began = _used = TimeSince.Start(time);
        Expires = _began.Date + BrowserSessions.LifeTime;
        Caller = new SessionCaller(this);
    }

    public SessionGrant Grant { get; }

    /// <summary>Names the session in messages and in the audit log. It is random too, so that it says nothing about the id.</summary>
    public string Mark { get; }

    /// <summary>When it ends at the latest.</summary>
    public DateTimeOffset Expires { get; }

    public SessionCaller Caller { get; }

    /// <summary>Whether it still opens what its grant opens.</summary>
    public bool IsAlive
    {
        get
        {
            lock (_lock)
            {
                return !_isEnded
                    && _began.Elapsed(_time) < BrowserSessions.LifeTime && _used.Elapsed(_time) < BrowserSessions.IdleTime && Grant.IsInForce;
            }
        }
    }

    /// <summary>A request came.</summary>
    public void Use()
    {
        lock (_lock)
        {
            _used = TimeSince.Start(_time);
        }
    }

    /// <summary>Ends it.</summary>
    /// <returns>False when it was ended before.</returns>
    public bool End()
    {
        lock (_lock)
        {
            bool wasEnded = _isEnded;
            _isEnded = true;
            return !wasEnded;
        }
    }
}
