namespace Jackdaw.Client.Changes.Feed;

/// <summary>Among the changes for handlers: the connection is there, or no longer.</summary>
internal sealed record ConnectionSignal(bool IsConnected) : ChangeItem;

/// <summary>Among the changes for handlers: something failed.</summary>
internal sealed record ErrorSignal(Exception Error) : ChangeItem;
