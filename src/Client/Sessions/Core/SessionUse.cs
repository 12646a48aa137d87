using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Finds out that two calls use one session at the same time.</summary>
/// <remarks>Not a lock: it makes nothing safe, it tells the mistake instead of a broken identity map.</remarks>
internal sealed class SessionUse
{
    private string? _call;
    private string? _id; // of the call before, if two meet just when one begins

    /// <summary>Begins a call.</summary>
    /// <param name="call">What the user calls, with where: both are named when two meet.</param>
    /// <param name="id">Of the one document that it is about; null: the call's text names all.</param>
    /// <exception cref="ConcurrentSessionUseException">Another call has not ended.</exception>
    public Scope Begin(string call, string? id = null)
    {
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

    private static string Text(string call, string? id) => id is null ? call : $"{call}(\"{id}\")";

    public readonly struct Scope(SessionUse use) : IDisposable
    {
        public void Dispose() => Volatile.Write(ref use._call, null);
    }
}
