using Jackdaw.Storage.Committing;
using Jackdaw.Storage.Flushing;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Resources;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Environments;

/// <summary>The storage as its committer and its flush thread see it.</summary>
public sealed partial class StorageEnvironment
{
    StorageShare ICommittingStorage.Share => _share;

    StorageShare IFlushedStorage.Share => _share;

    StorageHealth ICommittingStorage.Health => _health;

    StorageHealth IFlushedStorage.Health => _health;

    bool IFlushedStorage.TrimMemory() => TrimMemory();

    bool ICommittingStorage.IsWriting => _writer.IsWriting;

    PublishedStates IFlushedStorage.States => _states;

    SingleWriter IFlushedStorage.Writer => _writer;

    DataFile IFlushedStorage.DataFile => DataFile;

    ScratchPool IFlushedStorage.Scratch => Scratch;

    PageTable IFlushedStorage.Table => Table;

    JournalFolder IFlushedStorage.Journals => Journals;

    HeaderFile IFlushedStorage.Headers => Headers;

    /// <remarks>The observer is called in order without a lock: a transaction is submitted only after the one before it
    /// has completed, which happens after this call.</remarks>
    void ICommittingStorage.Publish(PendingCommit commit)
    {
        _states.Publish(commit.State);
        Statistics.Add(commit.Costs);
        _schedule.OnCommitted(commit.Costs.StoredBytes, commit.Costs.DirectBytes);
        _options.CommitObserver?.OnCommitted(commit.TransactionId, commit.State.ClientState);
    }

    void ICommittingStorage.OnJournalClosed() => OnJournalClosed();

    private void OnJournalClosed() => _schedule.OnJournalClosed();

    void ICommittingStorage.Release(PendingCommit commit) => _writer.Release(commit);
}
