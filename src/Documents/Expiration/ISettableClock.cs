namespace Jackdaw.Documents.Expiration;

/// <summary>A clock whose date can be set while the server runs. Its timestamps and timers go on as before: they measure how long something takes,
/// whatever date it is.</summary>
internal interface ISettableClock
{
    /// <summary>The date was set, and <see cref="TimeProvider.GetUtcNow"/> gives the new one. On the thread of whoever set it.</summary>
    event Action WasSet;
}
