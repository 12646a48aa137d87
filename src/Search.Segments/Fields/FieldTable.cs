using System.Collections.Immutable;

namespace Jackdaw.Search.Segments.Fields;

/// <summary>The fields of an index. Immutable. Any thread.</summary>
internal sealed class FieldTable
{
    private readonly ImmutableDictionary<string, FieldRecord> _byName;
    private Dictionary<int, string>? _names;
    private FieldRecord[]? _texts;
    private FieldRecord[]? _all;

    private FieldTable(ImmutableDictionary<string, FieldRecord> byName, int nextNumber)
    {
        _byName = byName;
        NextNumber = nextNumber;
    }

    /// <summary>The name under which the table has what entries themselves have: no field is called so.</summary>
    public const string EntriesName = "";

    public static FieldTable Empty { get; } = new(ImmutableDictionary.Create<string, FieldRecord>(StringComparer.Ordinal), FieldRecord.OfEntries + 1);

    /// <summary>The number of the next new field.</summary>
    public int NextNumber { get; }

    /// <summary>The fields, in no order.</summary>
    public IReadOnlyList<FieldRecord> All => _all ??= [.. _byName.Values];

    /// <summary>The fields whose terms have positions.</summary>
    public FieldRecord[] Texts => _texts ??= [.. _byName.Values.Where(record => record.Has(FieldTraits.Positions))];

    public static FieldTable Of(IEnumerable<FieldRecord> records)
    {
        ImmutableDictionary<string, FieldRecord> byName = Empty._byName.AddRange(records.Select(record => KeyValuePair.Create(record.Name, record)));
        return new FieldTable(byName, byName.IsEmpty ? Empty.NextNumber : 1 + byName.Values.Max(record => record.Number));
    }

    /// <summary>The name of the field with a number; empty when there is none.</summary>
    public string NameOf(int number) => (_names ??= _byName.Values.ToDictionary(record => record.Number, record => record.Name)).GetValueOrDefault(number, "");

    public FieldRecord? Find(string name) => _byName.GetValueOrDefault(name);

    /// <summary>A table with more fields, or with more traits of fields.</summary>
    public FieldTable With(IReadOnlyCollection<FieldRecord> records) => records.Count == 0 ? this : new FieldTable(
        _byName.SetItems(records.Select(record => KeyValuePair.Create(record.Name, record))),
        Math.Max(NextNumber, 1 + records.Max(record => record.Number)));
}
