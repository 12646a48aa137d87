using Jackdaw.Search.Queries;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>The entries with a node that has a score; theirs is that of their best node.</summary>
internal sealed unsafe class NodesMatcher(int field, NodeScores scores, CancellationToken cancellation) : Matcher
{
    private const int LookInterval = 4096;

    private int* _matching;
    private float* _best;
    private int _count;

    protected override (int Most, bool IsExact) BindCore()
    {
        _count = 0;
        var nodes = NumberView.Open(Segment, field, PartKind.Nodes);
        if (nodes.Exists)
        {
            Find(nodes);
        }

        return (_count, true);
    }

    protected override Found MatchCore()
    {
        int* list = Scratch.Take<int>(_count);
        new ReadOnlySpan<int>(_matching, _count).CopyTo(new Span<int>(list, _count));
        return Found.OfList(list, _count);
    }

    protected override int FilterCore(int* entries, int count) => PostingsFilter.Intersect(entries, count, _matching, _count);

    protected override void AddMatched(int* entries, int count, float* added, float factor)
    {
        for (int i = 0, at = 0; i < count && at < _count; i++)
        {
            while (at < _count && _matching[at] < entries[i])
            {
                at++;
            }

            if (at < _count && _matching[at] == entries[i])
            {
                added[i] += factor * _best[at];
            }
        }
    }

    protected override string Describe() => "cosine of the nearest vector";

    private void Find(in NumberView nodes)
    {
        int most = scores.Nodes is { } few ? CountOf(nodes, few) : nodes.Count;
        _matching = Segment.Arena.Take<int>(most);
        _best = Segment.Arena.Take<float>(most);
        if (scores.Nodes is { } named)
        {
            foreach (uint node in named)
            {
                (int first, int end) = nodes.Slice(node, node);
                AddSlice(nodes, first, end);
            }
        }
        else
        {
            AddSlice(nodes, 0, nodes.Count);
        }

        var found = new Span<int>(_matching, _count);
        found.Sort(new Span<float>(_best, _count));
        KeepBest();
    }

    private static int CountOf(in NumberView nodes, uint[] named)
    {
        int count = 0;
        foreach (uint node in named)
        {
            (int first, int end) = nodes.Slice(node, node);
            count += end - first;
        }

        return count;
    }

    private void AddSlice(in NumberView nodes, int first, int end)
    {
        for (int place = first; place < end; place++)
        {
            if ((place & (LookInterval - 1)) == 0)
            {
                cancellation.ThrowIfCancellationRequested();
            }

            if (scores.TryGet((uint)nodes.ValueAt(place), out float score))
            {
                _matching[_count] = nodes.EntryAt(place);
                _best[_count++] = score;
            }
        }
    }

    // An entry may have several nodes.
    private void KeepBest()
    {
        int kept = 0;
        for (int i = 0; i < _count; i++)
        {
            if (kept > 0 && _matching[kept - 1] == _matching[i])
            {
                _best[kept - 1] = Math.Max(_best[kept - 1], _best[i]);
            }
            else
            {
                _matching[kept] = _matching[i];
                _best[kept++] = _best[i];
            }
        }

        _count = kept;
    }
}
