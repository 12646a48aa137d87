using System.Diagnostics;
using System.Text;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Reports;

/// <summary>How the pages of a storage are used, in one snapshot. Read from the counts that trees keep, so that it costs a page for each hundred trees or
/// so.</summary>
/// <param name="Pages">All pages up to the last one in use.</param>
/// <param name="FreePages">Those that wait to be used again.</param>
/// <param name="Trees">Trees and row heaps, the largest first.</param>
public sealed record StorageContents(long Pages, long FreePages, IReadOnlyList<TreeFigures> Trees)
{
    /// <summary>Reads them.</summary>
    /// <param name="storage">Open.</param>
    /// <param name="treesMax">The most trees; the others are one entry without a name at the end.</param>
    public static StorageContents Read(StorageEnvironment storage, int treesMax)
    {
        using ReadTransaction read = storage.BeginRead(ReaderKind.Statistics);
        PageNumber next = read.State.NextPage;
        long free = 0;
        FreeSpaceMap.ForEachFreeRun(read, next, (_, count) => free += count);
        List<TreeFigures> trees = [TreeFigures.Of("(names of the trees)", read.State.Root), .. ListTrees(read)];
        Debug.Assert(trees.Sum(tree => tree.Pages) + free <= next.Value, "no page is counted twice");
        trees.Sort((left, right) => right.Pages.CompareTo(left.Pages));
        if (trees.Count > treesMax)
        {
            List<TreeFigures> rest = trees[(treesMax - 1)..];
            trees.RemoveRange(treesMax - 1, rest.Count);
            trees.Add(new TreeFigures($"({rest.Count} smaller ones)", TreeKind.None, rest.Sum(tree => tree.Entries), 0, rest.Sum(tree => tree.Pages)));
        }

        return new StorageContents(next.Value, free, trees);
    }

    private static IEnumerable<TreeFigures> ListTrees(ReadTransaction read)
    {
        using BTreeCursor names = read.Trees.OpenNames();
        for (bool on = names.SeekFirst(); on; on = names.MoveNext())
        {
            if (read.Trees.TryGetHeader(names.Key, out TreeHeader header))
            {
                yield return TreeFigures.Of(Encoding.UTF8.GetString(names.Key), header);
            }
        }
    }
}

/// <summary>One tree of a storage.</summary>
/// <param name="Name">The name under which the storage knows it.</param>
/// <param name="Kind">Its structure; None for the sum of several.</param>
/// <param name="Entries">Entries; of a row heap, rows.</param>
/// <param name="Depth">Levels of pages; 0 for what has none.</param>
/// <param name="Pages">Pages of all kinds.</param>
public readonly record struct TreeFigures(string Name, TreeKind Kind, long Entries, int Depth, long Pages)
{
    internal static TreeFigures Of(string name, in TreeHeader header) => new(
        name, header.Kind, header.EntryCount, header.Depth,
        header.Kind == TreeKind.RowHeap ? RowHeap.PagesOf(header) : header.BranchPages + header.LeafPages + header.OverflowPages);
}
