using Jackdaw.Search.Segments.Collecting;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Merging;

/// <summary>Writes the places of the entries' ids in the dictionary of ids.</summary>
internal sealed class IdPlacesMerge(MergeSources sources, SegmentWriter writer, SegmentTools tools, NativeList<int> places)
    : PartMerge(sources, writer, tools, FieldRecord.OfEntries)
{
    public override IEnumerable<PartKind> Reads => [];

    public override void Open()
    {
        // Everything is done in one step.
    }

    public override bool Step()
    {
        Tools.Column.Begin(Writer, FieldRecord.OfEntries, PartKind.Ordinals, PartKind.OrdinalRows, 0, places.Span.IsEmpty ? 0 : Greatest());
        for (int entry = 0; entry < places.Count; entry++)
        {
            Tools.Column.Add(entry, places[entry]);
        }

        Tools.Column.End(default);
        places.Dispose();
        return false;
    }

    private int Greatest()
    {
        int greatest = 0;
        foreach (int place in places.Span)
        {
            greatest = Math.Max(greatest, place);
        }

        return greatest;
    }
}

/// <summary>Merges columns.</summary>
/// <param name="dictionary">When the numbers are places in a dictionary, the merge of it, which has ended; else null.</param>
internal sealed unsafe class ColumnMerge(
    MergeSources sources, SegmentWriter writer, SegmentTools tools, int field, PartKind head, PartKind rows, DictionaryMerge? dictionary)
    : PartMerge(sources, writer, tools, field)
{
    private const int StepEntries = 16 * 1024;

    private ColumnReader[] _columns = [];
    private ColumnHead _head;
    private int _source;
    private int _entry = -1;

    /// <summary>What the head has besides, when it is not the sum of the columns' heads.</summary>
    public Func<ColumnHead>? Head { get; init; }

    public override IEnumerable<PartKind> Reads => [head, rows];

    public override void Open() => _columns = [.. Sources.Views.Select(view => ColumnReader.Open(view, Field, head, rows))];

    public override bool Step()
    {
        if (_entry < 0)
        {
            _entry = 0;
            Begin();
        }

        for (int left = StepEntries; left > 0 && _source < Sources.Count; left--)
        {
            if (!_columns[_source].Exists || _entry == Sources.Views[_source].Entries)
            {
                (_source, _entry) = (_source + 1, 0);
                continue;
            }

            int merged = Sources.MapOf(_source)[_entry];
            if (merged >= 0 && _columns[_source].TryRead(_entry, out long value))
            {
                Tools.Column.Add(merged, dictionary is null ? value : dictionary.PlaceOf(_source, (int)value));
            }

            _entry++;
        }

        if (_source < Sources.Count)
        {
            return true;
        }

        Tools.Column.End(Head is null ? _head : Head());
        return false;
    }

    private void Begin()
    {
        long least = long.MaxValue, greatest = long.MinValue;
        foreach (ColumnReader column in _columns)
        {
            if (column.Exists && column.Head.Rows > 0)
            {
                least = Math.Min(least, column.Head.Least);
                greatest = Math.Max(greatest, column.Head.Greatest);
            }

            if (column.Exists)
            {
                _head.HasSeveral |= column.Head.HasSeveral;
                _head.Sum += column.Head.Sum;
            }
        }

        if (least > greatest)
        {
            (least, greatest) = (0, 0);
        }

        if (dictionary is not null)
        {
            (least, greatest) = (0, Math.Max(0, dictionary.Count - 1));
        }

        Tools.Column.Begin(Writer, Field, head, rows, least, greatest);
    }
}
