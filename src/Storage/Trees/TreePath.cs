using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>One step of the way from the root to a leaf: a page and the entry taken in it.</summary>
internal struct PathStep
{
    public PageNumber Page;
    public int Index;
}

/// <summary>The way from the root (0) to a leaf (depth - 1). Holds numbers, never addresses: pages move when they
/// change.</summary>
[InlineArray(DepthMax)]
internal struct TreePath
{
    /// <summary>Deepest tree. A branch holds at least 4 entries of the longest key and splits leave at least 2 in
    /// each half: 2^31 leaves in the worst case, while usual keys reach that at depth 5. More would only grow
    /// cursors.</summary>
    public const int DepthMax = 32;

    private PathStep _root;
}
