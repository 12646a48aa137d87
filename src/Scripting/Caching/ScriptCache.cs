using Jackdaw.Scripting.Projections;

namespace Jackdaw.Scripting.Caching;

/// <summary>Parsed scripts by what they were made from: queries with one text share one.</summary>
/// <remarks>Any thread. At most <see cref="EntriesMax"/>; those that were not used lately go first.</remarks>
/// <typeparam name="TScript">What is kept, such as <see cref="ScriptProjection"/>.</typeparam>
internal sealed class ScriptCache<TScript>
    where TScript : class
{
    /// <summary>Scripts that are kept. A parsed one takes about 40 bytes per character: 256 of 1 KB are 10 MB.</summary>
    public const int EntriesMax = 256;

    private readonly Lock _lock = new();

    // Guarded by _lock; the one used last stands first in the list.
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

    /// <summary>The script of a key, made if it is not kept.</summary>
    /// <param name="key">All that the script is made from.</param>
    /// <param name="make">Called outside of the lock, so that it may be called twice at once.</param>
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
