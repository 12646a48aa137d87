namespace Jackdaw.Server.Notices;

/// <summary>Why a reader ends.</summary>
/// <param name="Reason">For its client.</param>
internal sealed record NoticeEnd(NoticeEndKind Kind, string Reason);

/// <summary>Kinds of ends.</summary>
internal enum NoticeEndKind
{
    /// <summary>The server stops, or the database is closed or deleted.</summary>
    Away,

    /// <summary>The client said that it ends.</summary>
    Closed,

    /// <summary>The client sent something that is no command.</summary>
    BadCommand,

    /// <summary>The client may not watch what it asked for.</summary>
    Denied,

    /// <summary>The client sent a message that is too large.</summary>
    TooLarge,

    /// <summary>The client sent bytes that are not text.</summary>
    NotText,

    /// <summary>The client missed notices, and has not asked to be told which.</summary>
    Missed,
}
