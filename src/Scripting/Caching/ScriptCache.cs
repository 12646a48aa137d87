using Jackdaw.Scripting.Projections;

namespace Jackdaw.Scripting.Caching;

/// <summary>Caches parsed scripts by what they were made from: queries with the same text share a script.</summary>
/// <remarks>Can be used on any thread. It holds at most <see cref="EntriesMax"/> scripts; the least recently used one is dropped first.</remarks>
/// <typeparam name="TScript">What is cached, such as <see cref="ScriptProjection"/>.</typeparam>
internal sealed class ScriptCache<TScript>
    where TScript : class
{
    /// <summary>Number of scripts in the cache. A parsed script takes about 40 bytes per character: 256 scripts of 1 KB take 10 MB.</summary>
    public const int EntriesMax = 256;

    private readonly Lock _lock = new();

    // Guarded by _lock. The most recently used script is first in the list.
    private readonly Dictionary<string, LinkedListNode<(string Key, TScript Script)>> _entries =
        new(StringComparer.Ordinal);

    private readonly LinkedList<(string Key, TScript Script)> _order = [];

    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _entries.Count;
            }
        }
    }

    /// <summary>The script for a key. It is made if it is not cached.</summary>
    /// <param name="key">All that the script is made from.</param>
    /// <param name="make">Makes the script. It is called outside of the lock, so two threads may call it at the same time.</param>
    public TScript GetOrAdd(string key, Func<TScript> make)
    {
        lock (_lock)
        {
            if (_entries.TryGetValue(key, out LinkedListNode<(string Key, TScript Script)>? found))
            {
                _order.Remove(found);
                _order.AddFirst(found);
                return found.Value.Script;
            }
        }

        TScript made = make();
        lock (_lock)
        {
            if (_entries.TryGetValue(key, out LinkedListNode<(string Key, TScript Script)>? other))
            {
                return other.Value.Script;
            }

            _entries.Add(key, _order.AddFirst((key, made)));
            if (_entries.Count > EntriesMax)
            {
                _entries.Remove(_order.Last!.Value.Key);
                _order.RemoveLast();
            }
        }

        return made;
    }
}
