using System.Globalization;
using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Indexing.Sources;
using Jackdaw.Json.Paths;

namespace Jackdaw.Indexing.Mapping;

/// <summary>The mapping of an auto index without groups: fields of the documents of one collection, unchanged.</summary>
internal sealed class AutoMapping(AutoDefinition definition) : IndexMapping
{
    public override IndexSources Sources { get; } = IndexSources.OfDocuments(definition.IsAllDocuments ? null : definition.Collection);

    public override bool HasReduce => false;

    public override bool IndexesEmptyEntries => true;

    public override bool LeavesOutValues => true;

    public override bool ReadsKeptMetadata { get; } = definition.ReadsKeptMetadata;

    public override IReadOnlyList<string> Fields { get; } = [.. definition.Fields.Select(field => field.Name)];

    public override MappingRun BeginRun(IDocumentLoader loader) => new Run(definition);

    private sealed class Run : MappingRun
    {
        private readonly (AutoField Field, FieldPathValues Path)[] _fields;
        private readonly (string Field, FieldPathValues First, FieldPathValues? Second)[] _shapes;
        private readonly (string Field, FieldPathValues Path)[] _vectors;
        private readonly MappedEntry _entry = new();
        private readonly DocumentText _document = new();
        private readonly List<Value> _found = [];
        private Value _current;
        private bool _isRead = true;

        public Run(AutoDefinition definition)
        {
            _fields =
            [
                .. definition.Fields
                    .Where(field => field.Name != AutoDefinition.DocumentId && field.Spatial is null && field.Vector is null)
                    .Select(field => (field, new FieldPathValues(field.Path))),
            ];
            _shapes =
            [
                .. definition.Fields.Where(field => field.Spatial is not null).Select(field => (
                    field.Name,
                    new FieldPathValues(DocumentPath.Parse(field.Spatial!.WellKnownText ?? field.Spatial.Latitude!)),
                    field.Spatial.Longitude is { } longitude ? new FieldPathValues(DocumentPath.Parse(longitude)) : null)),
            ];
            _vectors =
            [
                .. definition.Fields.Where(field => field.Vector is not null)
                    .Select(field => (field.Name, new FieldPathValues(DocumentPath.Parse(field.Vector!.Path)))),
            ];
        }

        public override MappedEntry Current => _entry;

        public override IReadOnlyList<DocumentReference> References => [];

        public override void Begin(ReadOnlySpan<byte> json, in DocumentOrigin origin)
        {
            _current = _document.Read(json, origin);
            ExecutionBudget.Start(json.Length);
            _isRead = false;
        }

        public override bool MoveNext()
        {
            if (_isRead)
            {
                return false;
            }

            _isRead = true;
            _entry.Reset();
            foreach ((AutoField field, FieldPathValues path) in _fields)
            {
                _found.Clear();
                path.Find(_current, _found);
                if (_found.Count > 0 || path.IsIn(_current))
                {
                    AddField(field);
                }
            }

            foreach ((string field, FieldPathValues first, FieldPathValues? second) in _shapes)
            {
                AddShapes(field, first, second);
            }

            foreach ((string field, FieldPathValues path) in _vectors)
            {
                _found.Clear();
                path.FindWhole(_current, _found);
                if (_found.Count > 0)
                {
                    _entry.Add(field, _found.Count == 1 ? _found[0] : Value.FromList([.. _found]));
                }
            }

            return true;
        }

        public override byte[] WriteRow() => throw new NotSupportedException("An index without groups stores no rows.");

        public override string KeyOf(ReadOnlyMemory<byte> row) => throw new NotSupportedException("An index without groups has no keys.");

        public override byte[]? Reduce(IReadOnlyList<ReadOnlyMemory<byte>> rows) =>
            throw new NotSupportedException("An index without groups reduces nothing.");

        protected override void Dispose(bool isDisposing) => _document.Dispose();

        // Latitudes and longitudes of arrays are taken in pairs. Values that are neither numbers nor texts make no shape.
        // Texts count because coordinates are often stored as texts.
        private void AddShapes(string field, FieldPathValues first, FieldPathValues? second)
        {
            _found.Clear();
            first.Find(_current, _found);
            int count = _found.Count;
            second?.Find(_current, _found);
            List<Value> shapes = [];
            for (int i = 0; i < count && (second is null || count + i < _found.Count); i++)
            {
                bool isShape = second is null ? _found[i].IsText : IsCoordinate(_found[i]) && IsCoordinate(_found[count + i]);
                if (isShape)
                {
                    shapes.Add(second is null
                        ? DefinitionBase.CreateSpatialField(_found[i])
                        : DefinitionBase.CreateSpatialField(_found[i], _found[count + i]));
                }
            }

            if (shapes.Count > 0)
            {
                _entry.Add(field, shapes.Count == 1 ? shapes[0] : Value.FromList([.. shapes]));
            }
        }

        private static bool IsCoordinate(Value value) => value.IsNumber
            || (value.IsText && double.TryParse(value.AsText(), CultureInfo.InvariantCulture, out double number) && double.IsFinite(number));

        // One field for each way of searching, because their terms differ. An object has no term; the index only knows that it exists.
        private void AddField(AutoField field)
        {
            int objects = _found.RemoveAll(value => value.IsObject);
            if (objects > 0)
            {
                _entry.Add(AutoFieldNames.Objects(field.Name), true);
            }

            Value value = _found.Count == 1 ? _found[0] : Value.FromList([.. _found]);
            _entry.Add(field.Name, value);
            if ((field.Search & (AutoFieldSearch.Search | AutoFieldSearch.Highlighting)) != 0)
            {
                _entry.Add(AutoFieldNames.Search(field.Name), value);
            }

            if (field.Search.HasFlag(AutoFieldSearch.Exact))
            {
                _entry.Add(AutoFieldNames.Exact(field.Name), value);
            }
        }
    }
}

/// <summary>Names of the fields in an auto index that hold a field of the documents in another way.</summary>
internal static class AutoFieldNames
{
    public static string Search(string field) => $"search({field})";

    public static string Exact(string field) => $"exact({field})";

    /// <summary>The name of the field that exists when a field of the document is an object, which has no term.</summary>
    public static string Objects(string field) => $"objects({field})";
}
