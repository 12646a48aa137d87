using Jackdaw.Search.Segments.Collecting;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Segments.Merging;

/// <summary>Makes one segment of neighbours, without their deleted entries. It may take several transactions. The thread of the index.</summary>
internal sealed unsafe class SegmentMerge : IDisposable
{
    private readonly MergeSources _sources;
    private readonly SegmentWriter _writer;
    private readonly Queue<PartMerge> _parts = new();
    private PartMerge? _current;

    /// <param name="transaction">The first transaction.</param>
    /// <param name="state">What it sees.</param>
    /// <param name="first">The first segment.</param>
    /// <param name="id">The id of the new segment.</param>
    /// <param name="isDirect">Whether its larger runs bypass the journal.</param>
    public SegmentMerge(
        WriteTransaction transaction, SegmentState state, int first, int count, long id, bool isDirect, SegmentWriter writer, SegmentTools tools)
    {
        _sources = new MergeSources(transaction, state, first, count);
        _writer = writer;
        Id = id;
        writer.Begin(transaction, id, _sources.Entries, isDirect);
        if (_sources.Entries > 0)
        {
            Plan(tools);
            _parts.Peek().Prefetch();
        }
    }

    public long Id { get; }

    /// <summary>The segments that it replaces.</summary>
    public IReadOnlyList<long> Sources => _sources.Ids;

    /// <summary>Entries of the new segment.</summary>
    public int Entries => _sources.Entries;

    /// <summary>The new segment, after <see cref="Finish"/>.</summary>
    public SegmentRecord Record { get; private set; }

    /// <summary>Continues in another transaction.</summary>
    public void Open(WriteTransaction transaction, SegmentState state)
    {
        _writer.Transaction = transaction;
        _sources.Open(transaction, state);
        _current?.Open();
    }

    /// <summary>Does as much as takes a millisecond or so.</summary>
    /// <returns>False when only <see cref="Finish"/> is left.</returns>
    public bool Step()
    {
        if (_current is null)
        {
            if (!_parts.TryDequeue(out _current))
            {
                return false;
            }

            _current.Open();
            if (_parts.TryPeek(out PartMerge? next))
            {
                next.Prefetch();
            }
        }

        if (!_current.Step())
        {
            _current = null;
        }

        return true;
    }

    /// <summary>Writes the directory, and which entries were deleted since the merge began.</summary>
    public void Finish()
    {
        if (Entries == 0)
        {
            return;
        }

        _writer.Finish();
        List<int> deleted = _sources.FindDeletedSince();
        if (deleted.Count > 0)
        {
            WriteDeleted(deleted);
        }

        Record = new SegmentRecord { Id = Id, Entries = Entries, Deleted = deleted.Count, Bytes = _writer.Bytes, Checksum = _writer.Checksum };
    }

    public void Dispose() => _sources.Dispose();

    private void WriteDeleted(List<int> deleted)
    {
        BTree tree = _writer.Transaction.Trees.CreateTree(SegmentTrees.Deleted);
        int open = -1;
        byte* bits = null;
        foreach (int entry in deleted)
        {
            int page = entry / DeletedEntries.PerPage, bit = entry % DeletedEntries.PerPage;
            if (page != open)
            {
                open = page;
                bits = _writer.Transaction.ModifyPage(SegmentTrees.AddDeleted(tree, Id, page)).Body;
            }

            DeletedEntries.Add(bits, bit);
        }
    }

    // Parts are merged in the order of their fields and kinds.
    private void Plan(SegmentTools tools)
    {
        ILookup<int, PartKind> fields = _sources.Views.SelectMany(view => view.ListParts()).Distinct().ToLookup(part => part.Field, part => part.Kind);
        foreach (IGrouping<int, PartKind> field in fields.OrderBy(field => field.Key))
        {
            Plan(tools, field.Key, field.ToHashSet());
        }
    }

    private void Plan(SegmentTools tools, int field, HashSet<PartKind> kinds)
    {
        foreach (PartKind kind in new[] { PartKind.Present, PartKind.Nulls, PartKind.DatesFirst }.Where(kinds.Contains))
        {
            _parts.Enqueue(new SetMerge(_sources, _writer, tools, field, kind));
        }

        DictionaryParts parts = kinds.Contains(PartKind.Positions) || kinds.Contains(PartKind.Norms) ? DictionaryParts.Text : DictionaryParts.Keywords;
        PlanDictionary(tools, field, kinds, parts, PartKind.Ordinals, PartKind.OrdinalRows);
        PlanDictionary(tools, field, kinds, DictionaryParts.SortTexts, PartKind.SortOrdinals, PartKind.SortOrdinalRows);
        PlanDictionary(tools, field, kinds, DictionaryParts.Cells, 0, 0);
        PlanColumn(tools, field, kinds, PartKind.Norms, PartKind.NormRows);
        PlanColumn(tools, field, kinds, PartKind.Boosts, PartKind.BoostRows);
        if (field == FieldRecord.OfEntries)
        {
            _parts.Enqueue(new IdsMerge(_sources, _writer, tools));
        }

        foreach (PartKind kind in new[] { PartKind.Stored, PartKind.Shapes, PartKind.LongTexts }.Where(kind => kinds.Contains(kind.Of(BlobPart.Entries))))
        {
            _parts.Enqueue(new BlobMerge(_sources, _writer, tools, field, kind));
        }

        foreach (PartKind kind in new[] { PartKind.Longs, PartKind.Doubles, PartKind.Dates, PartKind.Nodes }.Where(kinds.Contains))
        {
            var numbers = new NumberMerge(_sources, _writer, tools, field, kind);
            _parts.Enqueue(numbers);
            _parts.Enqueue(new ColumnMerge(_sources, _writer, tools, field, kind.Of(NumberPart.Column), kind.Of(NumberPart.Rows), null)
            {
                Head = () => numbers.Head,
            });
        }
    }

    private void PlanDictionary(SegmentTools tools, int field, HashSet<PartKind> kinds, DictionaryParts parts, PartKind head, PartKind rows)
    {
        if (!kinds.Contains(parts.Index))
        {
            return;
        }

        if (field == FieldRecord.OfEntries && kinds.Contains(head))
        {
            // Only segments in which an id has several entries have the column, and then all entries need it.
            var places = new NativeList<int>();
            places.Resize(Entries);
            _parts.Enqueue(new DictionaryMerge(_sources, _writer, tools, field, parts) { PlaceOfEntry = places });
            _parts.Enqueue(new IdPlacesMerge(_sources, _writer, tools, places));
            return;
        }

        var dictionary = new DictionaryMerge(_sources, _writer, tools, field, parts);
        _parts.Enqueue(dictionary);
        if (kinds.Contains(head))
        {
            _parts.Enqueue(new ColumnMerge(_sources, _writer, tools, field, head, rows, dictionary));
        }
    }

    private void PlanColumn(SegmentTools tools, int field, HashSet<PartKind> kinds, PartKind head, PartKind rows)
    {
        if (kinds.Contains(head))
        {
            _parts.Enqueue(new ColumnMerge(_sources, _writer, tools, field, head, rows, null));
        }
    }
}
