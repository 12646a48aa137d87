namespace Jackdaw.Search.Entries;

/// <summary>The kind of one value of an entry.</summary>
public enum EntryValueKind
{
    /// <summary>The field exists and has no value: an empty array.</summary>
    Empty,
    Null,
    Text,
    Boolean,
    Long,
    Double,

    /// <summary>A point in time: a text, with ticks for comparing and sorting.</summary>
    Date,

    /// <summary>A shape, given as text.</summary>
    Spatial,

    /// <summary>The value cannot be searched; it is only stored, as bytes.</summary>
    Stored,

    /// <summary>A vector. An engine never sees it: it gets the <see cref="Node"/> that the graph of the field has for it.</summary>
    Vector,

    /// <summary>The number of a node in the graph of a field of vectors, 0 or more. Conditions find it by <see cref="Queries.ScoredNode"/>.</summary>
    Node,
}

/// <summary>One value of one field.</summary>
/// <param name="Field">The field. It has several values, in their order, when it is added several times.</param>
/// <param name="Text">The value as text: a number as it was written, a shape as well-known text, a boolean as <c>true</c> or <c>false</c>. Null for Empty, Null
/// and Stored.</param>
/// <param name="Long">A whole number, the UTC ticks of a date, or the number of a node.</param>
/// <param name="Double">Any number.</param>
/// <param name="Utf8">The bytes of a value that is only stored.</param>
public readonly record struct EntryValue(
    EntryValueKind Kind, IndexField Field, string? Text = null, long Long = 0, double Double = 0, ReadOnlyMemory<byte> Utf8 = default)
{
    /// <summary>The numbers of a vector; empty for other values.</summary>
    public ReadOnlyMemory<float> Vector { get; init; }
}

/// <summary>One entry of an index, which searches find. One thread fills it, and uses it again for the next entry after
/// <see cref="Reset(ReadOnlySpan{byte})"/>.</summary>
public sealed class IndexEntry
{
    private readonly List<EntryValue> _values = [];
    private readonly Dictionary<string, float> _fieldBoosts = new(StringComparer.Ordinal);
    private byte[] _id = new byte[64];
    private int _idLength;

    /// <summary>The id by which the entry is replaced, in UTF-8: new entries with an id replace all earlier entries with that id. Not empty; compared byte by
    /// byte. Valid until the entry gets another id.</summary>
    public ReadOnlySpan<byte> Id => _id.AsSpan(0, _idLength);

    /// <summary>Multiplies the score of the entry in every search; 1 changes nothing. Negative numbers and NaN count as 1.</summary>
    public float Boost { get; set; } = 1;

    /// <summary>Multiplies the share that conditions on these fields have in the score of the entry.</summary>
    public IReadOnlyDictionary<string, float> FieldBoosts => _fieldBoosts;

    public IReadOnlyList<EntryValue> Values => _values;

    /// <summary>Forgets all values, and takes another id.</summary>
    /// <param name="id">UTF-8; copied.</param>
    public void Reset(ReadOnlySpan<byte> id)
    {
        ArgumentOutOfRangeException.ThrowIfZero(id.Length);
        if (_id.Length < id.Length)
        {
            _id = new byte[2 * id.Length];
        }

        id.CopyTo(_id);
        _idLength = id.Length;
        Reset();
    }

    /// <summary>Forgets all values, for the next entry of the same id.</summary>
    public void Reset()
    {
        Boost = 1;
        _values.Clear();
        _fieldBoosts.Clear();
    }

    /// <summary>Gives a field a factor, which replaces an earlier one.</summary>
    public void BoostField(IndexField field, float factor) => _fieldBoosts[field.Name] = factor;

    public void AddEmpty(IndexField field) => _values.Add(new EntryValue(EntryValueKind.Empty, field));

    public void AddNull(IndexField field) => _values.Add(new EntryValue(EntryValueKind.Null, field));

    public void AddText(IndexField field, string text) => _values.Add(new EntryValue(EntryValueKind.Text, field, text));

    public void AddBoolean(IndexField field, bool value) =>
        _values.Add(new EntryValue(EntryValueKind.Boolean, field, value ? "true" : "false"));

    /// <param name="text">The text by which the number is found.</param>
    public void AddLong(IndexField field, long value, string text) => _values.Add(new EntryValue(EntryValueKind.Long, field, text, value, value));

    /// <param name="text">The text by which the number is found.</param>
    public void AddDouble(IndexField field, double value, string text) =>
        _values.Add(new EntryValue(EntryValueKind.Double, field, text, Truncate(value), value));

    /// <param name="text">The date as it was written.</param>
    /// <param name="ticks">UTC ticks.</param>
    public void AddDate(IndexField field, string text, long ticks) => _values.Add(new EntryValue(EntryValueKind.Date, field, text, ticks, ticks));

    /// <param name="wellKnownText">The shape, as <see cref="Jackdaw.Search.Spatial.ShapeReader"/> reads it.</param>
    public void AddSpatial(IndexField field, string wellKnownText) => _values.Add(new EntryValue(EntryValueKind.Spatial, field, wellKnownText));

    /// <param name="utf8">Must not change until the entry is added.</param>
    public void AddStored(IndexField field, ReadOnlyMemory<byte> utf8) => _values.Add(new EntryValue(EntryValueKind.Stored, field, Utf8: utf8));

    /// <param name="vector">Checked, and must not change until the entry is added: 1 to 4,096 finite numbers, not all 0. For
    /// <see cref="EmbeddingType.Binary"/> each number is 1 or -1.</param>
    public void AddVector(IndexField field, ReadOnlyMemory<float> vector) =>
        _values.Add(new EntryValue(EntryValueKind.Vector, field) { Vector = vector });

    /// <summary>Replaces a vector by its node.</summary>
    /// <param name="index">The place of the vector in <see cref="Values"/>.</param>
    public void SetNode(int index, uint node) => _values[index] = new EntryValue(EntryValueKind.Node, _values[index].Field, Long: node);

    private static long Truncate(double value) => value switch
    {
        double.NaN => 0,
        >= long.MaxValue => long.MaxValue,
        <= long.MinValue => long.MinValue,
        _ => (long)value,
    };
}
