using System.Buffers;
using System.Text;
using System.Text.Unicode;
using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Collecting;

/// <summary>The entries of a batch, as flat lists, from which a segment is written. Its memory is used again. The thread of the index.</summary>
internal sealed unsafe class BatchCollector : IDisposable
{
    /// <summary>The positions between two values of a full text, so that phrases do not cross from one to the other.</summary>
    public const int ValueGap = 1000;

    /// <summary>The fields whose lists stay between batches.</summary>
    private const int KeptFieldsMax = 256;

    /// <summary>The number of the dictionary of ids in the table; the fields' dictionaries follow.</summary>
    private const int IdDictionary = 0;

    private readonly TermTable _table = new();
    private readonly TermCollector _ids;
    private readonly NativeList<int> _idOf = new();
    private readonly NativeList<long> _idPlaces = new();
    private readonly BlobCollector _stored = new();
    private readonly NativeList<int> _boostEntries = new();
    private readonly NativeList<long> _boosts = new();
    private readonly NativeBuffer _storedBytes = new();
    private readonly NativeBuffer _longBytes = new();
    private readonly Dictionary<string, FieldCollector> _byName = new(StringComparer.Ordinal);
    private readonly Dictionary<IndexField, FieldCollector> _byField = new(ReferenceEqualityComparer.Instance);
    private readonly List<FieldCollector> _used = [];
    private readonly EntryAnalysis _analysis = new();
    private byte[] _utf8 = new byte[4096];
    private FieldTable _fields = FieldTable.Empty;
    private int _nextNumber;

    public BatchCollector() => _ids = new TermCollector(_table, IdDictionary);

    /// <summary>The entries so far.</summary>
    public int Entries => _idOf.Count;

    /// <summary>About the bytes that the entries take here.</summary>
    public long Bytes { get; private set; }

    /// <summary>Begins a batch.</summary>
    /// <param name="fields">The fields of the index.</param>
    public void Begin(FieldTable fields) => (_fields, _nextNumber) = (fields, fields.NextNumber);

    /// <summary>Whether an entry of the batch has an id.</summary>
    public bool HasId(ReadOnlySpan<byte> id) => _table.TryFind(IdDictionary, id, out _);

    /// <summary>Whether the entry that was added last has an id.</summary>
    public bool IsLastId(ReadOnlySpan<byte> id) =>
        !_idOf.IsEmpty && new ReadOnlySpan<byte>(_table.TextOf(_idOf.Last, out int length), length).SequenceEqual(id);

    /// <summary>Adds an entry. When an analyzer or a shape fails, nothing is added.</summary>
    public void Add(IndexEntry entry)
    {
        _analysis.Read(entry);
        int number = _idOf.Count;
        _idOf.Add(_ids.Add(entry.Id, number));
        _storedBytes.Clear();
        Bytes += entry.Id.Length;
        for (int i = 0; i < entry.Values.Count; i++)
        {
            Add(number, entry.Values[i], i);
        }

        _analysis.AddShapes(this, number);
        if (_storedBytes.Length > 0)
        {
            _stored.Add(number, _storedBytes.Span);
            Bytes += _storedBytes.Length;
        }

        AddBoosts(number, entry);
    }

    /// <summary>The fields that are new, or have something new, since the batch began.</summary>
    public List<FieldRecord> ChangedFields()
    {
        List<FieldRecord> changed = [];
        foreach (FieldCollector field in _used)
        {
            FieldTraits known = _fields.Find(field.Field.Name)?.Traits ?? FieldTraits.None;
            if (field.Field.Number >= _fields.NextNumber || (field.Traits & ~known) != 0)
            {
                changed.Add(field.Field with { Traits = known | field.Traits });
            }
        }

        if (!_boostEntries.IsEmpty && _fields.Find(FieldTable.EntriesName) is null)
        {
            changed.Add(new FieldRecord(FieldRecord.OfEntries, FieldTable.EntriesName, FieldTraits.Boosts));
        }

        return changed;
    }

