using System.Net;

namespace Jackdaw.Server.Hosting.Connections;

/// <summary>Bounds what connections cost before the server knows who sends, and how many may stay that it does not know.</summary>
/// <remarks>
/// Any thread. The way of a connection: <see cref="Admit"/> when it is accepted, <see cref="HandshakeLease.BeginAsync"/> when it has sent something,
/// <see cref="HandshakeLease.TryFinish"/> when the handshake is done, and its disposal when it is closed. A handshake of a known client is not counted, so
/// that only strangers and mistakes use up the rate of their address.
/// </remarks>
internal sealed class HandshakeAdmission
{
    /// <summary>The pause between two searches for senders that can be forgotten: one looks at all of them.</summary>
    private static readonly TimeSpan s_pruneInterval = TimeSpan.FromSeconds(1);

    private readonly HandshakeLimits _limits;
    private readonly Lock _lock = new(); // guards everything below
    private readonly Dictionary<IPAddress, HandshakeSender> _senders = [];
    private readonly HandshakeSender _others;
    private readonly LeaseQueue _pending;
    private readonly LeaseQueue _unknown;
    private TokenBucket _bucket;
    private long _pruned;

    public HandshakeAdmission(TimeProvider time, HandshakeLimits limits)
    {
        Time = time;
        _limits = limits;
        _pending = new LeaseQueue(limits.PendingMax, limits.PendingOfSenderMax);
        _unknown = new LeaseQueue(limits.UnknownMax, limits.UnknownOfSenderMax);
        _pruned = time.GetTimestamp();
        _bucket = new TokenBucket(limits.PerSecond, limits.Burst, _pruned, time);
        _others = new HandshakeSender(limits, _pruned, time);
    }

    public TimeProvider Time { get; }

    /// <summary>The connections whose handshake is not finished.</summary>
    public int Pending
    {
        get
        {
            lock (_lock)
            {
                return _pending.Count;
            }
        }
    }

    /// <summary>The senders that are counted each for itself.</summary>
    public int SenderCount
    {
        get
        {
            lock (_lock)
            {
                return _senders.Count;
            }
        }
    }

    /// <summary>Takes a place for a new connection, if need be that of the oldest one.</summary>
    /// <param name="address">Of the sender; null when it has none, as in a process of its own.</param>
    /// <param name="abort">Ends the connection; must not block.</param>
    public HandshakeLease Admit(IPAddress? address, Action abort)
    {
        HandshakeLease lease;
        HandshakeLease? oldest;
        lock (_lock)
        {
            HandshakeSender sender = FindSender(address);
            lease = new HandshakeLease(this, sender, abort);
            oldest = _pending.Add(lease, sender.Pending);
        }

        oldest?.Abort();
        return lease;
    }

    /// <summary>Takes a token, and tells how long to wait before it is there; null when that is too long.</summary>
    internal TimeSpan? Take(HandshakeSender sender)
    {
        lock (_lock)
        {
            long now = Time.GetTimestamp();
            TimeSpan ofSender = sender.Bucket.WaitAt(now);
            TimeSpan ofAll = sender.HasKnown ? TimeSpan.Zero : _bucket.WaitAt(now);
            TimeSpan wait = ofSender > ofAll ? ofSender : ofAll;
            if (wait >= HandshakeLimits.Time)
            {
                return null;
            }

            sender.Bucket.Take();
            _bucket.Take();
            return wait;
        }
    }

    /// <summary>A connection has finished its handshake.</summary>
    /// <returns>False when it has been ended in the meantime.</returns>
    internal bool TryFinish(HandshakeLease lease, bool isKnown)
    {
        HandshakeLease? oldest = null;
        lock (_lock)
        {
            if (lease.Queue is null)
            {
                return false;
            }

            _pending.Remove(lease);
            if (isKnown)
            {
                lease.Sender.HasKnown = lease.Sender != _others;
                lease.Sender.Bucket.GiveBack();
                _bucket.GiveBack();
            }
            else
            {
                oldest = _unknown.Add(lease, lease.Sender.Unknown);
            }
        }

        oldest?.Abort();
        return true;
    }

    internal void Close(HandshakeLease lease)
    {
        lock (_lock)
        {
            lease.Queue?.Remove(lease);
        }
    }

    // Addresses of known clients go last: strangers with many addresses must not take away what their certificates have earned.
    private void Prune(long now)
    {
        KeyValuePair<IPAddress, HandshakeSender>[] idle = [.. _senders.Where(pair => pair.Value.IsIdle(now))];
        bool hasStrangers = Array.Exists(idle, pair => !pair.Value.HasKnown);
        foreach ((IPAddress old, HandshakeSender sender) in idle)
        {
            if (!sender.HasKnown || !hasStrangers)
            {
                _senders.Remove(old);
            }
        }
    }

    private HandshakeSender FindSender(IPAddress? address)
    {
        if (address is null)
        {
            return _others;
        }

        IPAddress key = NetworkAddresses.ToSender(address);
        if (_senders.TryGetValue(key, out HandshakeSender? sender))
        {
            return sender;
        }

        long now = Time.GetTimestamp();
        if (_senders.Count >= _limits.SendersMax && Time.GetElapsedTime(_pruned, now) >= s_pruneInterval)
        {
            _pruned = now;
            Prune(now);
        }

        return _senders.Count >= _limits.SendersMax ? _others : _senders[key] = new HandshakeSender(_limits, now, Time);
    }
}
