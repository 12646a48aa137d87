using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Schedules;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Database;

/// <summary>Passes the commits of a storage on to the change feed of its database.</summary>
internal sealed class CommittedChanges : ICommitObserver
{
    /// <summary>Null while the database is being opened: nobody can have subscribed.</summary>
    public ChangeFeed? Feed { get; set; }

    /// <summary>Told when something will happen at a time.</summary>
    public ScheduleSignal Schedule { get; } = new();

    public void OnCommitted(long transactionId, object? clientState)
    {
        if (clientState is DocumentsState state)
        {
            Feed?.Publish(transactionId, state.LastEtag);
            Schedule.Note(state.EarliestScheduled);
        }
    }
}
