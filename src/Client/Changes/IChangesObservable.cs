namespace Jackdaw.Client.Changes;

/// <summary>Changes of one kind. The server is asked for them while there are subscriptions.</summary>
/// <typeparam name="T">Type of the changes.</typeparam>
public interface IChangesObservable<out T> : IObservable<T>
{
    /// <summary>Completes when the server has confirmed: what is written from then on is told.</summary>
    /// <remarks>May come before the first subscription; the server then goes on telling until the last subscription ends.</remarks>
    /// <exception cref="Exceptions.DocumentDatabaseException">The server could not be reached or did not confirm. The client goes on trying.</exception>
    Task EnsureSubscribedNow();

    /// <summary>Calls the handler with each change, in the order of the writes, never two handlers of a database at once.</summary>
    /// <param name="handler">What it throws is told by <see cref="IDatabaseChanges.OnError"/>, and it is called again with the next change.</param>
    /// <returns>Ends the subscription when it is disposed.</returns>
    IDisposable Subscribe(Action<T> handler);
}
