namespace Jackdaw.Search.Vectors.Walks;

/// <summary>Nodes to which a walk may go next; the nearest comes first. One thread.</summary>
internal sealed class KeyHeap
{
    private ulong[] _keys = new ulong[256];

    public int Count { get; private set; }

    public void Clear() => Count = 0;

    public void Push(ulong key)
    {
        if (Count == _keys.Length)
        {
            Array.Resize(ref _keys, 2 * Count);
        }

        int at = Count++;
        while (at > 0 && _keys[(at - 1) >> 1] > key)
        {
            _keys[at] = _keys[(at - 1) >> 1];
            at = (at - 1) >> 1;
        }

        _keys[at] = key;
    }

    /// <summary>Takes the nearest; the heap is not empty.</summary>
    public ulong Pop()
    {
        ulong top = _keys[0];
        ulong key = _keys[--Count];
        int at = 0;
        for (int child = 1; child < Count; child = (2 * at) + 1)
        {
            if (child + 1 < Count && _keys[child + 1] < _keys[child])
            {
                child++;
            }

            if (_keys[child] >= key)
            {
                break;
            }

            _keys[at] = _keys[child];
            at = child;
        }

        _keys[at] = key;
        return top;
    }
}
