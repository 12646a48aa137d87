using Jackdaw.Search.Entries;

namespace Jackdaw.Search.Tests.Proofs;

/// <summary>An entry as the plain evaluator sees it.</summary>
internal sealed record PlainEntry(string Id, IReadOnlyList<EntryValue> Values)
{
    /// <summary>Factor of the whole entry.</summary>
    public float Boost { get; init; } = 1;

    /// <summary>Factors of fields.</summary>
    public IReadOnlyDictionary<string, float> FieldBoosts { get; init; } = new Dictionary<string, float>();

    public IEnumerable<EntryValue> Of(string field) => Values.Where(value => value.Field.Name == field);

    public void CopyTo(IndexEntry entry)
    {
        entry.Reset(Id);
        entry.Boost = Boost;
        foreach ((string field, float factor) in FieldBoosts)
        {
            entry.BoostField(RandomSearches.Fields.Find(field), factor);
        }

        foreach (EntryValue value in Values)
        {
            switch (value.Kind)
            {
                case EntryValueKind.Empty:
                    entry.AddEmpty(value.Field);
                    break;
                case EntryValueKind.Null:
                    entry.AddNull(value.Field);
                    break;
                case EntryValueKind.Boolean:
                    entry.AddBoolean(value.Field, value.Text == "true");
                    break;
                case EntryValueKind.Long:
                    entry.AddLong(value.Field, value.Long, value.Text!);
                    break;
                case EntryValueKind.Double:
                    entry.AddDouble(value.Field, value.Double, value.Text!);
                    break;
                case EntryValueKind.Date:
                    entry.AddDate(value.Field, value.Text!, value.Long);
                    break;
                default:
                    entry.AddText(value.Field, value.Text!);
                    break;
            }
        }
    }
}
