using System.Diagnostics;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.FreeSpace;

/// <summary>The pages that were freed by transactions that may not be synced yet. A free page that is not among them is settled: it is free in
/// every state from the synced one on (decision 0079). Guarded by the writer's lock.</summary>
/// <remarks>
/// Two generations of bitmaps: what is freed goes to the newer one. When no transaction of the older one is after the synced one, it is
/// forgotten, and the newer one takes its place. So a page is remembered until its transaction is synced, and at most one sync longer.
/// Pages that a transaction freed before it was rolled back stay remembered, too.
/// </remarks>
internal sealed class UnsettledPages
{
    private List<ulong[]?> _newer = [];
    private List<ulong[]?> _older = [];
    private long _olderLast; // the older generation has pages of transactions up to this one

    /// <summary>Remembers pages that the open transaction frees; all of one section.</summary>
    public void Add(PageNumber first, int count)
    {
        int section = (int)(first.Value / FreeSpaceMap.SectionPages);
        while (_newer.Count <= section)
        {
            _newer.Add(null);
        }

        ulong[] bits = _newer[section] ??= new ulong[FreeSpaceMap.Words];
        int index = (int)(first.Value % FreeSpaceMap.SectionPages);
        for (int i = index; i < index + count; i++)
        {
            bits[i / 64] |= 1UL << (i % 64);
        }
    }

    /// <summary>Forgets what is synced. No write transaction is open.</summary>
    /// <param name="synced">The synced transaction.</param>
    /// <param name="newest">The last transaction that may have freed pages.</param>
    public void Settle(long synced, long newest)
    {
        if (newest <= synced)
        {
            _newer.Clear();
            _older.Clear();
        }
        else if (_olderLast <= synced)
        {
            _older.Clear();
            (_older, _newer) = (_newer, _older);
            _olderLast = _older.Count > 0 ? newest : 0;
        }
    }

    /// <summary>True when one of neighbouring pages is remembered.</summary>
    /// <param name="first">The first of them.</param>
    /// <param name="count">How many; they are in one section.</param>
    public bool ContainsAny(PageNumber first, int count)
    {
        var section = (int)(first.Value / FreeSpaceMap.SectionPages);
        int index = (int)(first.Value % FreeSpaceMap.SectionPages);
        Debug.Assert(index + count <= FreeSpaceMap.SectionPages);
        return ContainsAny(Find(_newer, section), index, count) || ContainsAny(Find(_older, section), index, count);
    }

    /// <summary>Removes the remembered pages of a section from its bits.</summary>
    public void RemoveFrom(int section, Span<ulong> bits)
    {
        foreach (ulong[]? remembered in (ReadOnlySpan<ulong[]?>)[Find(_newer, section), Find(_older, section)])
        {
            for (int i = 0; i < (remembered?.Length ?? 0); i++)
            {
                bits[i] &= ~remembered![i];
            }
        }
    }

    private static ulong[]? Find(List<ulong[]?> generation, int section) => section < generation.Count ? generation[section] : null;

    private static bool ContainsAny(ulong[]? bits, int index, int count)
    {
        for (int i = index; bits is not null && i < index + count; i++)
        {
            if ((bits[i / 64] & (1UL << (i % 64))) != 0)
            {
                return true;
            }
        }

        return false;
    }
}
