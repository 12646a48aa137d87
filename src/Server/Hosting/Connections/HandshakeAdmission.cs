using System.Net;

namespace Jackdaw.Server.Hosting.Connections;

/// <summary>Bounds what connections cost before the server knows who sends, and how many may stay that it does not know.</summary>
/// <remarks>
/// Any thread. The way of a connection: <see cref="TryAdmit"/> when it is accepted, <see cref="HandshakeLease.BeginAsync"/> when it has sent something,
/// <see cref="HandshakeLease.TryFinish"/> when the handshake is done, and its disposal when it is closed. A handshake of a known client is not counted, so
/// that only strangers and mistakes use up the rate of their address.
/// </remarks>
internal sealed class HandshakeAdmission : IDisposable
{
    /// <summary>The pause between two searches for senders that can be forgotten: one looks at all of them.</summary>
    private static readonly TimeSpan s_pruneInterval = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new(); // guards everything below but the semaphore
    private readonly Dictionary<IPAddress, HandshakeSender> _senders = [];
    private readonly HandshakeSender _others;
    private readonly SemaphoreSlim _running;
    private TokenBucket _bucket;
    private int _pending;
    private int _unknown;
    private long _pruned;

    public HandshakeAdmission(TimeProvider time, HandshakeLimits limits)
    {
        Time = time;
        Limits = limits;
        _running = new SemaphoreSlim(limits.RunningMax, limits.RunningMax);
        _pruned = time.GetTimestamp();
        _bucket = new TokenBucket(limits.PerSecond, limits.Burst, _pruned, time);
        _others = new HandshakeSender(limits, _pruned, time);
    }

    public TimeProvider Time { get; }

    public HandshakeLimits Limits { get; }

    /// <summary>The connections whose handshake is not finished.</summary>
    public int Pending
    {
        get
        {
            lock (_lock)
            {
                return _pending;
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

    /// <summary>Takes a place for a new connection.</summary>
    /// <param name="address">Of the sender; null when it has none, as in a process of its own.</param>
    /// <returns>Null when the connection must be closed.</returns>
    public HandshakeLease? TryAdmit(IPAddress? address)
    {
        lock (_lock)
        {
            HandshakeSender sender = FindSender(address);
            if (_pending >= Limits.PendingMax || sender.Pending >= Limits.PendingOfSenderMax)
            {
                return null;
            }

            _pending++;
            sender.Pending++;
            return new HandshakeLease(this, sender);
        }
    }

    public void Dispose() => _running.Dispose();

    /// <summary>Takes a token, and tells how long to wait before it is there; null when that is too long.</summary>
    internal TimeSpan? Take(HandshakeSender sender)
    {
        lock (_lock)
        {
            long now = Time.GetTimestamp();
            TimeSpan ofSender = sender.Bucket.WaitAt(now);
            TimeSpan ofAll = _bucket.WaitAt(now);
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

    internal async Task EnterAsync(HandshakeSender sender, CancellationToken cancellationToken)
    {
        await sender.Running.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await _running.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            sender.Running.Release();
            throw;
        }
    }

    internal void Leave(HandshakeSender sender)
    {
        _running.Release();
        sender.Running.Release();
    }

    /// <summary>A connection has finished its handshake.</summary>
    /// <returns>False when it must be closed, because too many of its kind are open.</returns>
    internal bool TryFinish(HandshakeSender sender, bool isKnown)
    {
        lock (_lock)
        {
            if (isKnown)
            {
                sender.Bucket.GiveBack();
                _bucket.GiveBack();
            }
            else if (_unknown >= Limits.UnknownMax || sender.Unknown >= Limits.UnknownOfSenderMax)
            {
                return false;
            }
            else
            {
                _unknown++;
                sender.Unknown++;
            }

            _pending--;
            sender.Pending--;
            return true;
        }
    }

    internal void Close(HandshakeSender sender, bool isPending, bool isUnknown)
    {
        lock (_lock)
        {
            _pending -= isPending ? 1 : 0;
            sender.Pending -= isPending ? 1 : 0;
            _unknown -= isUnknown ? 1 : 0;
            sender.Unknown -= isUnknown ? 1 : 0;
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
        if (_senders.Count >= Limits.SendersMax && Time.GetElapsedTime(_pruned, now) >= s_pruneInterval)
        {
            _pruned = now;
            foreach ((IPAddress old, _) in _senders.Where(pair => pair.Value.IsIdle(now)).ToArray())
            {
                _senders.Remove(old);
            }
        }

        return _senders.Count >= Limits.SendersMax ? _others : _senders[key] = new HandshakeSender(Limits, now, Time);
    }
}
