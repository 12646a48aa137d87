namespace Jackdaw.Server.Notices;

/// <summary>Why a reader ends.</summary>
/// <param name="Reason">The reason, as a text for its client.</param>
internal sealed record NoticeEnd(NoticeEndKind Kind, string Reason);

/// <summary>Kinds of ends.</summary>
internal enum NoticeEndKind
{
    /// <summary>The server stops, or the database is closed or deleted.</summary>
    Away,

    /// <summary>The client closed the connection.</summary>
    Closed,

    /// <summary>The client sent a message that is not a command.</summary>
    BadCommand,

    /// <summary>The client may not watch what it asked for.</summary>
    Denied,

    /// <summary>The client sent a message that is too large.</summary>
    TooLarge,

    /// <summary>The client sent bytes that are not text.</summary>
    NotText,

    /// <summary>The client missed notices, and has not asked for gaps.</summary>
    Missed,
}
