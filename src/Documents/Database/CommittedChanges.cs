using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Schedules;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Database;

/// <summary>Passes the commits of a storage on to the change feed of its database.</summary>
internal sealed class CommittedChanges : ICommitObserver
{
    /// <summary>The feed; null while the database is being opened, when nobody can have subscribed.</summary>
    public ChangeFeed? Feed { get; set; }

    /// <summary>Is notified when a scheduled time was added.</summary>
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
