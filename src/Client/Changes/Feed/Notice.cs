namespace Jackdaw.Client.Changes.Feed;

/// <summary>One notice of a frame.</summary>
/// <param name="CommandId">The command that a confirmation belongs to.</param>
/// <param name="Change">The change; a gap is one, too.</param>
/// <param name="Cache">The change, when it concerns caches.</param>
/// <param name="Text">The text of an error.</param>
/// <param name="Bytes">Length of its JSON, for the bounds of queues.</param>
internal readonly record struct Notice(
    NoticeKind Kind, long CommandId = 0, ChangeItem? Change = null, CacheChange? Cache = null, string? Text = null, int Bytes = 0);

internal enum NoticeKind
{
    /// <summary>A notice that this version does not know. It is skipped.</summary>
    None,
    Confirmation,
    Error,
    Change,
    Cache,
}
