using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Detects that two calls use one session at the same time.</summary>
/// <remarks>This is not a lock and makes nothing safe. It reports the mistake before it can break the identity map.</remarks>
internal sealed class SessionUse
{
    private string? _call;
    private bool _isEnded;
    private string? _id; // that of the previous call, if two calls meet at the moment when one begins

    /// <summary>Begins a call.</summary>
    /// <param name="call">The method that the user calls, and where. When two calls meet, both are named.</param>
    /// <param name="id">Id of the document, if the call concerns a single one; null if the call's text names everything.</param>
    /// <exception cref="ConcurrentSessionUseException">Another call has not ended.</exception>
    /// <exception cref="ObjectDisposedException">The session is disposed.</exception>
    public Scope Begin(string call, string? id = null)
    {
        ThrowIfEnded();
        string? other = Interlocked.CompareExchange(ref _call, call, null);
        if (other is not null)
        {
            throw new ConcurrentSessionUseException(
                $"{Text(call, id)} began while {Text(other, Volatile.Read(ref _id))} of the same session had not ended. " +
                "A session belongs to one flow of work: await each call, or open a session for each flow.");
        }

        Volatile.Write(ref _id, id);
        return new Scope(this);
    }

    /// <summary>Notes that the session is disposed.</summary>
    public void End() => _isEnded = true;

    /// <exception cref="ObjectDisposedException">The session is disposed.</exception>
    public void ThrowIfEnded()
    {
        if (_isEnded)
        {
            throw new ObjectDisposedException(
                "IDocumentSession", "The session is disposed. Await its calls before the end of its using block, or open a session for what runs later.");
        }
    }

    private static string Text(string call, string? id) => id is null ? call : $"{call}(\"{id}\")";

    public readonly struct Scope(SessionUse use) : IDisposable
    {
        public void Dispose() => Volatile.Write(ref use._call, null);
    }
}
