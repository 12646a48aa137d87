using System.Diagnostics;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Columns;

/// <summary>Where the pages of a column are. One object for all snapshots of an open storage and for its writer: extents are added and never move, so that what
/// an older snapshot sees is the beginning of the list.</summary>
/// <remarks>Any thread reads. One thread at a time adds, under the lock. After a rollback the list may name extents that do not exist, so the object is
/// dropped.</remarks>
public sealed class ColumnDirectory
{
    private readonly Lock _gate = new();
    private volatile long[] _extents = new long[16]; // replaced when it is full; the part below _count never changes
    private volatile int _count;

    /// <summary>The number of a page of the column.</summary>
    /// <param name="index">Below the number of pages that have been loaded or added.</param>
    public PageNumber PageAt(long index)
    {
        long extent = ColumnExtents.OfPage(index);
        Debug.Assert(extent >= 0 && extent < _count, "the page was loaded or added");
        return new PageNumber(_extents[extent] + index - ColumnExtents.FirstPage(extent));
    }

    /// <summary>Adds the extents of a stored column that are not known yet.</summary>
    /// <exception cref="CorruptedPageException">A directory page is damaged.</exception>
    internal void Load(PageReader pages, in TreeHeader header)
    {
        long count = ColumnExtents.Count(header.EntryCount);
        if (count <= _count)
        {
            return;
        }

        lock (_gate)
        {
            PageNumber at = header.Root;
            for (long first = 0; first < count; first += ColumnDirectoryPage.Capacity)
            {
                ColumnDirectoryPage page = ColumnDirectoryPage.Checked(pages.GetPage(at), header.OwnerTag);
                for (long i = Math.Max(first, _count); i < Math.Min(count, first + ColumnDirectoryPage.Capacity); i++)
                {
                    Append(page[(int)(i - first)]);
                }

                at = page.Next;
            }
        }
    }

    /// <summary>Adds an extent of the running transaction.</summary>
    internal void Add(PageNumber first)
    {
        lock (_gate)
        {
            Append(first);
        }
    }

    private void Append(PageNumber first)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        Debug.Assert(!first.IsNone);
        long[] extents = _extents;
        if (_count == extents.Length)
        {
            Array.Resize(ref extents, 2 * extents.Length);
        }

        extents[_count] = first.Value;
        _extents = extents;
        _count++;
    }
}
