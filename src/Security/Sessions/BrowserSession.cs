using System.Net;

namespace Jackdaw.Security.Sessions;

/// <summary>A browser that a login link has let in. Any thread.</summary>
/// <remarks>Its id is not kept. It ends once and for all when somebody logs out, and is over as soon as a time is over or its grant no longer holds.</remarks>
internal sealed class BrowserSession
{
    private readonly TimeProvider _time;
    private readonly TimeSince _began;
    private readonly Lock _lock = new(); // guards the three below
    private TimeSince _used;
    private IPAddress? _address;
    private bool _isEnded;

    /// <param name="address">Where the browser is; null when it is not known.</param>
    public BrowserSession(SessionGrant grant, string mark, IPAddress? address, TimeProvider time)
    {
        Grant = grant;
        Mark = mark;
        _time = time;
        _began = _used = TimeSince.Start(time);
        _address = address;
        Expires = _began.Date + grant.LifeTime;
        Caller = new SessionCaller(this);
    }

    public SessionGrant Grant { get; }

    /// <summary>Names the session in messages and in the audit log. It is random too, so that it says nothing about the id.</summary>
    public string Mark { get; }

    public DateTimeOffset Created => _began.Date;

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
                    && _began.Elapsed(_time) < Grant.LifeTime && _used.Elapsed(_time) < BrowserSessions.IdleTime && Grant.IsInForce;
            }
        }
    }

    /// <summary>When the last request came, and from where.</summary>
    public (DateTimeOffset At, IPAddress? Address) LastUse
    {
        get
        {
            lock (_lock)
            {
                return (_used.Date, _address);
            }
        }
    }

    /// <summary>A request came.</summary>
    public void Use(IPAddress? address = null)
    {
        lock (_lock)
        {
            _used = TimeSince.Start(_time);
            _address = address ?? _address;
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
