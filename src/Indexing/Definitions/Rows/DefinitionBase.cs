using Jackdaw.Indexing.Definitions.Functions;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Rows;

/// <summary>The base of each compiled definition: the functions that maps call by their bare name.</summary>
/// <remarks>Functions of features that maps cannot read yet (time series) give missing values.</remarks>
public abstract class DefinitionBase
{
    /// <summary>The member of an object that makes the object a vector.</summary>
    internal const string VectorMember = "@vector";

    internal LoadedDocuments? Loaded { get; set; }

    internal OutputRow? Row { get; set; }

    /// <summary>The row that the last select fills.</summary>
    public OutputRow BeginRow() => Row!.Begin();

    /// <summary>LoadDocument that leaves no reference: changes of the document do not index again.</summary>
    public UntrackedLoading NoTracking => new(this);

    public static Value Id(Value document) => document.Member("Id") is { IsMissing: false } own && !document.IsDocument
        ? own
        : document.IsDocument ? document.Document.Id : Value.Null;

    public static Value MetadataFor(Value document) => document.IsDocument ? document.DocumentMetadata() : document.Member("@metadata");

    /// <summary>What <c>Equals(a, b)</c> and <c>object.Equals(a, b)</c> mean.</summary>
    public static new bool Equals(object? left, object? right) => Conversion.ToValue(left).Equals(Conversion.ToValue(right));

    public static Value AsJson(Value document) => document;

    public static Value ToJsonString(Value value) => value.IsNull ? value : value.ToJson();

    public Value LoadDocument(Value id, string? collection = null) => Load(id, collection, isTracked: true);

    /// <remarks>A text converts to a value and to a sequence of characters. Without this overload the call would be ambiguous.</remarks>
    public Value LoadDocument(string? id, string? collection = null) => Load(id, collection, isTracked: true);

    public Value LoadDocument<T>(IEnumerable<T> ids, string? collection = null) =>
        Load(Conversion.ToValue(ids), collection, isTracked: true);

    public Value LoadCompareExchangeValue(Value key) => LoadValue(key, isTracked: true);

    public Value LoadCompareExchangeValue(string? key) => LoadValue(key, isTracked: true);

    public Value LoadCompareExchangeValue<T>(IEnumerable<T> keys) => LoadValue(Conversion.ToValue(keys), isTracked: true);

    /// <summary>One attachment of a document: Name, Hash, ContentType, Size, and GetContentAsString(); missing when there is none.</summary>
    public Value LoadAttachment(Value document, Value name)
    {
        if (name.IsNull)
        {
            return Value.Missing;
        }

        foreach (Value one in AttachmentsFor(document).AsSequence())
        {
            if (string.Equals(one.Member("Name").AsText(), name.AsText(), StringComparison.OrdinalIgnoreCase))
            {
                return ToAttachment(one);
            }
        }

        return Value.Missing;
    }

    /// <summary>All attachments of a document, as <see cref="LoadAttachment"/> gives them.</summary>
    public Value LoadAttachments(Value document) => Conversion.ToValue(Array.ConvertAll(AttachmentsFor(document).ToValues(), ToAttachment));

    public static Value AttachmentsFor(Value document) => MetadataFor(document).Member("@attachments");

    public static Value CounterNamesFor(Value document) => MetadataFor(document).Member("@counters");

    public static Value TimeSeriesNamesFor(Value document) => MetadataFor(document).Member("@timeseries");

    /// <summary>A vector, or several: numbers, base64 text, or lists of these.</summary>
    /// <remarks>The form is that of vectors in documents, so that rows of a reduce keep it, too.</remarks>
    public static Value CreateVector(Value value) =>
        value.IsMissing ? value : Value.FromObject(new ObjectValue([VectorMember], [value]));

    public static Value CreateVector(string? text) => CreateVector((Value)text);

    public static Value CreateVector<T>(IEnumerable<T> values) => CreateVector(Conversion.ToValue(values));

    public static Value LoadVector(Value field, Value task) => Absent(field, task);

    /// <summary>A value and all values below it, each once.</summary>
    public static IEnumerable<Value> Recurse(Value start, Func<Value, Value> next)
    {
        var seen = new HashSet<(object?, long)>();
        var waiting = new Stack<Value>();
        waiting.Push(start);
        while (waiting.TryPop(out Value value))
        {
            ExecutionBudget.Step();
            if (value.IsNull || (value.Identity.Holder is not null && !seen.Add(value.Identity)))
            {
                continue;
            }

            yield return value;
            Value below = next(value);
            if (below.IsList)
            {
                foreach (Value element in Enumerable.Reverse(below.ToValues()))
                {
                    waiting.Push(element);
                }
            }
            else
            {
                waiting.Push(below);
            }
        }
    }

