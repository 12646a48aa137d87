namespace Jackdaw.Client.Sessions.Events;

/// <summary>Tells the handlers of one session.</summary>
internal sealed class SessionNotifier
{
    /// <summary>The session as users see it.</summary>
    public SessionEventSource? Session { get; set; }

    public SessionHandlers Handlers => Session?.Handlers ?? SessionHandlers.None;

    /// <summary>Tells that something happens, if anybody wants to know.</summary>
    /// <returns>Null: nobody does.</returns>
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
