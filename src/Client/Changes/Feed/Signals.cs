namespace Jackdaw.Client.Changes.Feed;

/// <summary>An item in the queue of handlers: the connection was made, or was lost.</summary>
internal sealed record ConnectionSignal(bool IsConnected) : ChangeItem;

/// <summary>An item in the queue of handlers: something failed.</summary>
internal sealed record ErrorSignal(Exception Error) : ChangeItem;
