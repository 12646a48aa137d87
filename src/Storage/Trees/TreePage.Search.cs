using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>Finding keys in a page.</summary>
internal readonly unsafe partial struct TreePage
{
    /// <summary>Index of a key, or where it would be inserted.</summary>
    /// <remarks>Both bounds of the search remember how much of the key they share: every key between them shares the smaller of the two, so long
    /// common prefixes are compared once per page and not once per step.</remarks>
    public int Find(byte* key, int keyLength, int first, out bool found)
    {
        int low = first;
        int high = Count;
        int lowShared = 0;
        int highShared = 0;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            byte* node = NodeAt(middle);
            PrefetchNode((low + middle) >>> 1);
            PrefetchNode(Math.Min((middle + 1 + high) >>> 1, high - 1));
            int shared = Math.Min(lowShared, highShared);
            int order = KeyOrder.Compare(key, keyLength, node + NodeHeaderBytes, KeyLength(node), ref shared);
            if (order > 0)
            {
                low = middle + 1;
                lowShared = shared;
            }
            else if (order < 0)
            {
                high = middle;
                highShared = shared;
            }
            else
            {
                found = true;
                return middle;
            }
        }

        found = false;
        return low;
    }

    /// <summary>Takes one step of <see cref="Find"/>, whose next node was begun to be loaded before, and begins to load the one after it.</summary>
    public void Step(byte* key, int keyLength, ref PageSearch search)
    {
        int middle = (search.Low + search.High) >>> 1;
        byte* node = NodeAt(middle);
        int shared = Math.Min(search.LowShared, search.HighShared);
        int order = KeyOrder.Compare(key, keyLength, node + NodeHeaderBytes, KeyLength(node), ref shared);
        if (order > 0)
        {
            (search.Low, search.LowShared) = (middle + 1, shared);
        }
        else if (order < 0)
        {
            (search.High, search.HighShared) = (middle, shared);
        }
        else
        {
            (search.Low, search.High, search.IsFound) = (middle, middle, true);
            return;
        }

        PrefetchMiddle(search);
    }

    /// <summary>Begins to load the node that the next step of a search looks at.</summary>
    public void PrefetchMiddle(in PageSearch search)
    {
        if (search.Low < search.High)
        {
            PrefetchNode((search.Low + search.High) >>> 1);
        }
    }

    /// <summary>Index of the entry of a branch whose child covers a key.</summary>
    public int FindChild(byte* key, int keyLength)
    {
        int index = Find(key, keyLength, 1, out bool found);
        return found ? index : index - 1;
    }

    /// <summary>Compares a key with an entry's key.</summary>
    public int CompareWith(byte* key, int keyLength, int index)
    {
        byte* node = NodeAt(index);
        return KeyOrder.Compare(key, keyLength, node + NodeHeaderBytes, KeyLength(node));
    }

    /// <summary>Starts loading the slots that a search of an average page begins with, beside the header's own cache
    /// miss.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void PrefetchSlots()
    {
        Prefetch.Line(address + 128);
        Prefetch.Line(address + 192);
        Prefetch.Line(address + 256);
        Prefetch.Line(address + 320);
    }

    /// <summary>Starts loading a node that the search may need next, so that its cache miss runs beside the
    /// comparison before it. A damaged offset is harmless: a prefetch never faults.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void PrefetchNode(int index) => Prefetch.Line(address + Slots[index]);
}

/// <summary>How far the search for a key in a page has come: the key can only be at an index from <see cref="Low"/> to before <see cref="High"/>, or it was
/// found at <see cref="Low"/>.</summary>
internal struct PageSearch
{
    public PageNumber Next; // the page that is searched after this one
    public TreePage Page;
    public int Low;
    public int High;
    public int LowShared;
    public int HighShared;
    public bool IsFound;
}
