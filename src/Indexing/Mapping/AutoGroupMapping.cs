using System.Buffers;
using System.Text;
using System.Text.Json;
using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Indexing.Sources;

namespace Jackdaw.Indexing.Mapping;

/// <summary>The mapping of an auto index with groups, for queries with <c>group by</c>: groups of documents with their count and sums.</summary>
/// <remarks>A row is a JSON object. It has the keys under their paths, and the count and the sums under <see cref="GroupedNames"/>. Rows of one
/// group can be added in any order and in parts.</remarks>
internal sealed class AutoGroupMapping : IndexMapping
{
    private readonly AutoDefinition _definition;
    private readonly bool _readsKept;
    private readonly string? _countName;
    private readonly string[] _sums;
    private readonly string[] _names;

    public AutoGroupMapping(AutoDefinition definition)
    {
        _definition = definition;
        _readsKept = definition.ReadsKeptMetadata;
        Sources = IndexSources.OfDocuments(definition.IsAllDocuments ? null : definition.Collection);
        string[] keys = [.. definition.GroupBy.Select(key => key.Path)];
        _countName = definition.Fields.Any(field => field.Aggregation == AutoAggregation.Count) ? GroupedNames.Count(keys) : null;
        _sums = [.. definition.Fields.Where(field => field.Aggregation == AutoAggregation.Sum).Select(field => field.Name)];
        _names = [.. keys, .. _sums.Select(path => GroupedNames.Sum(path, keys))];
        Fields = _countName is null ? _names : [.. _names, _countName];
    }

    public override IndexSources Sources { get; }

    public override bool HasReduce => true;

    public override bool ReadsKeptMetadata => _readsKept;

    public override IReadOnlyList<string> Fields { get; }

    public override bool HasComputedFields => false;

    public override MappingRun BeginRun(IDocumentLoader loader) => new Run(this);

    private sealed class Run(AutoGroupMapping mapping) : MappingRun
    {
        private readonly DocumentText _document = new();
        private readonly List<DocumentText> _texts = [];
        private readonly MappedEntry _entry = new();
        private readonly GroupRowFinder _finder = new(mapping._definition.GroupBy, mapping._sums);
        private readonly int _keys = mapping._definition.GroupBy.Count;
        private List<Value[]> _rows = [];
        private int _current;
        private byte[]? _written;

        public override MappedEntry Current => _entry;

        public override IReadOnlyList<DocumentReference> References => [];

        public override void Begin(ReadOnlySpan<byte> json, in DocumentOrigin origin)
        {
            ExecutionBudget.Start(json.Length);
            _current = -1;
            _rows = [];
            _rows = _finder.Find(_document.Read(json, origin), origin.Id);
        }

        public override bool MoveNext() => ++_current < _rows.Count;

        public override byte[] WriteRow() => _written = Write(_rows[_current], count: 1);

        public override string KeyOf(ReadOnlyMemory<byte> row)
        {
            if (_written is not null && row.Equals(_written))
            {
                return KeyOf(_rows[_current]);
            }

            return KeyOf(Read(0, row.Span));
        }

        public override byte[]? Reduce(IReadOnlyList<ReadOnlyMemory<byte>> rows)
        {
            ExecutionBudget.Start(rows.Sum(row => row.Length));
            Value[] first = Read(0, rows[0].Span);
            var columns = new List<Value>[mapping._sums.Length + 1];
            for (int i = 0; i < columns.Length; i++)
            {
                columns[i] = new List<Value>(rows.Count);
            }

            for (int i = 0; i < rows.Count; i++)
            {
                Value[] row = i == 0 ? first : Read(i, rows[i].Span);
                for (int column = 0; column < columns.Length; column++)
                {
                    columns[column].Add(row[_keys + column]);
                }
            }

            for (int column = 0; column < mapping._sums.Length; column++)
            {
                first[_keys + column] = NumberSum.Of(columns[column]);
            }

            return Write(first, NumberSum.Of(columns[^1]).AsLong());
        }

        protected override void Dispose(bool isDisposing)
        {
            _document.Dispose();
            _texts.ForEach(static text => text.Dispose());
        }

        // The keys and sums of a stored row, followed by its count.
        private Value[] Read(int position, ReadOnlySpan<byte> row)
        {
            while (_texts.Count <= position)
            {
                _texts.Add(new DocumentText());
            }

            Value read = _texts[position].Read(row, default);
            return [.. mapping._names.Select(read.Member), mapping._countName is { } count ? read.Member(count) : 0];
        }

        private string KeyOf(Value[] row)
        {
            var key = new StringBuilder();
            for (int i = 0; i < _keys; i++)
            {
                key.Append(GroupKey.TextOf(row[i]));
            }

            return key.ToString();
        }

        private byte[] Write(Value[] row, long count)
        {
            var buffer = new ArrayBufferWriter<byte>();
            using (var json = new Utf8JsonWriter(buffer))
            {
                json.WriteStartObject();
                for (int i = 0; i < mapping._names.Length; i++)
                {
                    json.WritePropertyName(mapping._names[i]);
                    row[i].WriteTo(json);
                }

                if (mapping._countName is { } name)
                {
                    json.WriteNumber(name, count);
                }

                json.WriteEndObject();
            }

            return buffer.WrittenSpan.ToArray();
        }
    }
}
