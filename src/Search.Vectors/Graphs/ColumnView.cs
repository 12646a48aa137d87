using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Columns;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>The records of a column as one transaction sees them, found by arithmetic. It remembers where pages are in memory. Several threads may read at the
/// same time; the writer's thread changes, and then nobody reads.</summary>
/// <param name="recordSize">Bytes. Records larger than a page, or of a stream, go on in the next page.</param>
/// <param name="isStream">Whether records follow one another without a gap at the end of a page.</param>
internal sealed unsafe class ColumnView(int recordSize, bool isStream)
{
    private readonly uint _perPage = isStream ? 0 : (uint)(Page.BodySize / recordSize);
    private readonly ulong _magic = isStream ? 0 : (ulong.MaxValue / (uint)(Page.BodySize / recordSize)) + 1;
    private nint[] _pages = [];
    private nint* _addresses;
    private bool[] _isCopied = [];
    private PageReader _reader = null!;
    private PageColumn? _column;

    /// <summary>Begins with a transaction.</summary>
    /// <param name="isSameState">Whether it sees the same state as the one before, so that pages are still where they were.</param>
    public void Begin(PageReader reader, PageColumn? column, bool isSameState = false)
    {
        _reader = reader;
        _column = column;
        if (!isSameState)
        {
            Array.Clear(_pages);
            Array.Clear(_isCopied);
            Reserve(column?.PageCount ?? 0);
        }
    }

    /// <summary>The record of a number, for reading; not for streams.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* At(uint number)
    {
        uint page = (uint)Math.BigMul(_magic, number, out _);
        return Body(page) + ((number - (page * _perPage)) * (uint)recordSize);
    }

    /// <summary>The bytes of a stream from an offset on, up to the end of the page.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* At(long offset, out int left)
    {
        long page = (long)((ulong)offset / Page.BodySize);
        int inPage = (int)(offset - (page * Page.BodySize));
        left = Page.BodySize - inPage;
        return Body(page) + inPage;
    }

    /// <summary>The record of a number, for writing. Only the writer's thread, while nobody reads.</summary>
    public byte* Writable(uint number)
    {
        MakeWritable((uint)Math.BigMul(_magic, number, out _));
        return At(number);
    }

    /// <summary>The bytes of a stream from an offset on, for writing.</summary>
    public byte* Writable(long offset, out int left)
    {
        MakeWritable(offset / Page.BodySize);
        return At(offset, out left);
    }

    /// <summary>Whether the column has pages for this number of records.</summary>
    public bool Holds(uint records) => PagesOf(records) <= PageCount;

    /// <summary>Gives the column pages for at least this number of records.</summary>
    public void Grow(uint records)
    {
        _column!.Grow(PagesOf(records));
        Reserve(_column.PageCount);
    }

    public long PageCount => _column?.PageCount ?? 0;

    public PageNumber PageAt(long page) => _column!.PageAt(page);

    /// <summary>Begins to read pages that will be used soon.</summary>
    public void ReadAhead(ReadOnlySpan<PageNumber> pages) => _reader.Prefetch(pages);

    private long PagesOf(uint records) =>
        isStream ? (((long)records * recordSize) + Page.BodySize - 1) / Page.BodySize : ((long)records + _perPage - 1) / _perPage;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private byte* Body(long page)
    {
        Debug.Assert(page < _pages.Length, "the column has grown before");
        nint address = _addresses[page];
        return (byte*)(address != 0 ? address : Resolve(page)) + PageHeader.SizeOf;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private nint Resolve(long page)
    {
        nint address = AddressOf(_column!.Read(_reader, page));
        _addresses[page] = address;
        return address;
    }

    private void MakeWritable(long page)
    {
        if (!_isCopied[page])
        {
            _addresses[page] = AddressOf(_column!.Modify((PageWriter)_reader, page));
            _isCopied[page] = true;
        }
    }

    private static nint AddressOf(ReadOnlySpan<byte> body) => (nint)Unsafe.AsPointer(ref MemoryMarshal.GetReference(body)) - PageHeader.SizeOf;

    private void Reserve(long pages)
    {
        if (pages > _pages.Length)
        {
            nint[] old = _pages;
            _pages = GC.AllocateArray<nint>(checked((int)(pages + (pages / 4) + 64)), pinned: true);
            old.CopyTo(_pages, 0);
            _addresses = (nint*)Unsafe.AsPointer(ref _pages[0]);
            Array.Resize(ref _isCopied, _pages.Length);
        }
    }
}
