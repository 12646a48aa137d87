using Jackdaw.Search.Entries;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Collecting;

/// <summary>What the entries of a batch have in one field. One thread; it is used again for later batches.</summary>
internal sealed class FieldCollector : IDisposable
{
    private const int KeptMax = 1 << 18;

    private readonly TermTable _table;
    private readonly int _dictionary;
    private readonly NativeList<int> _present = new();
    private readonly NativeList<int> _nulls = new();
    private readonly NativeList<int> _datesFirst = new();
    private readonly TermColumn _first = new();
    private readonly TermColumn _sort = new();
    private readonly NativeList<int> _tokenEntries = new();
    private readonly NativeList<long> _tokenCounts = new();
    private readonly NativeList<int> _boostEntries = new();
    private readonly NativeList<long> _boosts = new();
    private readonly BlobCollector _shapes = new();
    private readonly BlobCollector _longTexts = new();
    private TermCollector? _terms;
    private TermCollector? _sortTexts;
    private TermCollector? _cells;
    private readonly NumberCollector?[] _numbers = new NumberCollector?[4];
    private int _lastText = -1; // the entry that had a text last; its position and its tokens
    private int _position;
    private int _lastNumber = -1;

    /// <param name="dictionary">The number of its first dictionary in the table; it has <see cref="Dictionaries"/>.</param>
    public FieldCollector(FieldRecord field, TermTable table, int dictionary)
    {
        Field = field;
        _table = table;
        _dictionary = dictionary;
    }

    /// <summary>The dictionaries that a field may have.</summary>
    public const int Dictionaries = 3;

    public FieldRecord Field { get; }

    /// <summary>A field of this name, without settings.</summary>
    public IndexField Named => field ??= new IndexField(Field.Name);

    /// <summary>Whether an entry of the batch has something in it.</summary>
    public bool IsUsed { get; set; }

    /// <summary>What the batch has of the field.</summary>
    public FieldTraits Traits { get; private set; }

    /// <summary>Notes that an entry has the field.</summary>
    public void AddPresent(int entry)
    {
        if (_present.IsEmpty || _present.Last != entry)
        {
            _present.Add(entry);
            Traits |= FieldTraits.Present;
        }
    }

    public void AddNull(int entry)
    {
        if (_nulls.IsEmpty || _nulls.Last != entry)
        {
            _nulls.Add(entry);
        }
    }

    /// <summary>Adds a whole value as a term.</summary>
    public void AddTerm(int entry, ReadOnlySpan<byte> term, bool isDate)
    {
        Traits |= FieldTraits.Terms;
        _terms ??= new TermCollector(_table, _dictionary);
        int number = _terms.Add(term, entry);
        if (_first.TryAdd(entry, number) && isDate)
        {
            _datesFirst.Add(entry);
        }
    }

    /// <summary>Begins a value of a full text.</summary>
    /// <param name="whole">The whole text in its form for orders.</param>
    public void BeginText(int entry, ReadOnlySpan<byte> whole, bool isDate)
    {
        Traits |= FieldTraits.Terms | FieldTraits.Positions;
        _terms ??= new TermCollector(_table, _dictionary);
        bool isFirst = _lastText != entry;
        _position = isFirst ? -1 : _position + BatchCollector.ValueGap;
        if (!isFirst)
        {
            return;
        }

        _lastText = entry;
        _tokenEntries.Add(entry);
        _tokenCounts.Add(0);
        if (isDate)
        {
            _datesFirst.Add(entry);
        }
        else
        {
            _sortTexts ??= new TermCollector(_table, _dictionary + 1);
            _sort.TryAdd(entry, _sortTexts.Add(whole));
        }
    }

    /// <summary>Adds the next token of the text.</summary>
    /// <param name="step">The positions from the token before.</param>
    public void AddToken(ReadOnlySpan<byte> term, int step)
    {
        _position = Math.Max(0, _position + step);
        _terms!.Add(term, _lastText, _position);
        _tokenCounts.Last++;
    }

    /// <summary>Adds a number.</summary>
    /// <param name="kind">Longs, doubles or dates.</param>
    public void AddNumber(int entry, PartKind kind, long value)
    {
        Traits |= kind == PartKind.Longs ? FieldTraits.Longs : kind == PartKind.Doubles ? FieldTraits.Doubles : FieldTraits.Dates;
        NumbersOf(kind).Add(entry, value, _lastNumber != entry);
        _lastNumber = entry;
    }

    /// <summary>Adds a node of a graph. An entry may name it several times.</summary>
    public void AddNode(int entry, long node)
    {
        Traits |= FieldTraits.Nodes;
        NumberCollector nodes = NumbersOf(PartKind.Nodes);
        if (!nodes.HasLast(entry, node))
        {
            nodes.Add(entry, node, nodes.IsEmpty || nodes.LastEntry != entry);
        }
    }

