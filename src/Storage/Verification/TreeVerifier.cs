using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Verification;

/// <summary>Walks B+trees and proves their invariants; collects every problem instead of stopping at the
/// first.</summary>
/// <remarks>
/// Reads only, on one thread. Proven per tree: page header (number, type, owner), keys strictly rising and inside the
/// separators above them, nodes inside the page and apart from each other, gaps counted right, runs as long as their
/// references say, all leaves at the header's depth, counts as in the header, no page used twice. A page that cannot be
/// walked is one problem; its subtree is left out, and the header's counts are then not compared.
/// </remarks>
/// <param name="pages">Pages of a snapshot.</param>
/// <param name="ownPage">Called once for each page, or overflow run with its page count, that a tree owns.</param>
public sealed class TreeVerifier(PageReader pages, Action<PageNumber, int>? ownPage = null)
{
    private readonly List<VerificationProblem> _problems = [];
    private readonly HashSet<PageNumber> _seen = [];
    private readonly List<(int Start, int End)> _nodes = [];
    private TreeHeader _expected;
    private TreeHeader _found;

    /// <summary>The problems that were found so far, in the order of the walk.</summary>
    public IReadOnlyList<VerificationProblem> Problems => _problems;

    /// <summary>Walks one B+tree; more trees of the same snapshot may follow.</summary>
    /// <returns>True when it adds no problem.</returns>
    public bool Verify(in TreeHeader header)
    {
        int before = _problems.Count;
        _expected = header;
        _found = default;
        if (header.Kind != TreeKind.BTree || header.Depth is < 0 or > TreePath.DepthMax ||
            header.Root.IsNone != (header.Depth == 0))
        {
            Report(header.Root, $"a tree header of kind {header.Kind}, depth {header.Depth} is impossible");
        }
        else if (header.Depth > 0)
        {
            VerifySubtree(header.Root, 0, default, default, hasUpperBound: false);
        }

        if (_problems.Count == before)
        {
            CompareCounts();
        }

        return _problems.Count == before;
    }

    private void VerifySubtree(
        PageNumber number, int level, ReadOnlySpan<byte> lower, ReadOnlySpan<byte> upper, bool hasUpperBound)
    {
        if (!Own(number, 1))
        {
            return;
        }

        try
        {
            bool isLeaf = level == _expected.Depth - 1;
            TreePage page = LoadPage(number, isLeaf ? PageType.TreeLeaf : PageType.TreeBranch);
            VerifyNodes(page);
            VerifyKeys(page, lower, upper, hasUpperBound);
            if (isLeaf)
            {
                VerifyLeaf(page);
            }
            else
            {
                VerifyBranch(page, level, lower, upper, hasUpperBound);
            }
        }
        catch (CorruptionException damage)
        {
            Report(number, damage.Message);
        }
    }

    private TreePage LoadPage(PageNumber number, PageType type)
    {
        Page stored = pages.GetPage(number);
        TreePage page = TreePage.Load(stored, type, _expected.OwnerTag);
        if (stored.Number != number)
        {
            Report(number, $"its header says page {stored.Number}");
        }

        if (!page.ReservedIsZero)
        {
            Report(number, "its reserved bytes are not zero");
        }

        return page;
    }

    private void VerifyNodes(TreePage page)
    {
        _nodes.Clear();
        int bytes = 0;
        for (int i = 0; i < page.Count; i++)
        {
            int start = page.NodeOffsetAt(i);
            int length = page.NodeBytesAt(i);
            _nodes.Add((start, start + length));
            bytes += length;
        }

        _nodes.Sort();
        int end = page.Header.Upper;
        foreach ((int start, int nodeEnd) in _nodes)
        {
            if (start < end)
            {
                Report(page.Number, $"the node at offset {start} overlaps one that ends at {end}");
            }

            end = nodeEnd;
        }

        int gaps = Page.Size - page.Header.Upper - bytes;
        if (gaps != page.FragmentedBytes)
        {
            Report(page.Number, $"{page.FragmentedBytes} fragmented bytes are counted, {gaps} found");
        }
    }