    /// <summary>Writes the entries as a segment.</summary>
    public void Write(SegmentWriter writer, SegmentTools tools)
    {
        tools.EnsurePlaces(_table.Count);
        _ids.Write(writer, tools, FieldRecord.OfEntries, DictionaryParts.Keywords);
        WriteIdPlaces(writer, tools);
        tools.Ids.Begin(writer);
        for (int i = 0; i < _idOf.Count; i++)
        {
            byte* id = _table.TextOf(_idOf[i], out int length);
            tools.Ids.Add(id, length);
        }

        tools.Ids.End();
        if (!_boostEntries.IsEmpty)
        {
            tools.Column.Write(writer, FieldRecord.OfEntries, PartKind.Boosts, PartKind.BoostRows, _boostEntries.Span, _boosts.Span, default);
        }

        _stored.Write(writer, tools.Blobs, FieldRecord.OfEntries, PartKind.Stored);
        foreach (FieldCollector field in _used)
        {
            field.Write(writer, tools);
        }
    }

    // Only where an id has several entries: then its place in the dictionary says which entries belong together.
    private void WriteIdPlaces(SegmentWriter writer, SegmentTools tools)
    {
        if (_ids.Count == _idOf.Count)
        {
            return;
        }

        long* places = _idPlaces.Resize(_idOf.Count);
        int* entries = tools.Sorter.Entries.Resize(_idOf.Count);
        for (int i = 0; i < _idOf.Count; i++)
        {
            places[i] = tools.Places[_idOf[i]];
            entries[i] = i;
        }

        tools.Column.Write(
            writer, FieldRecord.OfEntries, PartKind.Ordinals, PartKind.OrdinalRows, tools.Sorter.Entries.Span, _idPlaces.Span, default);
    }

    /// <summary>Forgets the entries, and keeps the fields that they brought.</summary>
    public void Clear()
    {
        _table.Clear();
        _ids.Clear();
        _idOf.Trim(1 << 18);
        _stored.Clear();
        _boostEntries.Clear();
        _boosts.Clear();
        Bytes = 0;
        if (_byName.Count > KeptFieldsMax)
        {
            Forget();
        }

        _used.ForEach(field => field.Clear());
        _used.Clear();
        _byField.Clear();
    }

    /// <summary>Forgets the entries and the numbers of their fields.</summary>
    public void RollBack()
    {
        Clear();
        Forget();
    }

    public void Dispose()
    {
        Forget();
        _table.Dispose();
        _ids.Dispose();
        _idOf.Dispose();
        _idPlaces.Dispose();
        _stored.Dispose();
        _boostEntries.Dispose();
        _boosts.Dispose();
        _storedBytes.Dispose();
        _longBytes.Dispose();
    }

    internal FieldCollector CollectorOf(IndexField field)
    {
        if (_byField.TryGetValue(field, out FieldCollector? collector))
        {
            return collector;
        }

        if (!_byName.TryGetValue(field.Name, out collector))
        {
            FieldRecord record = _fields.Find(field.Name) ?? new FieldRecord(_nextNumber++, field.Name, FieldTraits.None);
            collector = new FieldCollector(record, _table, IdDictionary + 1 + (record.Number * FieldCollector.Dictionaries));
            _byName.Add(field.Name, collector);
        }

        if (!collector.IsUsed)
        {
            collector.IsUsed = true;
            _used.Add(collector);
        }

        _byField.Add(field, collector);
        return collector;
    }

    private void Forget()
    {
        foreach (FieldCollector field in _byName.Values)
        {
            field.Dispose();
        }

        _byName.Clear();
        _byField.Clear();
        _used.Clear();
    }

    private void Add(int entry, in EntryValue value, int index)
    {
        IndexField field = value.Field;
        bool isSearched = value.Kind != EntryValueKind.Stored && (field.Indexing != IndexingMode.None || value.Kind == EntryValueKind.Node);
        FieldCollector collector = CollectorOf(field);
        if (value.Kind == EntryValueKind.Stored)
        {
            Store(collector, value.Utf8.Span);
        }
        else if (value.Text is not null && field.IsStored)
        {
            Store(collector, ToUtf8(value.Text));
        }

        if (!isSearched)
        {
            return;
        }

        collector.AddPresent(entry);
        AddKind(collector, entry, value);
        if (value.Text is { } text && value.Kind != EntryValueKind.Spatial)
        {
            Bytes += text.Length;
            AddText(collector, entry, value, text, index);
        }
    }

