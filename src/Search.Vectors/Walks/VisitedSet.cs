using System.Runtime.CompilerServices;

namespace Jackdaw.Search.Vectors.Walks;

/// <summary>The nodes that a walk has seen, by number: each has the version of the walk that saw it last. So a new walk clears nothing, until the version
/// wraps after 65,535 walks. One thread.</summary>
internal sealed unsafe class VisitedSet
{
    private ushort[] _stamps = [];
    private ushort _version;

    /// <summary>The stamp of a node of this walk. A node is seen when its stamp equals it.</summary>
    public ushort Version => _version;

    /// <summary>One stamp for each node; they do not move before the next <see cref="Begin"/>.</summary>
    public ushort* Stamps { get; private set; }

    /// <summary>Begins a walk, which has seen no node.</summary>
    /// <param name="nodes">The number of all nodes.</param>
    /// <param name="version">For tests of the wrap.</param>
    public void Begin(long nodes, ushort? version = null)
    {
        if (nodes > _stamps.Length)
        {
            _stamps = GC.AllocateArray<ushort>(checked((int)(nodes + (nodes / 2) + 1024)), pinned: true);
            Stamps = (ushort*)Unsafe.AsPointer(ref _stamps[0]);
            _version = 0;
        }

        _version = version ?? _version;
        if (++_version == 0)
        {
            Array.Clear(_stamps);
            _version = 1;
        }
    }

    /// <summary>Sees a node. Returns false when the walk has seen it before.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Visit(uint node)
    {
        bool isNew = Stamps[node] != _version;
        Stamps[node] = _version;
        return isNew;
    }
}
