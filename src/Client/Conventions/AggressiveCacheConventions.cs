namespace Jackdaw.Client.Conventions;

/// <summary>How reads are answered from memory within scopes of aggressive caching, unless the scope says otherwise.</summary>
/// <remarks>As all conventions, they are changed before the store is initialized.</remarks>
public sealed class AggressiveCacheConventions
{
    private readonly DocumentConventions _owner;

    internal AggressiveCacheConventions(DocumentConventions owner) => _owner = owner;

    /// <summary>How long an answer is used without a request after it was verified. At least a second; the default is a day.</summary>
    public TimeSpan Duration
    {
        get;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.FromSeconds(1));
            field = _owner.Changed(value);
        }
    } = TimeSpan.FromDays(1);

    /// <summary>Default: <see cref="AggressiveCacheMode.TrackChanges"/>.</summary>
    public AggressiveCacheMode Mode { get; set => field = _owner.Changed(value); }

    /// <summary>For <see cref="AggressiveCacheMode.BackgroundRefresh"/>: how long an answer that may be old is still used while it is renewed. The
    /// default is 5 seconds.</summary>
    public TimeSpan MaxStaleness
    {
        get;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
            field = _owner.Changed(value);
        }
    } = TimeSpan.FromSeconds(5);
}
