using System.Diagnostics;
using System.Numerics;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>Sections of the heap: finding room, listing by room, growing and freeing.</summary>
public sealed partial class RowHeap
{
    private static ulong SectionKey(byte roomClass, PageNumber section) =>
        ((ulong)roomClass << 56) | (ulong)section.Value;

    // Afterwards the active page of the active section has room. Every iteration except the last corrects a section
    // that was listed with more room than it has.
    private void FindRoom(int bytes)
    {
        while (_header.Reserved1 == 0 || !ModifySection(ActiveSection).TryAdvance(bytes))
        {
            LeaveActiveSection();
            if (!TryActivateListed(bytes))
            {
                AddSection();
                return;
            }
        }
    }

    private void LeaveActiveSection()
    {
        if (_header.Reserved1 == 0)
        {
            return;
        }

        RowSection section = ModifySection(ActiveSection);
        section.RoomClass = section.ComputeRoomClass();
        _header.Reserved1 = 0;
        _sections.Put(SectionKey(section.RoomClass, section.Number), (ushort)section.RowPages);
        SectionTreeChanged();
    }

    private bool TryActivateListed(int bytes)
    {
        int neededClass = (bytes + RowSection.RoomClassBytes - 1) / RowSection.RoomClassBytes;
        FixedSizeTreeCursor<ulong, ushort> cursor = _sections.GetCursor();
        if (!cursor.Seek(SectionKey((byte)neededClass, PageNumber.None)))
        {
            return false;
        }

        ulong key = cursor.Key;
        _sections.Delete(key);
        _header.Reserved1 = key & ulong.MaxValue >> 8;
        SectionTreeChanged();
        return true;
    }

    // Sections grow with the heap: a small table stays small, and a large one is stored contiguously.
    private void AddSection()
    {
        uint wanted = BitOperations.RoundUpToPowerOf2((uint)Math.Min(_header.LeafPages + 1, RowSection.PageCountMax));
        int pages = Math.Max((int)wanted, RowSection.PageCountMin);
        PageNumber first = Writer.AllocateNeighbours(pages, PageType.Rows, _header.OwnerTag);
        RowSection.Format(Writer.ModifyPage(first), pages - 1);
        for (int i = 0; i < pages - 1; i++)
        {
            new RowPage(Writer.ModifyPage(first + 1 + i)).Format(i);
        }

        _header.Reserved1 = (ulong)first.Value;
        _header.BranchPages++;
        _header.LeafPages += pages - 1;
        HeaderChanged = true;
    }

    private void NoteFreeBytes(PageNumber page, int index, int freeBytes)
    {
        RowSection section = GetSection(page + (-1 - index));
        if (index >= section.RowPages)
        {
            PageDamage.Throw(page, "its directory page does not list it");
        }

        if (section.FreeBytes[index] == freeBytes)
        {
            return;
        }

        section = ModifySection(section.Number);
        section.SetFreeBytes(index, freeBytes);
        bool isActive = section.Number == ActiveSection;
        if (section.IsEmpty && isActive)
        {
            section.Restart();
        }
        else if (section.IsEmpty)
        {
            FreeSection(section);
        }
        else if (!isActive)
        {
            ListWithMoreRoom(section);
        }
    }

    private void ListWithMoreRoom(RowSection section)
    {
        byte roomClass = section.ComputeRoomClass();
        if (roomClass > section.RoomClass)
        {
            _sections.Delete(SectionKey(section.RoomClass, section.Number));
            section.RoomClass = roomClass;
            _sections.Put(SectionKey(roomClass, section.Number), (ushort)section.RowPages);
            SectionTreeChanged();
        }
    }

    private void FreeSection(RowSection section)
    {
        PageNumber number = section.Number;
        int rowPages = section.RowPages;
        _sections.Delete(SectionKey(section.RoomClass, number));
        SectionTreeChanged();
        for (int i = 0; i <= rowPages; i++)
        {
            Writer.FreePage(number + i);
        }

        _header.BranchPages--;
        _header.LeafPages -= rowPages;
        HeaderChanged = true;
    }

    private void SectionTreeChanged()
    {
        _header.Root = _sections.Header.Root;
        _header.Depth = _sections.Header.Depth;
        _header.KeySize = checked((ushort)_sections.Header.BranchPages);
        _header.ValueSize = checked((ushort)_sections.Header.LeafPages);
        HeaderChanged = true;
        Debug.Assert(_sections.EntryCount <= SectionCount);
    }
}
