namespace Jackdaw.Storage.Merging;

/// <summary>Is told of each merged transaction that ended.</summary>
public interface IBatchObserver
{
    /// <summary>A merged transaction is durable and visible, or failed; its callers have not been answered yet. Thread pool, one call for
    /// each transaction, in any order. Must be short, for the callers wait, and must not throw.</summary>
    /// <param name="batch">Valid during the call only: its commands are reused afterwards.</param>
    void OnEnded(in EndedBatch batch);
}
