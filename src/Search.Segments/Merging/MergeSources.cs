using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Search.Segments.Merging;

/// <summary>The segments that become one, and the numbers that their entries get. The thread of the index.</summary>
internal sealed unsafe class MergeSources : IDisposable
{
    private readonly Arena _arena = new();
    private readonly Arena _scratch = new();
    private readonly SegmentView[] _views;
    private readonly NativeList<int>[] _maps;

    /// <param name="pages">The transaction that sees the state.</param>
    /// <param name="first">The first of the segments in the state; they are neighbours.</param>
    public MergeSources(PageReader pages, SegmentState state, int first, int count)
    {
        Ids = [.. state.Segments.Skip(first).Take(count).Select(segment => segment.Id)];
        _views = [.. Ids.Select(_ => new SegmentView())];
        _maps = [.. Ids.Select(_ => new NativeList<int>())];
        Open(pages, state);
        for (int i = 0; i < count; i++)
        {
            SegmentView view = _views[i];
            int* map = _maps[i].Resize(view.Entries);
            for (int entry = 0; entry < view.Entries; entry++)
            {
                map[entry] = view.IsDeleted(entry) ? -1 : Entries++;
            }
        }
    }

    /// <summary>The ids of the segments.</summary>
    public long[] Ids { get; }

    public int Count => Ids.Length;

    /// <summary>The entries that stay.</summary>
    public int Entries { get; private set; }

    /// <summary>The segments, open in the current transaction.</summary>
    public IReadOnlyList<SegmentView> Views => _views;

    /// <summary>Memory for views, as long as they are open.</summary>
    public Arena Arena => _arena;

    /// <summary>Memory for the work of a step.</summary>
    public Arena Scratch => _scratch;

    /// <summary>For each entry of a segment its new number; -1 for one that was deleted when the merge began.</summary>
    public int* MapOf(int source) => _maps[source].Items;

    /// <summary>Opens the segments in another transaction. Everything that was read from them before is no longer valid.</summary>
    public void Open(PageReader pages, SegmentState state)
    {
        _arena.Reset();
        _scratch.Reset();
        for (int i = 0; i < Count; i++)
        {
            _views[i].Open(pages, state, state.IndexOf(Ids[i]), _arena, _scratch, null, null);
        }
    }

    /// <summary>The new numbers of the entries that were deleted since the merge began, in order.</summary>
    public List<int> FindDeletedSince()
    {
        List<int> deleted = [];
        for (int i = 0; i < Count; i++)
        {
            for (int entry = 0; _views[i].DeletedCount > 0 && entry < _views[i].Entries; entry++)
            {
                if (_maps[i][entry] >= 0 && _views[i].IsDeleted(entry))
                {
                    deleted.Add(_maps[i][entry]);
                }
            }
        }

        return deleted;
    }

    public void Dispose()
    {
        _arena.Dispose();
        _scratch.Dispose();
        foreach (NativeList<int> map in _maps)
        {
            map.Dispose();
        }
    }
}
