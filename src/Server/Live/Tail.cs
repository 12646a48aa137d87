namespace Jackdaw.Server.Live;

/// <summary>The newest entries of something that goes on, numbered from 1. Older ones make room. Any thread.</summary>
/// <param name="entriesMax">The most entries that are kept.</param>
internal sealed class Tail<T>(int entriesMax)
{
    private readonly Lock _lock = new();
    private readonly T[] _kept = new T[entriesMax]; // the entry with the number n stands at n - 1 modulo its length
    private long _newest;

    /// <summary>The number of the newest entry; 0 while there is none.</summary>
    public long Newest => Volatile.Read(ref _newest);

    public void Add(T entry)
    {
        lock (_lock)
        {
            _kept[_newest % _kept.Length] = entry;
            Volatile.Write(ref _newest, _newest + 1);
        }
    }

    /// <summary>Copies the kept entries after a number, oldest first.</summary>
    /// <param name="after">0 for all.</param>
    /// <param name="found">Gets the entries.</param>
    /// <returns>The number of the newest entry, and how many after the given number are no longer kept.</returns>
    public (long Newest, long Missed) Read(long after, List<T> found)
    {
        lock (_lock)
        {
            long first = Math.Max(after, _newest - _kept.Length);
            for (long number = first; number < _newest; number++)
            {
                found.Add(_kept[number % _kept.Length]);
            }

            return (_newest, first - after);
        }
    }
}