    public static IEnumerable<Value> Recurse<T>(Value start, Func<Value, IEnumerable<T>> next) =>
        Recurse(start, value => Conversion.ToValue(next(value)));

    public static Value CreateField(Value name, Value value) => Field(name, value, null, null, null);

    public static Value CreateField(Value name, string? value) => Field(name, value, null, null, null);

    public static Value CreateField<T>(Value name, IEnumerable<T> value) =>
        CreateField(name, Conversion.ToValue(value));

    public static Value CreateField(Value name, Value value, bool stored, bool analyzed) =>
        Field(name, value, stored, analyzed ? "Search" : "Exact", null);

    public static Value CreateField(Value name, string? value, bool stored, bool analyzed) =>
        CreateField(name, (Value)value, stored, analyzed);

    public static Value CreateField<T>(Value name, IEnumerable<T> value, bool stored, bool analyzed) =>
        CreateField(name, Conversion.ToValue(value), stored, analyzed);

    public static Value CreateField(Value name, Value value, CreateFieldOptions options) => Field(
        name, value, options.Storage == FieldStorage.Yes, options.Indexing?.ToString(), options.TermVector?.ToString());

    public static Value CreateField(Value name, string? value, CreateFieldOptions options) =>
        CreateField(name, (Value)value, options);

    public static Value CreateField<T>(Value name, IEnumerable<T> value, CreateFieldOptions options) =>
        CreateField(name, Conversion.ToValue(value), options);

    public static Value CreateSpatialField(Value latitude, Value longitude) => latitude.IsNull || longitude.IsNull
        ? Value.Missing
        : new Value(ValueKind.Spatial, new SpatialValue(latitude.AsDouble(), longitude.AsDouble(), null));

    public static Value CreateSpatialField(Value wellKnownText) => wellKnownText.IsNull
        ? Value.Missing
        : new Value(ValueKind.Spatial, new SpatialValue(0, 0, wellKnownText.AsText()));

    public static Value Boost(Value value, Value factor) => value.Boost(factor);

    public static OutputRow Boost(OutputRow row, Value factor) => row.Boost(factor);

    /// <summary>The value as this type; null if it has another type.</summary>
    public static Value TryConvert<T>(Value value)
    {
        try
        {
            return value.IsNull ? value : Conversion.ToValue((object?)ConvertFunctions.As<T>(value));
        }
        catch (Exception fault) when (fault is InvalidCastException or FormatException or OverflowException)
        {
            return Value.Null;
        }
    }

    public static Value AsDateOnly(Value value) => value.IsNull ? value : (DateOnly)value;

    public static Value AsTimeOnly(Value value) => value.IsNull ? value : (TimeOnly)value;

    internal Value Load(Value id, string? collection, bool isTracked)
    {
        if (id.IsList)
        {
            return Value.FromList(Array.ConvertAll(id.ToValues(), one => Load(one, collection, isTracked)));
        }

        return id.IsNull || Loaded is null ? Value.Null : Loaded.Load(id.AsText(), collection, isTracked);
    }

    internal Value LoadValue(Value key, bool isTracked)
    {
        if (key.IsList)
        {
            return Value.FromList(Array.ConvertAll(key.ToValues(), one => LoadValue(one, isTracked)));
        }

        return key.IsNull || Loaded is null ? Value.Null : Loaded.LoadValue(key.AsText(), isTracked).Member("Object");
    }

    private static Value Field(Value name, Value value, bool? isStored, string? indexing, string? termVector) =>
        name.IsNull || name.AsText().Length == 0
            ? Value.Missing
            : new Value(ValueKind.DynamicField,
                new DynamicField(name.AsText(), Plain(value), isStored, indexing, termVector));

    /// <summary>Refuses nested fields, because writing one would follow the nesting without a bound.</summary>
    private static Value Plain(Value value) =>
        value.Kind == ValueKind.DynamicField ? value.Made<DynamicField>().Value : value;

    private Value ToAttachment(Value shown)
    {
        string[] names = ["Name", "Hash", "ContentType", "Size"];
        string hash = shown.Member("Hash").AsText();
        return Value.FromObject(new AttachmentValue(
            names, Array.ConvertAll(names, name => shown.Member(name)), () => Loaded is null ? Value.Null : Loaded.LoadContent(hash)));
    }

    private static Value Absent(params ReadOnlySpan<Value> arguments) => arguments.IsEmpty ? Value.Null : default;
}
