using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Finds out that two calls use one session at the same time.</summary>
/// <remarks>Not a lock: it makes nothing safe, it tells the mistake instead of a broken identity map.</remarks>
internal sealed class SessionUse
{
    private string? _call;

    /// <summary>Begins a call.</summary>
    /// <param name="call">What the user calls, with where: both are named when two meet.</param>
    /// <exception cref="ConcurrentSessionUseException">Another call has not ended.</exception>
    public Scope Begin(string call)
    {
        string? other = Interlocked.CompareExchange(ref _call, call, null);
        return other is null
            ? new Scope(this)
            : throw new ConcurrentSessionUseException(
                $"{call} began while {other} of the same session had not ended. A session belongs to one flow of work: " +
                "await each call, or open a session for each flow.");
    }

    public readonly struct Scope(SessionUse use) : IDisposable
    {
        public void Dispose() => Volatile.Write(ref use._call, null);
    }
}
