namespace Jackdaw.Search.Entries;

/// <summary>What one value of an entry is.</summary>
public enum EntryValueKind
{
    /// <summary>The field is there and has no value: an empty array.</summary>
    Empty,
    Null,
    Text,
    Boolean,
    Long,
    Double,

    /// <summary>A point in time: a text, and ticks for comparing and sorting.</summary>
    Date,

    /// <summary>A shape, given as text.</summary>
    Spatial,

    /// <summary>Not searchable: only stored, as bytes.</summary>
    Stored,
}

/// <summary>One value of one field.</summary>
/// <param name="Field">Its field; several values of one field make it multi-valued, in their order.</param>
/// <param name="Text">The value as text: of a number as it was written, of a shape its well-known text, of a boolean <c>true</c> or
/// <c>false</c>. Null for Empty, Null and Stored.</param>
/// <param name="Long">Of a whole number, or the UTC ticks of a date.</param>
/// <param name="Double">Of any number.</param>
/// <param name="Utf8">Of Stored.</param>
public readonly record struct EntryValue(
    EntryValueKind Kind, IndexField Field, string? Text = null, long Long = 0, double Double = 0, ReadOnlyMemory<byte> Utf8 = default);

/// <summary>One entry of an index: what is found. Made by one thread, used again for the next entry after <see cref="Reset(ReadOnlySpan{byte})"/>.</summary>
public sealed class IndexEntry
{
    private readonly List<EntryValue> _values = [];
    private readonly Dictionary<string, float> _fieldBoosts = new(StringComparer.Ordinal);
    private byte[] _id = new byte[64];
    private int _idLength;

    /// <summary>The id that replaces it, UTF-8: all entries with one id go when others with that id come. Not empty; compared as it is. Valid
    /// until the entry gets another one.</summary>
    public ReadOnlySpan<byte> Id => _id.AsSpan(0, _idLength);

    /// <summary>Multiplies the score of the entry in every search; 1 = as it is. Negative and no numbers count as 1.</summary>
    public float Boost { get; set; } = 1;

    /// <summary>Multiplies what conditions on these fields give to the score of the entry.</summary>
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

    /// <summary>Gives a field a factor; a second one replaces it.</summary>
    public void BoostField(IndexField field, float factor) => _fieldBoosts[field.Name] = factor;

    public void AddEmpty(IndexField field) => _values.Add(new EntryValue(EntryValueKind.Empty, field));

    public void AddNull(IndexField field) => _values.Add(new EntryValue(EntryValueKind.Null, field));

    public void AddText(IndexField field, string text) => _values.Add(new EntryValue(EntryValueKind.Text, field, text));

    public void AddBoolean(IndexField field, bool value) =>
        _values.Add(new EntryValue(EntryValueKind.Boolean, field, value ? "true" : "false"));

    /// <param name="text">The number as it is to be found by its text.</param>
    public void AddLong(IndexField field, long value, string text) => _values.Add(new EntryValue(EntryValueKind.Long, field, text, value, value));

    /// <param name="text">The number as it is to be found by its text.</param>
    public void AddDouble(IndexField field, double value, string text) =>
        _values.Add(new EntryValue(EntryValueKind.Double, field, text, Truncate(value), value));

    /// <param name="text">The date as it was written.</param>
    /// <param name="ticks">UTC ticks.</param>
    public void AddDate(IndexField field, string text, long ticks) => _values.Add(new EntryValue(EntryValueKind.Date, field, text, ticks, ticks));

    /// <param name="wellKnownText">The shape, as <see cref="Jackdaw.Search.Spatial.ShapeReader"/> reads it.</param>
    public void AddSpatial(IndexField field, string wellKnownText) => _values.Add(new EntryValue(EntryValueKind.Spatial, field, wellKnownText));

    /// <param name="utf8">Stays as it is until the entry is added.</param>
    public void AddStored(IndexField field, ReadOnlyMemory<byte> utf8) => _values.Add(new EntryValue(EntryValueKind.Stored, field, Utf8: utf8));

    private static long Truncate(double value) => value switch
    {
        double.NaN => 0,
        >= long.MaxValue => long.MaxValue,
        <= long.MinValue => long.MinValue,
        _ => (long)value,
    };
}
