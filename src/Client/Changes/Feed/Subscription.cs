namespace Jackdaw.Client.Changes.Feed;

/// <summary>A handler that is called with changes.</summary>
internal abstract class Subscription(Watch watch)
{
    public Watch Watch => watch;

    /// <summary>Calls the handler, unless the subscription has ended.</summary>
    public abstract void Tell(ChangeItem item);

    /// <summary>Notifies it that no more changes come.</summary>
    public abstract void Complete();
}