    private static void AddKind(FieldCollector collector, int entry, in EntryValue value)
    {
        switch (value.Kind)
        {
            case EntryValueKind.Null:
                collector.AddNull(entry);
                break;
            case EntryValueKind.Node:
                collector.AddNode(entry, value.Long);
                break;
            case EntryValueKind.Long:
                collector.AddNumber(entry, PartKind.Longs, value.Long);
                break;
            case EntryValueKind.Double when Codes.OrderedNumber.IsWhole(value.Double, out long whole):
                collector.AddNumber(entry, PartKind.Longs, whole);
                break;
            case EntryValueKind.Double when !double.IsNaN(value.Double):
                collector.AddNumber(entry, PartKind.Doubles, Codes.OrderedNumber.Of(value.Double));
                break;
            case EntryValueKind.Date:
                collector.AddNumber(entry, PartKind.Dates, value.Long);
                break;
        }
    }

    private void AddText(FieldCollector collector, int entry, in EntryValue value, string text, int index)
    {
        TextAnalyzer analyzer = _analysis.AnalyzerOf(index);
        bool isDate = value.Kind == EntryValueKind.Date;
        if (analyzer.IsWholeValue)
        {
            collector.AddTerm(entry, WholeTerm(collector, analyzer, entry, text), isDate);
            return;
        }

        collector.BeginText(entry, ToUtf8(analyzer.Normalize(text)), isDate);
        if (value.Kind is not (EntryValueKind.Text or EntryValueKind.Date))
        {
            collector.AddToken(ToUtf8(analyzer.Normalize(text)), 1);
            return;
        }

        _analysis.AddTokens(collector, index);
    }

    // Most values are short and plain.
    private ReadOnlySpan<byte> WholeTerm(FieldCollector collector, TextAnalyzer analyzer, int entry, string text)
    {
        if (text.Length <= TextAnalyzer.TermBytesMax / 3)
        {
            bool isLowered = ReferenceEquals(analyzer, TextAnalyzers.LowerCaseKeyword);
            if (isLowered && Ascii.ToLower(text, Space(text.Length), out int written) == OperationStatus.Done)
            {
                return _utf8.AsSpan(0, written);
            }

            return ToUtf8(isLowered ? analyzer.WholeForm(text) : analyzer.Normalize(text));
        }

        string whole = analyzer.WholeForm(text), term = analyzer.Normalize(text);
        if (term.Length < whole.Length)
        {
            AddLongText(collector, entry, whole);
        }

        return ToUtf8(term);
    }

    // A part of a value is searched in the whole, because its term is cut.
    private void AddLongText(FieldCollector collector, int entry, string whole)
    {
        _longBytes.Clear();
        ReadOnlySpan<byte> utf8 = ToUtf8(whole);
        _longBytes.AddVarInt((uint)utf8.Length);
        _longBytes.AddBytes(utf8);
        collector.AddLongText(entry, _longBytes.Span);
        Bytes += utf8.Length;
    }

    private void Store(FieldCollector collector, ReadOnlySpan<byte> utf8)
    {
        _storedBytes.AddVarInt((uint)collector.Field.Number);
        _storedBytes.AddVarInt((uint)utf8.Length);
        _storedBytes.AddBytes(utf8);
    }

    private void AddBoosts(int number, IndexEntry entry)
    {
        if (IsFactor(entry.Boost))
        {
            _boostEntries.Add(number);
            _boosts.Add(BitConverter.SingleToInt32Bits(entry.Boost));
        }

        if (entry.FieldBoosts.Count == 0)
        {
            return;
        }

        foreach ((string field, float factor) in entry.FieldBoosts)
        {
            if (IsFactor(factor))
            {
                CollectorOf(_byName.TryGetValue(field, out FieldCollector? known) ? known.Named : new IndexField(field)).AddBoost(number, factor);
            }
        }
    }

    // A number that cannot be a factor, such as that of a missing value, counts as 1.
    private static bool IsFactor(float boost) => boost != 1 && boost >= 0 && float.IsFinite(boost);

    private Span<byte> Space(int length)
    {
        if (_utf8.Length < length)
        {
            _utf8 = new byte[2 * length];
        }

        return _utf8;
    }

    private ReadOnlySpan<byte> ToUtf8(string text)
    {
        // A half of a pair becomes a replacement character, as in every other place that writes UTF-8.
        Utf8.FromUtf16(text, Space(3 * text.Length), out _, out int written);
        return _utf8.AsSpan(0, written);
    }
}
