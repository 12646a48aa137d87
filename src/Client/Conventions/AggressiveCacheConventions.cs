namespace Jackdaw.Client.Conventions;

/// <summary>How reads are answered from memory within scopes of aggressive caching that say nothing else.</summary>
/// <remarks>Changed before the store is initialized, as all conventions.</remarks>
public sealed class AggressiveCacheConventions
{
    private readonly DocumentConventions _owner;

    internal AggressiveCacheConventions(DocumentConventions owner) => _owner = owner;

    /// <summary>How long after it was verified an answer is given without a request. At least a second; default a day.</summary>
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

    /// <summary>For <see cref="AggressiveCacheMode.BackgroundRefresh"/>: how long an answer that may be old is given while it is renewed. Default 5
    /// seconds.</summary>
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
