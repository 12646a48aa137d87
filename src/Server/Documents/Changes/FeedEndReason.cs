namespace Jackdaw.Server.Documents.Changes;

/// <summary>Why a feed ended for a consumer.</summary>
public enum FeedEndReason
{
    /// <summary>It has not ended.</summary>
    None,

    /// <summary>The consumer unsubscribed.</summary>
    Unsubscribed,

    /// <summary>The database was closed: switched off, or the server stops. Its next opening has a feed again.</summary>
    DatabaseClosed,

    /// <summary>The database is being deleted.</summary>
    DatabaseDeleted,

    /// <summary>The storage stopped after a failure. The database is opened again and recovered; then it has a feed again.</summary>
    StorageFailed,
}