    private void VerifyKeys(TreePage page, ReadOnlySpan<byte> lower, ReadOnlySpan<byte> upper, bool hasUpperBound)
    {
        ReadOnlySpan<byte> previous = lower;
        for (int i = page.IsBranch ? 1 : 0; i < page.Count; i++)
        {
            ReadOnlySpan<byte> key = page.KeyAt(i);
            int order = previous.SequenceCompareTo(key);
            bool isFirst = i == (page.IsBranch ? 1 : 0);

            // A leaf's first key may equal its separator; a branch's second key may not, as its first child would be
            // empty.
            if (order > 0 || (order == 0 && !(isFirst && !page.IsBranch)))
            {
                string bound = isFirst ? "separator" : "key";
                Report(page.Number, $"the key of entry {i} is not after the {bound} before it");
            }

            if (key.Length > BTree.KeyBytesMax)
            {
                Report(page.Number, $"the key of entry {i} has {key.Length} bytes");
            }

            previous = key;
        }

        if (hasUpperBound && previous.SequenceCompareTo(upper) >= 0 && page.Count > (page.IsBranch ? 1 : 0))
        {
            Report(page.Number, "its last key is not before the next separator");
        }
    }

    private void VerifyLeaf(TreePage page)
    {
        _found.LeafPages++;
        _found.EntryCount += page.Count;
        for (int i = 0; i < page.Count; i++)
        {
            int field = page.FieldAt(i);
            if (field == TreePage.OverflowMark)
            {
                VerifyRun(page.Number, i, page.RunAt(i));
            }
            else if (field > BTree.InlineValueBytesMax)
            {
                Report(page.Number, $"the value of entry {i} has {field} bytes in the leaf");
            }
        }
    }

    private void VerifyBranch(
        TreePage page, int level, ReadOnlySpan<byte> lower, ReadOnlySpan<byte> upper, bool hasUpperBound)
    {
        _found.BranchPages++;
        if (level == 0 && page.Count == 1)
        {
            Report(page.Number, "the root has a single child");
        }

        if (page.KeyAt(0).Length != 0)
        {
            Report(page.Number, "the first key of a branch is not empty");
        }

        for (int i = 0; i < page.Count; i++)
        {
            bool isLast = i == page.Count - 1;
            ReadOnlySpan<byte> from = i == 0 ? lower : page.KeyAt(i);
            ReadOnlySpan<byte> to = isLast ? upper : page.KeyAt(i + 1);
            VerifySubtree(page.ChildAt(i), level + 1, from, to, !isLast || hasUpperBound);
        }
    }

    private void VerifyRun(PageNumber leaf, int index, RunReference run)
    {
        if (!Own(run.First, run.PageCount))
        {
            return;
        }

        Page page = pages.GetPage(run.First);
        _found.OverflowPages += run.PageCount;
        if (page.Header.Type != PageType.Overflow || page.Header.OverflowBytes != run.Bytes ||
            page.Header.OwnerTag != _expected.OwnerTag || page.Number != run.First)
        {
            Report(run.First, $"entry {index} of leaf {leaf} expects a run of {run.Bytes} bytes of owner " +
                $"{_expected.OwnerTag:x8}; it is {page.Header.Type} of {page.Header.OverflowBytes} bytes of owner " +
                $"{page.Header.OwnerTag:x8}, number {page.Number}");
        }

        if (run.Bytes <= BTree.InlineValueBytesMax)
        {
            Report(leaf, $"the value of entry {index} has {run.Bytes} bytes but is not in the leaf");
        }
    }

    private bool Own(PageNumber number, int pageCount)
    {
        if (!_seen.Add(number))
        {
            Report(number, "it is used more than once");
            return false;
        }

        ownPage?.Invoke(number, pageCount);
        return true;
    }

    private void CompareCounts()
    {
        Compare("entries", _found.EntryCount, _expected.EntryCount);
        Compare("branch pages", _found.BranchPages, _expected.BranchPages);
        Compare("leaf pages", _found.LeafPages, _expected.LeafPages);
        Compare("overflow pages", _found.OverflowPages, _expected.OverflowPages);
    }

    private void Compare(string what, long found, long expected)
    {
        if (found != expected)
        {
            Report(PageNumber.None, $"tree {_expected.OwnerTag:x8} has {found} {what}, its header says {expected}");
        }
    }

    private void Report(PageNumber page, string reason) => _problems.Add(new VerificationProblem(page, reason));
}
