using System.Globalization;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Indexing.Settings;
using Jackdaw.Json;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Spatial;

namespace Jackdaw.Indexing.Mapping;

/// <summary>Makes entries from mapped rows: finds the settings of each field and the kind of each value. One thread.</summary>
/// <param name="fields">Settings of the fields, including those whose names are computed.</param>
/// <param name="settings">They say whether a field that is missing in a row is null, and how vectors are kept whose field has no options.</param>
/// <param name="dimensionsOf">The dimensions of the vectors that a field has; null while it has none.</param>
/// <param name="leavesOut">A value that is not what its field is for, such as a vector, is left out and noted. Otherwise the row has failed.</param>
internal sealed class EntryFiller(
    ComputedFields fields, IndexingSettings? settings = null, Func<string, int?>? dimensionsOf = null, bool leavesOut = false)
{
    private static readonly SpatialSettings s_earth = new();

    private readonly VectorSettings _plainVectors = FieldSettings.ToSettings(new VectorOptions(), settings ?? new IndexingSettings());
    private readonly VectorValues _vectors = new(dimensionsOf ?? (_ => null));
    private readonly List<string> _leftOut = [];

    /// <summary>What was left out of the last entry, as messages.</summary>
    public IReadOnlyList<string> LeftOut => _leftOut;

    /// <summary>Begins with the rows of another document or group.</summary>
    public void Begin() => _vectors.Begin();

    /// <summary>Adds the fields of a row to an entry.</summary>
    /// <returns>Whether any of them has a value: an entry without one is left out.</returns>
    public bool Fill(MappedEntry row, IndexEntry entry)
    {
        bool hasValue = false;
        _leftOut.Clear();
        foreach (ref readonly MappedField field in row.Fields)
        {
            if (!field.Value.IsMissing || settings?.IndexesMissingAsNull == true)
            {
                IndexField indexed = field.Options is { } options ? fields.Find(options) : fields.Find(field.Name);
                hasValue |= AddField(entry, indexed, field.Value.IsMissing ? Value.Null : field.Value);
            }
        }

        entry.Boost = row.Boost;
        return hasValue;
    }

    private bool AddField(IndexEntry entry, IndexField field, Value value)
    {
        if (field.Vector is not null || VectorValues.IsVector(value.Unboosted()))
        {
            return AddVectors(entry, field with { Vector = field.Vector ?? _plainVectors }, value);
        }

        if (field.IsStored && StoredValues.NeedsJson(value.Unboosted()))
        {
            StoredValues.Add(entry, field, value.Unboosted());

            // Full text is highlighted in the texts that the engine stores. Of other fields only the JSON is read.
            field = field.Indexing == IndexingMode.Text ? field : field with { IsStored = false };
        }

        return Add(entry, field, value);
    }

    private bool AddVectors(IndexEntry entry, IndexField field, Value value)
    {
        if (value.Kind == ValueKind.Boosted)
        {
            entry.BoostField(field, value.Made<BoostedValue>().Factor);
            value = value.Unboosted();
        }

        if (field.IsStored)
        {
            StoredValues.Add(entry, field, value);
        }

        try
        {
            return VectorValues.IsNull(value) ? Add(entry, field, Value.Null) : _vectors.Add(entry, field, value);
        }
        catch (FormatException fault)
        {
            Fail(field, fault);
            return false;
        }
    }

    private bool Add(IndexEntry entry, IndexField field, Value value)
    {
        switch (value.Kind)
        {
            case ValueKind.Missing:
                return false;
            case ValueKind.Null:
                entry.AddNull(field); // A term like any other, by which queries for null find the entry.
                return true;
            case ValueKind.Bool:
                entry.AddBoolean(field, value.AsCondition());
                return true;
            case ValueKind.Long:
                long number = value.AsLong();
                entry.AddLong(field, number, number.ToString(CultureInfo.InvariantCulture));
                return true;
            case ValueKind.TapeNumber or ValueKind.Decimal:
                double stored = value.AsDouble(); // With the digits that a query has, not as it was written: 1e3 is 1000, 1.50 is 1.5.
                entry.AddDouble(field, stored, stored.ToString("R", CultureInfo.InvariantCulture));
                return true;
            case ValueKind.Double:
                entry.AddDouble(field, value.AsDouble(), value.ToString());
                return true;
            case ValueKind.Boosted:
                entry.BoostField(field, value.Made<BoostedValue>().Factor);
                return Add(entry, field, value.Unboosted());
            case ValueKind.TapeArray or ValueKind.List:
                return AddAll(entry, field, value);
            case ValueKind.Text or ValueKind.TapeText or ValueKind.Date:
                AddText(entry, field, value);
                return true;
            case ValueKind.Spatial:
                AddShape(entry, field, value.ShapeText());
                return true;
            case ValueKind.TapeObject or ValueKind.Object or ValueKind.Metadata:
                entry.AddText(field, ObjectTerm.Of(value));
                return true;
            default:
                entry.AddText(field, value.ToString());
                return true;
        }
    }

    private bool AddAll(IndexEntry entry, IndexField field, Value value)
    {
        bool hasValue = false;
        bool isEmpty = true;
        foreach (Value element in value.AsSequence())
        {
            isEmpty = false;
            hasValue |= Add(entry, field, element);
        }

        if (isEmpty)
        {
            entry.AddEmpty(field);
        }

        return hasValue || isEmpty;
    }

    private void AddText(IndexEntry entry, IndexField field, Value value)
    {
        string text = value.ToString();
        if (field.Spatial is not null)
        {
            AddShape(entry, field, text);
        }
        else if (value.Kind == ValueKind.Date)
        {
            entry.AddDate(field, text, UtcTicks(value.AsDate()));
        }
        else if (IsoDate.TryRead(text, out long ticks))
        {
            entry.AddDate(field, text, ticks);
        }
        else
        {
            entry.AddText(field, text);
        }
    }

    // A time without a zone is UTC: an index must not depend on the zone of the machine.
    private static long UtcTicks(DateTime date) => date.Kind == DateTimeKind.Local ? date.ToUniversalTime().Ticks : date.Ticks;

    // A value that is not a shape is a mistake of the document. It is refused here, before it reaches the writer of the batch.
    private void AddShape(IndexEntry entry, IndexField field, string text)
    {
        try
        {
            ShapeReader.Read(text, field.Spatial ?? s_earth);
        }
        catch (FormatException fault)
        {
            Fail(field, fault);
            return;
        }

        entry.AddSpatial(field, text);
    }

    private void Fail(IndexField field, FormatException fault)
    {
        string message = $"Field '{field.Name}': {fault.Message}";
        _leftOut.Add(leavesOut ? message : throw new MapFailedException(new FormatException(message, fault)));
    }
}
