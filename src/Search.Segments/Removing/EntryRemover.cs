using System.Runtime.InteropServices;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Segments.Removing;

/// <summary>Marks entries as deleted, by their ids. The thread of the index.</summary>
internal sealed unsafe class EntryRemover : IDisposable
{
    private const int KeptIdsMax = 1 << 16;
    private const int KeptBytesMax = 1 << 20;

    private readonly Arena _arena = new();
    private readonly Arena _scratch = new();
    private readonly SegmentView _segment = new();
    private readonly NativeList<NotedId> _ids = new();
    private readonly NativeBuffer _bytes = new();
    private readonly Comparison<NotedId> _byBytes;

    public EntryRemover() => _byBytes = (left, right) => SpanOf(left).SequenceCompareTo(SpanOf(right));

    public bool IsEmpty => _ids.IsEmpty;

    /// <summary>Notes an id whose entries are to be removed.</summary>
    public void Add(ReadOnlySpan<byte> id)
    {
        _ids.Add(new NotedId(_bytes.Length, id.Length));
        _bytes.AddBytes(id);
    }

    public void Clear()
    {
        _ids.Trim(KeptIdsMax);
        _bytes.Trim(KeptBytesMax);
    }

    /// <summary>Removes the entries with the noted ids from all segments, and forgets the ids.</summary>
    /// <param name="state">The segments that a search of the transaction would see.</param>
    /// <param name="records">The same segments; their numbers of deleted entries are counted up.</param>
    public void Run(WriteTransaction transaction, SegmentState state, List<SegmentRecord> records)
    {
        _ids.Span.Sort(_byBytes);
        BTree? deleted = null;

        // All entries of an id are in one segment, and what an older one has of it is deleted already.
        for (int i = records.Count - 1; i >= 0 && _ids.Count > 0; i--)
        {
            Arena.Mark mark = _arena.Now();
            _segment.Open(transaction, state, i, _arena, _scratch, null, null);
            int removed = RemoveFrom(transaction, ref deleted);
            CollectionsMarshal.AsSpan(records)[i].Deleted += removed;
            _arena.Return(mark);
        }

        Clear();
        _arena.Reset();
    }

    public void Dispose()
    {
        _arena.Dispose();
        _scratch.Dispose();
        _ids.Dispose();
        _bytes.Dispose();
    }

    private ReadOnlySpan<byte> SpanOf(NotedId id) => new(_bytes.Start + id.Offset, id.Length);

    private int RemoveFrom(WriteTransaction transaction, ref BTree? deleted)
    {
        var ids = DictionaryView.Open(_segment, FieldRecord.OfEntries, DictionaryParts.Keywords);
        var cursor = new DictionaryCursor(ids, _arena);
        byte** pages = (byte**)_arena.TakeZeroed<nint>(DeletedEntries.PagesOf(_segment.Entries));
        int removed = 0, left = 0;
        for (int next = 0; next < _ids.Count; next++)
        {
            NotedId id = _ids[next];
            if (!cursor.Seek(_bytes.Start + id.Offset, id.Length, out bool isExact) || !isExact)
            {
                _ids[left++] = id;
                continue;
            }

            Arena.Mark mark = _scratch.Now();
            int* entries = _scratch.Take<int>(cursor.Entries.Count + PostingsReader.Slack);
            int count = PostingsReader.Read(ids, cursor.Entries, entries);
            for (int i = 0; i < count; i++)
            {
                removed += Remove(transaction, ref deleted, pages, entries[i]) ? 1 : 0;
            }

            _scratch.Return(mark);
        }

        _ids.Resize(left);
        return removed;
    }

    private bool Remove(WriteTransaction transaction, ref BTree? deleted, byte** pages, int entry)
    {
        int page = entry / DeletedEntries.PerPage, bit = entry % DeletedEntries.PerPage;
        if (pages[page] == null)
        {
            deleted ??= transaction.Trees.CreateTree(SegmentTrees.Deleted);
            PageNumber number = SegmentTrees.FindDeleted(deleted, _segment.Id, page);
            if (number.IsNone)
            {
                number = SegmentTrees.AddDeleted(deleted, _segment.Id, page);
            }

            pages[page] = transaction.ModifyPage(number).Body;
        }

        return DeletedEntries.Add(pages[page], bit);
    }

    private readonly record struct NotedId(int Offset, int Length);
}
