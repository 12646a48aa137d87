namespace Jackdaw.Documents.Expiration;

/// <summary>A clock whose date can be set while the server runs. Its timestamps and timers are not affected, because they measure how long something takes, on
/// any date.</summary>
internal interface ISettableClock
{
    /// <summary>Raised when the date was set, and <see cref="TimeProvider.GetUtcNow"/> gives the new one. It runs on the thread that set the date.</summary>
    event Action WasSet;
}
