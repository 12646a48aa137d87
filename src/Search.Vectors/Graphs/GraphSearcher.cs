using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Vectors.Codes;
using Jackdaw.Search.Vectors.Walks;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>Finds the nearest nodes of one snapshot. One thread at a time; used again for other snapshots.</summary>
internal sealed unsafe class GraphSearcher(VectorGraph graph)
{
    /// <summary>Fewer nodes than this are all compared: a walk would not be faster.</summary>
    public const int ScannedMax = 2000;

    /// <summary>The hits for which vectors are compared, however few are wanted.</summary>
    private const int ComparedHitsMin = 10;

    /// <summary>Where codes do not tell nodes apart, many lie about as near, and a walk needs more candidates.</summary>
    private const int BlurredWidth = 4;

    /// <summary>The nodes that a scan keeps. Their vectors say which are the nearest.</summary>
    private const int ScannedWidth = 100;

    private readonly GraphWalk _walk = new();
    private readonly float[] _vector = GC.AllocateUninitializedArray<float>(graph.Layout.Dimensions, pinned: true);
    private readonly byte[] _query = GC.AllocateUninitializedArray<byte>(graph.Layout.Code.QuerySize, pinned: true);
    private readonly List<ulong> _near = [];
    private readonly List<PageNumber> _ahead = [];
    private bool _isLarge; // the vectors do not stay in memory
    private (long Transaction, long Sequence) _state = (-1, -1);
    private long _compared;
    private long _matches;
    private int _width; // 0: all were compared

    public GraphView View { get; } = new(graph);

    public GraphWalk Walk => _walk;

    /// <summary>The candidates of the last walk; null when all vectors were compared.</summary>
    public int? Width => _width > 0 ? _width : null;

    /// <summary>How the last search went, for plans.</summary>
    public string Way => _width > 0 ? $"{_compared:N0} of {_matches:N0} compared at ef {_width}" : $"all {_matches:N0} compared";

    private VectorCode Code => graph.Layout.Code;

    private float* Vector => (float*)Unsafe.AsPointer(ref _vector[0]);

    private byte* Query => (byte*)Unsafe.AsPointer(ref _query[0]);

    /// <summary>Begins with a snapshot. Addresses of pages are valid for as long as the state is the same one.</summary>
    public void Begin(ReadTransaction read, in GraphHeader header)
    {
        (long Transaction, long Sequence) state = (read.TransactionId, read.State.Sequence);
        View.Begin(read.Trees, read, header, isSameState: _state == state);
        _state = state;
        _isLarge = graph.Layout.HasVectors && header.Nodes * (long)graph.Layout.VectorSize > GraphLimits.Memory;
    }

    /// <summary>Finds the nearest nodes that are not dead.</summary>
    /// <param name="query">As many numbers as the graph has dimensions; finite, not all 0.</param>
    /// <param name="count">The number that is wanted.</param>
    /// <param name="width">The candidates of a walk.</param>
    /// <param name="allowed">Null: all nodes.</param>
    /// <returns>Keys with the distance of the vectors, nearest first: <paramref name="count"/> whenever as many exist. Valid until the next search.
    /// </returns>
    public ReadOnlySpan<ulong> Find(ReadOnlySpan<float> query, int count, int width, NodeSet? allowed, CancellationToken cancellation)
    {
        SetQuery(query);
        GraphHeader header = View.Header;
        long matches = allowed?.Count ?? header.Live;
        width = Math.Max(width, count);
        if (matches == 0)
        {
            (_matches, _width) = (0, 0);
            return [];
        }

        if (IsScanBetter(header, matches, width) || !TryWalk(width, count, allowed, matches))
        {
            _walk.Scan(View, Query, ScanWidth(count), allowed, cancellation);
            (_matches, _width) = (matches, 0);
        }

        return Order(count);
    }

    /// <summary>Hides a node, and takes its vector for the query of <see cref="FindByWalk(int, int)"/> and <see cref="FindByScan"/>.</summary>
    /// <param name="node">Null: hides none.</param>
    public void Hide(uint? node)
    {
        _walk.Hidden = node;
        if (node is { } hidden)
        {
            View.CopyVector(hidden, _vector);
            Code.EncodeQuery(Vector, Query);
        }
    }

    /// <summary>Finds the nearest nodes by a walk, however few nodes there are.</summary>
    public ReadOnlySpan<ulong> FindByWalk(ReadOnlySpan<float> query, int count, int width)
    {
        SetQuery(query);
        return FindByWalk(count, width);
    }

