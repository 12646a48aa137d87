namespace Jackdaw.Client.Sessions.Events;

/// <summary>Calls the handlers of one session.</summary>
internal sealed class SessionNotifier
{
    /// <summary>The session as users see it.</summary>
    public SessionEventSource? Session { get; set; }

    public SessionHandlers Handlers => Session?.Handlers ?? SessionHandlers.None;

    /// <summary>Raises an event, if it has a handler.</summary>
    /// <returns>Null if there is no handler.</returns>
    public TArgs? Tell<TArgs, TState>(EventHandler<TArgs>? handler, TState state, Func<TState, TArgs> make)
        where TArgs : EventArgs
    {
        if (handler is null)
        {
            return null;
        }

        TArgs args = make(state);
        handler(Session, args);
        return args;
    }
}
