using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>One step from the root to a leaf: a page and the entry taken in it.</summary>
internal struct FixedSizeTreeStep
{
    public PageNumber Page;
    public int Index;
}

/// <summary>The way from the root (step 0) to an entry of a leaf, without allocation.</summary>
[InlineArray(DepthMax)]
internal struct FixedSizeTreePath
{
    /// <summary>Steps. The widest entries allowed give at least 8 entries a page and half of it after a split: 4^12
    /// leaves of such a tree are 128 GB; with 8-byte keys and values 3 levels hold a hundred million entries.</summary>
    public const int DepthMax = 12;

    private FixedSizeTreeStep _step;
}
