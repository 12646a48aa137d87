namespace Jackdaw.Storage;

/// <summary>Is notified of each committed transaction of a storage.</summary>
public interface ICommitObserver
{
    /// <summary>A transaction is durable and visible; callers waiting for it have not been notified yet. Called once
    /// for each transaction with changes, in the order of their ids, on the thread that wrote it: the next one is not
    /// written before this returns. Must be short, and must not throw. Not called for transactions that recovery
    /// finds.</summary>
    /// <param name="transactionId">Its id.</param>
    /// <param name="clientState">What the layer above attached to the transaction, or to the latest earlier one with an
    /// attachment.</param>
    void OnCommitted(long transactionId, object? clientState);
}
