using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Verification;

/// <summary>Walks a row heap and proves its invariants: directories match their pages, rows do not overlap, counts are
/// right.</summary>
public static class RowHeapVerifier
{
    /// <summary>Proves one heap.</summary>
    /// <param name="heap">The heap.</param>
    /// <param name="overflowRows">Ids of the rows that are overflow runs: only the heap's owner knows them. Others are
    /// skipped.</param>
    /// <param name="reportPage">Called once for each page or run: its number and the pages it spans.</param>
    /// <returns>Ids of all rows.</returns>
    /// <exception cref="CorruptedPageException">The first broken invariant.</exception>
    public static HashSet<RowId> Verify(
        RowHeap heap, IEnumerable<RowId> overflowRows, Action<PageNumber, int> reportPage)
    {
        var walk = new Walk(heap, reportPage);
        FixedSizeTreeVerifier.Verify(heap.Sections, reportPage);
        FixedSizeTreeCursor<ulong, ushort> cursor = heap.Sections.GetCursor();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            walk.VisitListed(cursor.Key, cursor.Value);
        }

        if (!heap.ActiveSection.IsNone)
        {
            walk.VisitSection(heap.GetSection(heap.ActiveSection));
        }

        foreach (RowId id in overflowRows)
        {
            walk.VisitRun(id);
        }

        walk.CheckCounts();
        return walk.Rows;
    }

    private sealed class Walk(RowHeap heap, Action<PageNumber, int> reportPage)
    {
        private long _sections;
        private long _rowPages;
        private long _overflowPages;

        public HashSet<RowId> Rows { get; } = [];

        public void VisitListed(ulong key, ushort rowPages)
        {
            RowSection section = heap.GetSection(new PageNumber((long)(key & ulong.MaxValue >> 8)));
            if (section.RoomClass != key >> 56 || section.RowPages != rowPages || section.IsEmpty)
            {
                PageDamage.Throw(section.Number, "the section tree has another class or size, or it is empty");
            }

            if (section.RoomClass < section.ComputeRoomClass())
            {
                PageDamage.Throw(section.Number, "it has more room than the section tree promises");
            }

            VisitSection(section);
        }

        public void VisitSection(RowSection section)
        {
            _sections++;
            reportPage(section.Number, 1);
            long freeBytes = 0;
            for (int i = 0; i < section.RowPages; i++)
            {
                RowPage rows = heap.GetRows(section.PageAt(i));
                freeBytes += rows.FreeBytes;
                if (rows.SectionIndex != i || rows.FreeBytes != section.FreeBytes[i])
                {
                    PageDamage.Throw(section.PageAt(i), "its directory has another index or other free bytes for it");
                }

                if (i >= section.Fresh && rows.FreeBytes != RowPage.EmptyFreeBytes)
                {
                    PageDamage.Throw(section.PageAt(i), "it has rows, but its directory page says that it was never used");
                }

                VisitPage(section.PageAt(i), rows);
            }

            if (freeBytes != section.FreeBytesTotal)
            {
                PageDamage.Throw(section.Number, "the free bytes of its pages do not add up to its own");
            }
        }

        public void VisitRun(RowId id)
        {
            if (!id.IsOverflow)
            {
                return;
            }

            Page page = heap.Fetch(id);
            heap.CheckRun(page, id);
            _overflowPages += page.PageCount;
            reportPage(id.Page, page.PageCount);
            Rows.Add(id);
        }

        public void CheckCounts()
        {
            TreeHeader header = heap.Header;
            if (_sections != header.BranchPages || _rowPages != header.LeafPages ||
                _overflowPages != header.OverflowPages || Rows.Count != header.EntryCount)
            {
                PageDamage.Throw(header.Root, $"counted {_sections} sections, {_rowPages} row pages, " +
                    $"{_overflowPages} overflow pages and {Rows.Count} rows; the header says " +
                    $"{header.BranchPages}, {header.LeafPages}, {header.OverflowPages} and {header.EntryCount}");
            }
        }

        private void VisitPage(PageNumber number, RowPage rows)
        {
            _rowPages++;
            reportPage(number, 1);
            long bytes = 0;
            var covered = new System.Collections.BitArray(Page.Size);
            for (int slot = 0; slot < rows.SlotCount; slot++)
            {
                ReadOnlySpan<byte> row = rows.Read(slot);
                if (row.IsEmpty)
                {
                    continue;
                }

                bytes += row.Length;
                Cover(number, covered, rows.OffsetOf(slot), row.Length);
                Rows.Add(new RowId(number, slot));
            }

            if (bytes != rows.RowBytes || !rows.AreFreedSlotsSound())
            {
                PageDamage.Throw(number, "its garbage bytes or its freed slots do not match its rows");
            }
        }

        private static void Cover(PageNumber number, System.Collections.BitArray covered, int offset, int length)
        {
            for (int i = offset; i < offset + length; i++)
            {
                if (covered[i])
                {
                    PageDamage.Throw(number, "two rows overlap");
                }

                covered[i] = true;
            }
        }
    }
}
