namespace Jackdaw.Client.Changes.Feed;

/// <summary>One notice of a frame.</summary>
/// <param name="CommandId">Of a confirmation.</param>
/// <param name="Change">Of a change; a gap is one.</param>
/// <param name="Cache">Of a change that concerns caches.</param>
/// <param name="Text">Of an error.</param>
/// <param name="Bytes">Length of its JSON, for the bounds of queues.</param>
internal readonly record struct Notice(
    NoticeKind Kind, long CommandId = 0, ChangeItem? Change = null, CacheChange? Cache = null, string? Text = null, int Bytes = 0);

internal enum NoticeKind
{
    /// <summary>One that this version does not know: it is passed over.</summary>
    None,
    Confirmation,
    Error,
    Change,
    Cache,
}
