using System.Diagnostics;
using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>Values: inline in the leaf, or in an overflow run.</summary>
public sealed unsafe partial class BTree
{
    /// <summary>Finds the overflow run of a value without reading it, for callers that read large values only when they
    /// need them.</summary>
    /// <param name="key">Of any length; one that is too long is not found.</param>
    /// <param name="first">First page of the run.</param>
    /// <param name="bytes">Length of the value.</param>
    /// <returns>False when there is no such entry, or its value lies in the leaf.</returns>
    public bool TryGetRun(ReadOnlySpan<byte> key, out PageNumber first, out int bytes)
    {
        if (_header.Depth == 0 || !Locate(key, out TreePage leaf, out int index) || leaf.FieldAt(index) != TreePage.OverflowMark)
        {
            (first, bytes) = (default, 0);
            return false;
        }

        RunReference run = leaf.RunAt(index);
        (first, bytes) = (run.First, run.Bytes);
        return true;
    }

    /// <summary>Like <see cref="Reserve"/> for a value that lies in an overflow run, and tells where the run begins: no second descent
    /// is needed to find that out.</summary>
    /// <param name="key">Key of the entry.</param>
    /// <param name="length">Bytes of the value, more than <see cref="InlineValueBytesMax"/>.</param>
    /// <param name="first">First page of the run.</param>
    /// <exception cref="ArgumentException">As for <see cref="Reserve"/>, or the value would lie in the leaf.</exception>
    public Span<byte> ReserveRun(ReadOnlySpan<byte> key, int length, out PageNumber first)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(length, InlineValueBytesMax);
        Span<byte> space = Reserve(key, length);
        Page run = PageBytes.RunOf(space);
        Debug.Assert(run.Header.Type == PageType.Overflow && run.Header.OverflowBytes == length);
        first = run.Number;
        return space;
    }

    /// <summary>Like <see cref="ReserveRun"/> for a run that is written to the data file before the transaction is submitted: the journal only
    /// names it (decision 0079). For large values that do not change: each costs a write of its own, and each transaction a sync of the data
    /// file.</summary>
    /// <returns>Space that must be filled before the next change of the tree, and before <c>WriteTransaction.WriteDirectRuns</c> is
    /// called.</returns>
    /// <inheritdoc cref="ReserveRun"/>
    public Span<byte> ReserveDirectRun(ReadOnlySpan<byte> key, int length, out PageNumber first)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(length, InlineValueBytesMax);
        TreePage leaf = LocateForChange(key, length, out int index, out bool found);
        Span<byte> space = Place(leaf, index, found, key, length, out RunReference replaced, isDirect: true);
        FreeRun(replaced);
        first = PageBytes.RunOf(space).Number;
        return space;
    }

    /// <summary>Value of an entry, wherever it lies.</summary>
    internal ReadOnlySpan<byte> ValueAt(TreePage leaf, int index)
    {
        byte* payload = leaf.PayloadAt(index, out int field);
        return field == TreePage.OverflowMark
            ? LoadRun(leaf, index, leaf.RunAt(index)).OverflowValue
            : new ReadOnlySpan<byte>(payload, field);
    }

    /// <summary>True for bytes of the entry's own run, which may be kept for a new value.</summary>
    private bool IsInRun(TreePage leaf, int index, ReadOnlySpan<byte> value) =>
        value.Length > InlineValueBytesMax && leaf.FieldAt(index) == TreePage.OverflowMark
        && value.Overlaps(LoadRun(leaf, index, leaf.RunAt(index)).OverflowValue);

    /// <summary>Makes an entry with space for a value of the given size in bytes.</summary>
    /// <remarks><paramref name="replaced"/>: a run that holds the old value. The caller frees it after the new value
    /// is in place, since that may be a copy of its bytes.</remarks>
    private Span<byte> Place(
        TreePage leaf, int index, bool found, ReadOnlySpan<byte> key, int length, out RunReference replaced, bool isDirect = false)
    {
        replaced = default;
        if (leaf.Overlaps(key))
        {
            key = key.ToArray();
        }

        int field = length > InlineValueBytesMax ? TreePage.OverflowMark : length;
        if (!found)
        {
            _header.EntryCount++;
            HeaderChanged = true;
            return Fill(InsertAt(_header.Depth - 1, leaf, index, key, field), length, isDirect);
        }

        byte* payload = leaf.PayloadAt(index, out int old);
        if (old == TreePage.OverflowMark)
        {
            RunReference run = CheckedRun(leaf, index);
            if (field == old && run.PageCount == Page.CountPages(length) && !isDirect)
            {
                return ReuseRun(payload, run.First, length);
            }

            replaced = run;
        }

        return Fill(Resize(leaf, index, key, old, field), length, isDirect);
    }

    /// <summary>Gives an existing entry another payload size.</summary>
    private byte* Resize(TreePage leaf, int index, ReadOnlySpan<byte> key, int old, int field)
    {
        if (TreePage.PayloadBytes(field) <= TreePage.PayloadBytes(old))
        {
            return leaf.ShrinkPayload(index, field);
        }

        leaf.Remove(index);
        return InsertAt(_header.Depth - 1, leaf, index, key, field);
    }

    /// <summary>The place for the value's bytes: the payload itself, or a new run that the payload refers to.</summary>
    private Span<byte> Fill(byte* payload, int length, bool isDirect)
    {
        if (length <= InlineValueBytesMax)
        {
            return new Span<byte>(payload, length);
        }

        Debug.Assert(_writer is not null);
        Page run = isDirect ? _writer.AllocateDirect(length, _header.OwnerTag) : _writer.AllocateOverflow(length, _header.OwnerTag);
        Unsafe.WriteUnaligned(payload, run.Number.Value);
        Unsafe.WriteUnaligned(payload + sizeof(long), length);
        _header.OverflowPages += run.PageCount;
        HeaderChanged = true;
        return new Span<byte>(run.Body, length);
    }

    /// <summary>Keeps the run for a new value that takes as many pages: only its own bytes differ in the
    /// journal.</summary>
    private Span<byte> ReuseRun(byte* payload, PageNumber first, int length)
    {
        Debug.Assert(_writer is not null);
        Page page = _writer.ModifyPage(first);
        page.Header.OverflowBytes = length;
        Unsafe.WriteUnaligned(payload + sizeof(long), length);

        // The journal carries the value alone and replay makes the rest zero: old bytes would break the checksum.
        Span<byte> space = PageBytes.OfOverflowRun(page);
        space[length..].Clear();
        return space[..length];
    }

    private RunReference CheckedRun(TreePage leaf, int index)
    {
        RunReference run = leaf.RunAt(index);
        LoadRun(leaf, index, run);
        return run;
    }

    private Page LoadRun(TreePage leaf, int index, RunReference run)
    {
        Page page = _pages.GetPage(run.First);
        ref PageHeader header = ref page.Header;
        if (header.Type != PageType.Overflow || header.OverflowBytes != run.Bytes ||
            header.OwnerTag != _header.OwnerTag)
        {
            leaf.ThrowDamaged($"entry {index} refers to a run of {run.Bytes} bytes at page {run.First}, which is " +
                $"{header.Type} with {header.OverflowBytes} bytes of owner {header.OwnerTag:x8}");
        }

        return page;
    }

    private void FreeRun(RunReference run)
    {
        if (!run.First.IsNone)
        {
            Debug.Assert(_writer is not null);
            _writer.FreePage(run.First);
            _header.OverflowPages -= run.PageCount;
            HeaderChanged = true;
        }
    }
}
