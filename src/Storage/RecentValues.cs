using System.Diagnostics;

namespace Jackdaw.Storage;

/// <summary>The last values of an endless series. Thread safe.</summary>
/// <param name="capacity">Values kept.</param>
public sealed class RecentValues<T>(int capacity)
    where T : struct
{
    private readonly Lock _lock = new(); // guards the values and their number
    private readonly T[] _values = new T[capacity];
    private long _added;

    /// <summary>A copy, oldest first.</summary>
    public T[] ToArray()
    {
        lock (_lock)
        {
            int count = (int)Math.Min(_added, capacity);
            var copy = new T[count];
            for (int i = 0; i < count; i++)
            {
                copy[i] = _values[(_added - count + i) % capacity];
            }

            return copy;
        }
    }

    internal void Add(in T value)
    {
        lock (_lock)
        {
            Debug.Assert(_values.Length == capacity && capacity > 0);
            _values[_added % capacity] = value;
            _added++;
        }
    }
}
