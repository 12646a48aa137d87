namespace Jackdaw.Client.Sessions;

/// <summary>A session was opened.</summary>
public sealed class SessionCreatedEventArgs(IAdvancedSessionOperations session) : EventArgs
{
    /// <summary>The session, which has done nothing yet.</summary>
    public IAdvancedSessionOperations Session => session;
}

/// <summary>A session is disposed.</summary>
public sealed class SessionDisposingEventArgs(IAdvancedSessionOperations session) : EventArgs
{
    /// <summary>The session, with everything that it knows.</summary>
    public IAdvancedSessionOperations Session => session;
}
