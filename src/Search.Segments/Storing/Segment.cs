using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using Jackdaw.Storage;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Segments.Storing;

/// <summary>A segment of an index. All states that have it share the object, which changes only in the count of those who keep it. Any thread.</summary>
internal sealed unsafe class Segment
{
    private readonly PageNumber _page; // none: the directory is copied
    private readonly byte* _copy;
    private int _kept;
    private ConcurrentDictionary<int, DeletedCounts>? _counts;
    private volatile bool _isChecked;

    private Segment(long id, int entries, PageNumber page, byte* copy, int bytes)
    {
        (Id, Entries, DirectoryBytes) = (id, entries, bytes);
        _page = page;
        _copy = copy;
    }

    ~Segment() => NativeMemory.AlignedFree(_copy);

    public long Id { get; }

    /// <summary>Entries, including those that are deleted.</summary>
    public int Entries { get; }

    /// <summary>The bytes of the directory.</summary>
    public int DirectoryBytes { get; }

    /// <summary>Whether a snapshot keeps it.</summary>
    public bool IsKept => Volatile.Read(ref _kept) > 0;

    /// <exception cref="CorruptionException">The directory is missing, or cannot be right.</exception>
    public static Segment Open(BTree? segments, in SegmentRecord record)
    {
        Span<byte> key = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(key, record.Id);
        if (segments is not null && segments.TryGetRun(key, out PageNumber page, out int bytes))
        {
            return new Segment(record.Id, record.Entries, page, null, bytes);
        }

        if (segments is null || !segments.TryGet(key, out ReadOnlySpan<byte> value) || value.Length < SegmentDirectory.SizeOf)
        {
            throw new CorruptionException($"Segment {record.Id} of the index has no directory.");
        }

        // A leaf moves when its tree changes.
        byte* copy = (byte*)NativeMemory.AlignedAlloc((nuint)value.Length, 64);
        value.CopyTo(new Span<byte>(copy, value.Length));
        return new Segment(record.Id, record.Entries, default, copy, value.Length);
    }

    /// <summary>What searches counted of deleted entries.</summary>
    /// <param name="key">The part, as those who count name it.</param>
    public DeletedCounts? FindCounts(int key) => Volatile.Read(ref _counts)?.GetValueOrDefault(key);

    public void KeepCounts(int key, DeletedCounts counts)
    {
        if (Volatile.Read(ref _counts) is null)
        {
            Interlocked.CompareExchange(ref _counts, [], null);
        }

        _counts![key] = counts;
    }

    /// <summary>Notes that a snapshot keeps it.</summary>
    public void Keep() => Interlocked.Increment(ref _kept);

    public void Release() => Interlocked.Decrement(ref _kept);

    /// <summary>The directory, valid as long as the transaction.</summary>
    /// <exception cref="CorruptionException">It is not the directory of this segment.</exception>
    public byte* OpenDirectory(PageReader pages)
    {
        byte* directory = _copy;
        if (directory == null)
        {
            Page page = pages.GetPage(_page);
            directory = page.Body;
            if (page.Header.Type != PageType.Overflow || page.Header.OverflowBytes != DirectoryBytes)
            {
                throw new CorruptionException($"The directory of segment {Id} of the index is not on page {_page}.");
            }
        }

        if (!_isChecked)
        {
            DirectoryCheck.Run(directory, DirectoryBytes, Id, Entries);
            _isChecked = true;
        }

        return directory;
    }
}
