namespace Jackdaw.Client.Changes;

/// <summary>Changes of one kind. The server is asked for them while there are subscriptions.</summary>
/// <typeparam name="T">Type of the changes.</typeparam>
public interface IChangesObservable<out T> : IObservable<T>
{
    /// <summary>Completes when the server has confirmed the watch. What is written from then on is reported.</summary>
    /// <remarks>It may be called before the first subscription. The server then sends notices until the last subscription ends.</remarks>
    /// <exception cref="Exceptions.DocumentDatabaseException">The server could not be reached or did not confirm. The client goes on
    /// trying.</exception>
    Task EnsureSubscribedNow();

    /// <summary>Calls the handler with each change, in the order of the writes. Two handlers of a database never run at the same time.</summary>
    /// <param name="handler">When it throws, <see cref="IDatabaseChanges.OnError"/> reports the exception, and it is called again with the next
    /// change.</param>
    /// <returns>Ends the subscription when it is disposed.</returns>
    IDisposable Subscribe(Action<T> handler);
}
