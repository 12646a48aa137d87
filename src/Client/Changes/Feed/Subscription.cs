namespace Jackdaw.Client.Changes.Feed;

/// <summary>One who is called with changes.</summary>
internal abstract class Subscription(Watch watch)
{
    public Watch Watch => watch;

    /// <summary>Calls it, unless it has ended.</summary>
    public abstract void Tell(ChangeItem item);

    /// <summary>Tells it that nothing comes any more.</summary>
    public abstract void Complete();
}