    public void AddCell(int entry, ReadOnlySpan<byte> cell)
    {
        Traits |= FieldTraits.Shapes;
        _cells ??= new TermCollector(_table, _dictionary + 2);
        _cells.Add(cell, entry);
    }

    public void AddShapes(int entry, ReadOnlySpan<byte> shapes) => _shapes.AddMore(entry, shapes);

    /// <summary>Adds a value that is too long to be a term.</summary>
    /// <param name="text">Its length and its bytes.</param>
    public void AddLongText(int entry, ReadOnlySpan<byte> text)
    {
        Traits |= FieldTraits.LongTexts;
        _longTexts.AddMore(entry, text);
    }

    public void AddBoost(int entry, float factor)
    {
        Traits |= FieldTraits.Boosts;
        _boostEntries.Add(entry);
        _boosts.Add(BitConverter.SingleToInt32Bits(factor));
    }

    /// <summary>Writes all parts.</summary>
    public unsafe void Write(SegmentWriter writer, SegmentTools tools)
    {
        int field = Field.Number;
        WriteSet(writer, PartKind.Present, _present);
        WriteSet(writer, PartKind.Nulls, _nulls);
        WriteSet(writer, PartKind.DatesFirst, _datesFirst);
        tools.EnsurePlaces(_table.Count);
        if (_terms is { IsEmpty: false })
        {
            bool isText = !_tokenEntries.IsEmpty;
            _terms.Write(writer, tools, field, isText ? DictionaryParts.Text : DictionaryParts.Keywords);
            _first.Write(writer, tools, field, PartKind.Ordinals, PartKind.OrdinalRows, _first.HasSeveral);
        }

        if (!_tokenEntries.IsEmpty)
        {
            tools.Column.Write(
                writer, field, PartKind.Norms, PartKind.NormRows, _tokenEntries.Span, TokenCounts.Encode(_tokenCounts.Span, out long sum),
                new ColumnHead { Sum = sum });
        }

        if (_sortTexts is { IsEmpty: false })
        {
            _sortTexts.Write(writer, tools, field, DictionaryParts.SortTexts);
            _sort.Write(writer, tools, field, PartKind.SortOrdinals, PartKind.SortOrdinalRows, hasSeveral: false);
        }

        if (_cells is { IsEmpty: false })
        {
            _cells.Write(writer, tools, field, DictionaryParts.Cells);
        }

        if (!_boostEntries.IsEmpty)
        {
            tools.Column.Write(writer, field, PartKind.Boosts, PartKind.BoostRows, _boostEntries.Span, _boosts.Span, default);
        }

        _shapes.Write(writer, tools.Blobs, field, PartKind.Shapes);
        _longTexts.Write(writer, tools.Blobs, field, PartKind.LongTexts);
        foreach (NumberCollector? numbers in _numbers)
        {
            if (numbers is { IsEmpty: false })
            {
                numbers.Write(writer, tools, field);
            }
        }
    }

    public void Clear()
    {
        (Traits, IsUsed, _lastText, _lastNumber) = (FieldTraits.None, false, -1, -1);
        foreach (NativeList<int> list in new[] { _present, _nulls, _datesFirst, _tokenEntries, _boostEntries })
        {
            list.Trim(KeptMax);
        }

        _tokenCounts.Trim(KeptMax);
        _boosts.Trim(KeptMax);
        _first.Clear();
        _sort.Clear();
        _shapes.Clear();
        _longTexts.Clear();
        _terms?.Clear();
        _sortTexts?.Clear();
        _cells?.Clear();
        foreach (NumberCollector? numbers in _numbers)
        {
            numbers?.Clear();
        }
    }

    public void Dispose()
    {
        IDisposable?[] parts =
        [
            _present, _nulls, _datesFirst, _first, _sort, _tokenEntries, _tokenCounts, _boostEntries, _boosts, _shapes, _longTexts, _terms, _sortTexts, _cells,
            .. _numbers,
        ];
        foreach (IDisposable? part in parts)
        {
            part?.Dispose();
        }
    }

    private NumberCollector NumbersOf(PartKind kind) =>
        _numbers[(kind - PartKind.Longs) / (PartKind.Doubles - PartKind.Longs)] ??= new NumberCollector(kind);

    private void WriteSet(SegmentWriter writer, PartKind kind, NativeList<int> entries)
    {
        if (!entries.IsEmpty)
        {
            PartBuilder part = writer.Open(Field.Number, kind);
            Codes.EntrySet.Write(part.Bytes, entries.Span, writer.Entries);
            writer.Close(part);
        }
    }
}
