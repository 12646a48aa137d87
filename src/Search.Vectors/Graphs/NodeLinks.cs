namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>The neighbours that were chosen for one new node, level by level.</summary>
internal sealed class NodeLinks
{
    private readonly int[] _counts = new int[GraphLimits.LevelMax + 1];
    private ulong[] _keys = [];
    private int _edges;

    /// <summary>The highest level with neighbours.</summary>
    public int Top { get; private set; }

    public void Begin(int top, int edges)
    {
        (Top, _edges) = (top, edges);
        if (_keys.Length < (top + 1) * edges)
        {
            _keys = new ulong[(top + 1) * edges];
        }
    }

    public void Set(int level, ReadOnlySpan<ulong> keys)
    {
        keys.CopyTo(_keys.AsSpan(level * _edges));
        _counts[level] = keys.Length;
    }

    public ReadOnlySpan<ulong> Of(int level) => _keys.AsSpan(level * _edges, _counts[level]);
}