    /// <inheritdoc cref="FindByWalk(ReadOnlySpan{float}, int, int)"/>
    public ReadOnlySpan<ulong> FindByWalk(int count, int width)
    {
        TryWalk(Math.Max(width, count), count, null, View.Header.Live);
        return Order(count);
    }

    /// <summary>Finds the nearest nodes by comparing all.</summary>
    public ReadOnlySpan<ulong> FindByScan(int count)
    {
        _walk.Scan(View, Query, ScanWidth(count), null, CancellationToken.None);
        return Order(count);
    }

    /// <summary>The cosines of all nodes with a query; NaN for nodes that are not live.</summary>
    public void FillCosines(ReadOnlySpan<float> query, Span<float> cosines, CancellationToken cancellation)
    {
        SetQuery(query);
        for (int node = 0; node < cosines.Length; node++)
        {
            if ((node & 0xFFFF) == 0)
            {
                cancellation.ThrowIfCancellationRequested();
            }

            cosines[node] = View.Flags((uint)node) == NodeFlags.None ? Math.Clamp(1 - View.VectorDistance(Vector, Query, (uint)node), -1, 1) : float.NaN;
        }
    }

    private int ScanWidth(int count) => Math.Max(ScannedWidth, 2 * ComparedOf(count));

    private int ComparedOf(int count) => Code.ComparedPerHit * Math.Max(ComparedHitsMin, count);

    private void SetQuery(ReadOnlySpan<float> query)
    {
        graph.Layout.Write(query, _vector);
        Code.EncodeQuery(Vector, Query);
    }

    // A walk with a filter computes about 15 x width x share^-0.8 distances, more when the filter is far from the query.
    private static bool IsScanBetter(in GraphHeader header, long matches, int width)
    {
        if (header.Live < ScannedMax)
        {
            return true;
        }

        double share = (double)matches / Math.Max(1, header.Nodes - header.Free);
        return matches <= 1.5 * 15 * width * Math.Pow(share, -0.8);
    }

    private bool TryWalk(int width, int count, NodeSet? allowed, long matches)
    {
        long before = _walk.Distances;
        uint entry = _walk.Descend(View, Query, 0);
        bool hasEnded = _walk.WalkLive(View, Query, 0, width, [entry], allowed, Math.Max(matches, width));
        if (_walk.IsBlurred(View, Query, width))
        {
            int wider = BlurredWidth * width;
            hasEnded = _walk.WalkLiveByVectors(View, Vector, Query, 0, wider, allowed, Math.Max(matches, wider));
        }

        // A part of the graph may be out of reach: then a scan finds what is missing.
        (_compared, _matches, _width) = (_walk.Distances - before, matches, width);
        return hasEnded && _walk.Found.Count >= Math.Min(count, matches);
    }

    // One call reads all vectors that will be compared, when they do not stay in memory: otherwise each would be waited for.
    private void ReadAhead(int count)
    {
        if (_isLarge)
        {
            _ahead.Clear();
            for (int i = 0; i < Math.Min(count, _walk.Found.Count); i++)
            {
                View.AddVectorPages(NodeKey.Node(_walk.Found[i]), _ahead);
            }

            View.Vectors.ReadAhead(CollectionsMarshal.AsSpan(_ahead));
        }
    }

    // Codes order only roughly. So the vectors of the first ones are compared, and of further ones for as long as their codes leave it open whether they are
    // among the nearest: of copies that hardly differ these are all.
    private ReadOnlySpan<ulong> Order(int count)
    {
        _near.Clear();
        int certain = ComparedOf(count);
        float uncertainty = Code.Uncertainty(Query);
        ReadAhead(certain);
        for (int i = 0; i < _walk.Found.Count; i++)
        {
            ulong key = _walk.Found[i];
            if (i == certain)
            {
                _near.Sort();
            }

            if (i >= certain && NodeKey.Distance(key) > NodeKey.Distance(_near[count - 1]) + uncertainty)
            {
                break;
            }

            uint node = NodeKey.Node(key);
            if (node != _walk.Hidden)
            {
                _near.Add(NodeKey.Of(View.VectorDistance(Vector, Query, node), node)); // A walk may have begun at the hidden one.
            }
        }

        _near.Sort();
        return CollectionsMarshal.AsSpan(_near)[..Math.Min(count, _near.Count)];
    }
}
