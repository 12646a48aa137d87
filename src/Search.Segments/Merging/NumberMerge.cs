using Jackdaw.Search.Segments.Collecting;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Merging;

/// <summary>Merges the orders of the numbers of one kind. The merge of their column comes after it.</summary>
internal sealed class NumberMerge(MergeSources sources, SegmentWriter writer, SegmentTools tools, int field, PartKind kind)
    : PartMerge(sources, writer, tools, field)
{
    private const int StepValues = 8192;

    private readonly int[] _places = new int[sources.Count];
    private readonly long[] _values = new long[sources.Count];
    private readonly int[] _entries = new int[sources.Count]; // merged; of equal values the entries come in order
    private NumberView[] _numbers = [];
    private bool _hasBegun;

    /// <summary>The head of the column.</summary>
    public ColumnHead Head { get; private set; }

    public override IEnumerable<PartKind> Reads =>
    [
        kind.Of(NumberPart.Column), kind.Of(NumberPart.Rows), kind.Of(NumberPart.Order), kind.Of(NumberPart.Samples), kind.Of(NumberPart.Values),
    ];

    public override void Open() => _numbers = [.. Sources.Views.Select(view => NumberView.Open(view, Field, kind))];

    public override bool Step()
    {
        if (!_hasBegun)
        {
            _hasBegun = true;
            Head = new ColumnHead { HasSeveral = _numbers.Any(numbers => numbers.Exists && !numbers.IsSingle) ? 1 : 0 };
            Tools.Numbers.Begin(Writer, Field, kind, Head.HasSeveral != 0);
            for (int i = 0; i < _places.Length; i++)
            {
                _places[i] = -1;
                MoveNext(i);
            }
        }

        for (int left = StepValues; left > 0; left--)
        {
            int least = FindLeast();
            if (least < 0)
            {
                Tools.Numbers.End();
                Head = Head with { Values = Tools.Numbers.Count };
                return false;
            }

            Tools.Numbers.Add(_entries[least], _values[least]);
            MoveNext(least);
        }

        return true;
    }

    // Entries of earlier segments are smaller, so that the first of equal ones is the right one.
    private int FindLeast()
    {
        int least = -1;
        for (int i = 0; i < _places.Length; i++)
        {
            if (_numbers[i].Exists && _places[i] < _numbers[i].Count && (least < 0 || _values[i] < _values[least]))
            {
                least = i;
            }
        }

        return least;
    }

    private unsafe void MoveNext(int source)
    {
        int* map = Sources.MapOf(source);
        while (_numbers[source].Exists && ++_places[source] < _numbers[source].Count)
        {
            int entry = map[_numbers[source].EntryAt(_places[source])];
            if (entry >= 0)
            {
                (_entries[source], _values[source]) = (entry, _numbers[source].ValueAt(_places[source]));
                return;
            }
        }
    }
}
