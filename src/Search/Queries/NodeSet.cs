namespace Jackdaw.Search.Queries;

/// <summary>A set of nodes of a graph: a bit for each. One thread.</summary>
public sealed class NodeSet
{
    private readonly ulong[] _words;

    /// <param name="nodes">The number of all nodes.</param>
    public NodeSet(long nodes) => _words = new ulong[(nodes + 63) / 64];

    /// <summary>A bit for each node, from the lowest bit of the first word on.</summary>
    public ReadOnlySpan<ulong> Words => _words;

    /// <summary>The number of nodes in the set.</summary>
    public long Count { get; private set; }

    /// <summary>Adds a node; a number beyond the last node is left out.</summary>
    public void Add(uint node)
    {
        long word = node >> 6;
        ulong bit = 1UL << (int)(node & 63);
        if (word < _words.Length && (_words[word] & bit) == 0)
        {
            _words[word] |= bit;
            Count++;
        }
    }

    public void Remove(uint node)
    {
        if (Contains(node))
        {
            _words[node >> 6] &= ~(1UL << (int)(node & 63));
            Count--;
        }
    }

    public bool Contains(uint node) => node >> 6 < _words.Length && (_words[node >> 6] >> (int)(node & 63) & 1) != 0;
}
